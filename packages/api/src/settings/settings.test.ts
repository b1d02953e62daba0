import { describe, expect, it } from 'bun:test'
import { type AdminPart, adminPartNames } from '../admin-parts.ts'
import { refusalTexts } from '../errors/index.ts'
import { roles } from '../roles.ts'
import {
  defaults,
  formatSetting,
  isSecret,
  isSettingKey,
  mayRead,
  mayWrite,
  movesMoney,
  parseSetting,
  type SettingKey,
  settingCatalogue,
  settingGroups,
  settingKeys,
  settingOf,
} from './index.ts'

/** Accounts §3.3, operations §3.10 and the catalogue of the server contract. */
const documentedKeys = `
PasswordLoginEnabled PasswordRegisterEnabled EmailVerificationEnabled RegisterEnabled TurnstileCheckEnabled
GitHubOAuthEnabled WeChatAuthEnabled TelegramOAuthEnabled LinuxDOOAuthEnabled oidc.enabled
EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled EmailDomainWhitelist
SMTPServer SMTPPort SMTPAccount SMTPFrom SMTPToken SMTPSSLEnabled
ServerAddress WorkerUrl WorkerValidKey
PayAddress EpayId EpayKey Price MinTopUp CustomCallbackAddress TopupGroupRatio TopUpLink
GitHubClientId GitHubClientSecret LinuxDOClientId LinuxDOClientSecret
WeChatServerAddress WeChatServerToken WeChatAccountQRCodeImageURL TelegramBotToken TelegramBotName
TurnstileSiteKey TurnstileSecretKey
oidc.well_known oidc.client_id oidc.client_secret oidc.authorization_endpoint oidc.token_endpoint
oidc.user_info_endpoint
Notice SystemName Logo Footer About HomePageContent general_setting.docs_link
QuotaPerUnit RetryTimes DisplayInCurrencyEnabled DisplayTokenStatEnabled DefaultCollapseSidebar
DemoSiteEnabled SelfUseModeEnabled
DrawingEnabled MjNotifyEnabled MjAccountFilterEnabled MjForwardUrlEnabled MjModeClearEnabled
MjActionCheckSuccessEnabled TaskEnabled
CheckSensitiveEnabled CheckSensitiveOnPromptEnabled CheckSensitiveOnCompletionEnabled StopOnSensitiveEnabled
SensitiveWords StreamCacheQueueLength
LogConsumeEnabled LogFailedCallsEnabled DataExportEnabled DataExportInterval DataExportDefaultTime
ChannelDisableThreshold QuotaRemindThreshold AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled
AutomaticDisableKeywords
QuotaForNewUser PreConsumedQuota QuotaForInviter QuotaForInvitee
GroupRatio UserUsableGroups ModelPrice ModelRatio CacheRatio CompletionRatio Chats
ModelRequestRateLimitEnabled ModelRequestRateLimitCount ModelRequestRateLimitSuccessCount
ModelRequestRateLimitDurationMinutes
gemini.safety_settings gemini.version_settings gemini.supported_imagine_models
claude.model_headers_settings claude.thinking_adapter_enabled claude.default_max_tokens
claude.thinking_adapter_budget_tokens_percentage
global.pass_through_request_enabled
general_setting.ping_interval_enabled general_setting.ping_interval_seconds
FileUploadPermission FileDownloadPermission ImageUploadPermission ImageDownloadPermission
`
  .trim()
  .split(/\s+/)

const documentedDefaults: Partial<Record<SettingKey, string>> = {
  PasswordLoginEnabled: 'true',
  PasswordRegisterEnabled: 'true',
  RegisterEnabled: 'true',
  EmailVerificationEnabled: 'false',
  EmailDomainWhitelist:
    'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  SMTPPort: '587',
  Price: '7.3',
  MinTopUp: '1',
  TopupGroupRatio: '{"default":1,"vip":1,"svip":1}',
  GroupRatio: '{"default":1,"vip":1,"svip":1}',
  UserUsableGroups: '{"default":"默认分组","vip":"vip分组"}',
  QuotaPerUnit: '500000',
  RetryTimes: '2',
  QuotaForNewUser: '0',
  QuotaRemindThreshold: '1000',
  PreConsumedQuota: '500',
  ChannelDisableThreshold: '5',
  AutomaticDisableChannelEnabled: 'false',
  DataExportInterval: '5',
  DataExportDefaultTime: 'hour',
  ModelRequestRateLimitEnabled: 'false',
  ModelRequestRateLimitCount: '0',
  ModelRequestRateLimitSuccessCount: '1000',
  ModelRequestRateLimitDurationMinutes: '1',
  'gemini.safety_settings': '{"default":"OFF","HARM_CATEGORY_CIVIC_INTEGRITY":"BLOCK_NONE"}',
  'gemini.version_settings': '{"default":"v1beta","gemini-1.0-pro":"v1"}',
  'claude.default_max_tokens': '{"default":8192}',
  'claude.model_headers_settings': '{}',
  'claude.thinking_adapter_enabled': 'true',
  'claude.thinking_adapter_budget_tokens_percentage': '0.8',
  'general_setting.ping_interval_enabled': 'false',
  'general_setting.ping_interval_seconds': '60',
  StopOnSensitiveEnabled: 'true',
  MjForwardUrlEnabled: 'true',
  DrawingEnabled: 'true',
}

/** The rest of the server contract's catalogue, by their common properties. */
const documentedAlike: Readonly<Record<string, string>> = {
  true: `DisplayInCurrencyEnabled DisplayTokenStatEnabled DrawingEnabled TaskEnabled MjForwardUrlEnabled
    MjActionCheckSuccessEnabled CheckSensitiveEnabled CheckSensitiveOnPromptEnabled StopOnSensitiveEnabled
    LogConsumeEnabled DataExportEnabled`,
  false: `EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled GitHubOAuthEnabled LinuxDOOAuthEnabled
    WeChatAuthEnabled TelegramOAuthEnabled TurnstileCheckEnabled oidc.enabled SMTPSSLEnabled DefaultCollapseSidebar
    MjNotifyEnabled MjAccountFilterEnabled MjModeClearEnabled CheckSensitiveOnCompletionEnabled
    AutomaticEnableChannelEnabled global.pass_through_request_enabled DemoSiteEnabled SelfUseModeEnabled`,
  '0': `QuotaForInviter QuotaForInvitee StreamCacheQueueLength FileUploadPermission FileDownloadPermission
    ImageUploadPermission ImageDownloadPermission`,
  '': `GitHubClientId GitHubClientSecret LinuxDOClientId LinuxDOClientSecret WeChatServerAddress WeChatServerToken
    WeChatAccountQRCodeImageURL TelegramBotToken TelegramBotName TurnstileSiteKey TurnstileSecretKey oidc.client_id
    oidc.client_secret oidc.well_known oidc.authorization_endpoint oidc.token_endpoint oidc.user_info_endpoint
    SMTPServer SMTPAccount SMTPFrom SMTPToken ServerAddress WorkerUrl WorkerValidKey PayAddress EpayId EpayKey
    CustomCallbackAddress TopUpLink Logo Footer Notice About HomePageContent`,
}

describe('the settings catalogue', () => {
  it('has every documented option once, beside its own', () => {
    const known = settingKeys.filter((key) => documentedKeys.includes(key))
    expect(known.toSorted()).toEqual(documentedKeys.toSorted() as SettingKey[])
  })

  it('has the documented defaults', () => {
    for (const [key, text] of Object.entries(documentedDefaults)) {
      expect([key, formatSetting(key as SettingKey, defaults[key as SettingKey])]).toEqual([key, text])
    }
    for (const [text, keys] of Object.entries(documentedAlike))
      for (const key of keys.split(/\s+/) as SettingKey[])
        expect([key, formatSetting(key, defaults[key])]).toEqual([key, text])
    expect(defaults.SensitiveWords).toEqual([])
    expect(Object.keys(defaults.ModelPrice).length).toBeGreaterThanOrEqual(21)
    expect(defaults.AutomaticDisableKeywords).toHaveLength(7)
    expect(defaults.Chats).toHaveLength(5)
  })

  it('reads every default back from its own text', () => {
    for (const key of settingKeys) {
      const parsed = settingOf(key).parse(formatSetting(key, defaults[key]))
      expect([key, parsed]).toEqual([key, { ok: true, value: defaults[key] }])
    }
  })

  it('never lets a role write what it may not read, nor a common user read anything', () => {
    for (const key of settingKeys) {
      const { read, write, group } = settingCatalogue[key]
      expect(roles[write]).toBeGreaterThanOrEqual(roles[read])
      expect(roles[read]).toBeGreaterThanOrEqual(roles.admin)
      expect(Object.keys(settingGroups)).toContain(group)
    }
  })

  const rootsAmongOperations: readonly SettingKey[] = [
    'TopUpLink',
    'ChatTrustedHosts',
    'AdminMoneyOptionsEnabled',
  ]

  it('leaves system settings and what moves money to the super admin and the others to admins', () => {
    for (const key of settingKeys) {
      const { group, write, movesMoney } = settingCatalogue[key]
      if (rootsAmongOperations.includes(key)) continue
      const tab = settingGroups[group]
      const isRoots = movesMoney || tab === 'system' || tab === 'hidden'
      expect([key, write]).toEqual([key, isRoots ? 'root' : 'admin'])
    }
    expect(mayRead({ role: 'admin' }, 'TopUpLink')).toBe(true)
    expect(mayWrite({ role: 'admin' }, 'TopUpLink')).toBe(false)
    expect(mayWrite({ role: 'root' }, 'TopUpLink')).toBe(true)
    expect(mayRead({ role: 'common' }, 'SystemName')).toBe(false)
  })

  it('lets the super admin delegate what moves money, and nothing else', () => {
    const written = (AdminMoneyOptionsEnabled: boolean) =>
      settingKeys.filter((key) => mayWrite({ role: 'admin' }, key, { AdminMoneyOptionsEnabled }))
    const delegated = written(true).filter((key) => !written(false).includes(key))
    expect(delegated).toEqual(settingKeys.filter(movesMoney))
    expect(delegated).toEqual(
      expect.arrayContaining(['QuotaForInviter', 'QuotaPerUnit', 'GroupRatio', 'ModelRatio', 'ModelPrice']),
    )
    expect(
      settingKeys.filter((key) => mayWrite({ role: 'common' }, key, { AdminMoneyOptionsEnabled: true })),
    ).toEqual([])
  })

  it('opens to an administrator what belongs to a part of theirs, and what moves money to one who got that', () => {
    const written = (parts: readonly AdminPart[]) =>
      settingKeys.filter((key) => mayWrite({ role: 'admin', parts }, key))
    const ofPart = (part: AdminPart) => settingKeys.filter((key) => settingCatalogue[key].part === part)
    expect(written([])).toEqual([])
    for (const part of adminPartNames) {
      expect(ofPart(part)).toEqual(expect.arrayContaining(written([part])))
      expect(settingKeys.filter((key) => mayRead({ role: 'admin', parts: [part] }, key))).toEqual(
        ofPart(part).filter((key) => settingCatalogue[key].read === 'admin'),
      )
    }
    expect(written(['prices'])).toEqual(['ModelCost', 'TimeCost'])
    expect(written(['prices', 'money-options'])).toEqual(expect.arrayContaining(['ModelPrice', 'GroupRatio']))
    expect(written(['log'])).not.toContain('LogRetentionDays')
    expect(written(['log', 'log-clearing'])).toContain('LogRetentionDays')
  })

  it("makes every option with a secret's name a secret, and no other", () => {
    const looksSecret = (key: string) => /(token|secret|key)$/i.test(key) && key !== 'TurnstileSiteKey'
    expect(settingKeys.filter(isSecret).toSorted()).toEqual(settingKeys.filter(looksSecret).toSorted())
    expect(settingKeys.filter(isSecret)).toHaveLength(13)
    for (const key of settingKeys.filter(isSecret)) expect(settingCatalogue[key].read).toBe('root')
  })

  it('names every switch of the console with its suffix', () => {
    const flags = settingKeys.filter((key) => settingCatalogue[key].control.kind === 'flag')
    const unusual = flags.filter((key) => !/enabled$/i.test(key))
    expect(unusual).toEqual(['DefaultCollapseSidebar', 'AdminSecondFactorRequired'])
  })

  it("has no key that is only a property of JavaScript's objects", () => {
    expect(isSettingKey('constructor')).toBe(false)
    expect(isSettingKey('__proto__')).toBe(false)
    expect(isSettingKey('RetryTimes')).toBe(true)
  })

  it('is frozen', () => {
    for (const value of Object.values(defaults)) expect(Object.isFrozen(value)).toBe(true)
    expect(Object.isFrozen(defaults)).toBe(true)
  })
})

describe('a refused value', () => {
  it('names the option and a remedy in both languages', () => {
    const parsed = parseSetting('SMTPPort', '70000')
    expect(parsed).toEqual({
      ok: false,
      code: 'option_not_integer',
      details: { key: 'SMTPPort', min: 1, max: 65_535 },
    })
    expect(refusalTexts.option_not_integer.en).toContain('{key}')
    expect(refusalTexts.option_not_integer.zh).toContain('{key}')
  })
})
