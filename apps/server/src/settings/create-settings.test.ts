import { describe, expect, it } from 'bun:test'
import { defaults, formatSetting, isSecret, settingCatalogue, settingKeys } from '@tollgate/api/settings'
import { createEventBus } from '../lib/async/event-bus.ts'
import { createVault } from '../lib/crypto.ts'
import { createLogger } from '../lib/logger.ts'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import { sealContexts } from '../store/installation/sealed-places.ts'
import type { OptionRepository, Store } from '../store/store.ts'
import { createSettings } from './create-settings.ts'
import { optionsInMemory } from './test-support/options-in-memory.ts'

const vault = createVault('a master key for tests, long enough to be one')

async function settingsOver(stored: Record<string, string> = {}) {
  const options = optionsInMemory(stored)
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const logger = createLogger('silent')
  const settings = await createSettings({ options, vault, bus, logger })
  return { settings, options, bus, logger }
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('settings at start', () => {
  it('are the defaults over an empty store', async () => {
    const { settings } = await settingsOver()
    expect(settings.current).toEqual(defaults)
  })

  it('take the stored values, secrets unsealed', async () => {
    const { settings } = await settingsOver({
      RetryTimes: '3',
      SMTPToken: vault.seal('mail password', sealContexts.option('SMTPToken')),
      GroupRatio: '{"default":1,"team":0.5}',
    })
    expect(settings.current.RetryTimes).toBe(3)
    expect(settings.current.SMTPToken).toBe('mail password')
    expect(settings.current.GroupRatio).toEqual({ default: 1, team: 0.5 })
  })

  it('use the default where the stored value is invalid or sealed elsewhere', async () => {
    const { settings } = await settingsOver({
      RetryTimes: 'many',
      ModelRatio: '{"gpt-4o":',
      SMTPToken: 'in clear',
      EpayKey: createVault('the master key of some other installation').seal(
        'theirs',
        sealContexts.option('EpayKey'),
      ),
    })
    expect(settings.current).toEqual(defaults)
  })

  it('ignore rows that the catalogue does not know', async () => {
    const { settings, options } = await settingsOver({ SomethingNewer: 'x', constructor: 'y' })
    expect(settings.current).toEqual(defaults)
    expect(options.rows.get('SomethingNewer')).toBe('x')
  })
})

describe('setting an option', () => {
  it('stores it, puts it in force and notifies the listeners, in that order', async () => {
    const { settings, options, bus } = await settingsOver()
    const seen: unknown[] = []
    bus.subscribe('options-changed', ({ keys }) =>
      seen.push([keys, options.rows.get('RetryTimes'), settings.current.RetryTimes]),
    )
    await settings.set('RetryTimes', ' 5 ')
    expect(seen).toEqual([[['RetryTimes'], '5', 5]])
  })

  it('replaces the object of values, so that a value in use never changes under its reader', async () => {
    const { settings } = await settingsOver()
    const before = settings.current
    await settings.set('GroupRatio', '{"default":2}')
    expect(before.GroupRatio).toEqual({ default: 1, vip: 1, svip: 1 })
    expect(settings.current.GroupRatio).toEqual({ default: 2 })
    expect(Object.isFrozen(settings.current)).toBe(true)
  })

  it('removes map entries that the new text lacks', async () => {
    const { settings } = await settingsOver({ 'claude.default_max_tokens': '{"default":8192,"old":1}' })
    await settings.set('claude.default_max_tokens', '{"default":4096}')
    expect(settings.current['claude.default_max_tokens']).toEqual({ default: 4096 })
  })

  it.each([
    ['RetryTimes', '', 'option_not_integer'],
    ['RetryTimes', '-1', 'option_not_integer'],
    ['ModelRatio', '{"gpt-4o":', 'option_not_json'],
    ['ModelRatio', '{"gpt-4o":-1}', 'option_entry_number'],
    ['GroupRatio', '{"vip":1}', 'option_entry_required'],
    ['LogConsumeEnabled', 'yes', 'option_not_flag'],
  ] as const)('refuses %s = %j and stores, changes and publishes nothing', async (key, text, code) => {
    const { settings, options, bus } = await settingsOver()
    bus.subscribe('options-changed', () => {
      throw new Error('published')
    })
    const before = settings.current
    const refusal = await refusalOf(settings.set(key, text))
    expect(refusal.code).toBe(code)
    expect(refusal.publicMessage('en')).toStartWith(`Option ${key}:`)
    expect(refusal.publicMessage('zh')).toContain(key)
    expect(options.rows.size).toBe(0)
    expect(settings.current).toBe(before)
  })

  it('changes nothing in memory when the store fails', async () => {
    const { options, bus, logger } = await settingsOver()
    const failing: OptionRepository = {
      ...options,
      change: async (decide) => {
        await decide([], {} as Store)
        throw new Error('disk full')
      },
    }
    const settings = await createSettings({ options: failing, vault, bus, logger })
    await expect(settings.set('RetryTimes', '5')).rejects.toThrow('disk full')
    expect(settings.current.RetryTimes).toBe(2)
    await expect(settings.set('RetryTimes', 'x')).rejects.toBeInstanceOf(Refusal)
  })

  it('changes a map as another node has stored it meanwhile', async () => {
    const { settings, options } = await settingsOver({ ModelRatio: '{"a":1}' })
    options.rows.set('ModelRatio', '{"a":1,"theirs":2}')
    await settings.change(({ ModelRatio }) => [
      { key: 'ModelRatio', text: JSON.stringify({ ...ModelRatio, ours: 3 }) },
    ])
    expect(settings.current.ModelRatio).toEqual({ a: 1, theirs: 2, ours: 3 })
  })

  it('loses none of many concurrent changes', async () => {
    const { settings, options } = await settingsOver()
    await Promise.all([
      settings.set('RetryTimes', '1'),
      settings.set('RetryTimes', '2'),
      settings.set('QuotaForNewUser', '7'),
      settings.set('SystemName', 'Gate'),
    ])
    expect(settings.current).toMatchObject({ RetryTimes: 2, QuotaForNewUser: 7, SystemName: 'Gate' })
    expect(options.rows.get('RetryTimes')).toBe('2')
  })

  it('removes the trailing slash of addresses', async () => {
    const { settings, options } = await settingsOver()
    for (const key of ['ServerAddress', 'WorkerUrl', 'PayAddress', 'WeChatServerAddress'] as const) {
      await settings.set(key, 'https://gate.example/')
      expect(settings.current[key]).toBe('https://gate.example')
      expect(options.rows.get(key)).toBe('https://gate.example')
    }
  })
})

describe('secrets', () => {
  it('are sealed in the store and open again after a restart', async () => {
    const { settings, options, bus, logger } = await settingsOver()
    await settings.set('oidc.client_secret', 'hush')
    expect(options.rows.get('oidc.client_secret')).not.toContain('hush')
    const restarted = await createSettings({ options, vault, bus, logger })
    expect(restarted.current['oidc.client_secret']).toBe('hush')
  })

  it.each(['', '  '])('stay as they are when a save sends %j', async (text) => {
    const { settings, options } = await settingsOver({
      TelegramBotToken: vault.seal('bot', sealContexts.option('TelegramBotToken')),
    })
    const before = options.rows.get('TelegramBotToken')
    await settings.set('TelegramBotToken', text)
    expect(settings.current.TelegramBotToken).toBe('bot')
    expect(options.rows.get('TelegramBotToken')).toBe(before ?? '')
  })

  it('are removed by a change to the default', async () => {
    const { settings, options } = await settingsOver({
      SMTPToken: vault.seal('hush', sealContexts.option('SMTPToken')),
    })
    await settings.change([{ key: 'SMTPToken', text: null }])
    expect(settings.current.SMTPToken).toBe('')
    expect(options.rows.has('SMTPToken')).toBe(false)
  })

  it('are listed without their value, not even for the super admin, and with a flag that one is set', async () => {
    const { settings } = await settingsOver({
      SMTPToken: vault.seal('hush', sealContexts.option('SMTPToken')),
    })
    const listed = settings.list({ role: 'root' })
    expect(JSON.stringify(listed)).not.toContain('hush')
    expect(listed).toContainEqual({ key: 'SMTPToken', value: '', is_set: true })
    expect(listed).toContainEqual({ key: 'EpayKey', value: '', is_set: false })
    expect(listed.filter(({ is_set }) => is_set !== undefined).map(({ key }) => key)).toEqual(
      settingKeys.filter(isSecret),
    )
  })
})

describe('several changes at once', () => {
  it('are stored, in force and published as one', async () => {
    const { settings, options, bus } = await settingsOver({ QuotaForNewUser: '7' })
    const published: unknown[] = []
    bus.subscribe('options-changed', (event) => published.push(event))
    await settings.change([
      { key: 'RetryTimes', text: '1' },
      { key: 'SystemName', text: 'Gate' },
      { key: 'QuotaForNewUser', text: null },
    ])
    expect(settings.current).toMatchObject({ RetryTimes: 1, SystemName: 'Gate', QuotaForNewUser: 0 })
    expect(Object.fromEntries(options.rows)).toEqual({ RetryTimes: '1', SystemName: 'Gate' })
    expect(published).toEqual([{ keys: ['RetryTimes', 'SystemName', 'QuotaForNewUser'] }])
  })

  it('change nothing when one of them is refused, also by the transaction', async () => {
    const { settings, options } = await settingsOver()
    const good = { key: 'RetryTimes', text: '1' } as const
    const refused = [
      settings.change([good, { key: 'ModelRatio', text: '{' }]),
      settings.change([good, good]),
      settings.change([good], () => Promise.reject(new Refusal('internal_error'))),
    ].map(async (work) => (await refusalOf(work)).code)
    expect(await Promise.all(refused)).toEqual(['option_not_json', 'option_repeated', 'internal_error'])
    expect(options.rows.size).toBe(0)
    expect(settings.current.RetryTimes).toBe(2)
  })

  it('may switch on a feature and set what it needs, in any order', async () => {
    const { settings } = await settingsOver()
    await settings.change([
      { key: 'GitHubOAuthEnabled', text: 'true' },
      { key: 'GitHubClientId', text: 'id' },
    ])
    expect(settings.current.GitHubOAuthEnabled).toBe(true)
  })

  it('pass the values before and after to the transaction', async () => {
    const { settings } = await settingsOver({ RetryTimes: '3' })
    const received: unknown[] = []
    await settings.change([{ key: 'RetryTimes', text: '1' }], async (_, { options }) => {
      received.push(...options)
    })
    expect(received).toEqual([{ key: 'RetryTimes', before: 3, after: 1, isDefault: false }])
  })
})

describe('listing options', () => {
  it('shows the super admin every option, as text', async () => {
    const { settings } = await settingsOver({ RetryTimes: '3' })
    const listed = new Map(settings.list({ role: 'root' }).map(({ key, value }) => [key, value]))
    expect([...listed.keys()].toSorted()).toEqual(settingKeys.toSorted())
    expect(listed.get('RetryTimes')).toBe('3')
    expect(listed.get('LogConsumeEnabled')).toBe('true')
    expect(JSON.parse(listed.get('ModelRatio') ?? '')).toEqual({ ...defaults.ModelRatio })
  })

  it('shows an admin no system setting, and anyone else nothing', async () => {
    const { settings } = await settingsOver()
    const keys = settings.list({ role: 'admin' }).map(({ key }) => key)
    expect(keys).toContain('RetryTimes')
    expect(keys).not.toContain('SMTPServer')
    expect(keys.every((key) => settingCatalogue[key].read === 'admin')).toBe(true)
    expect(settings.list({ role: 'common' })).toEqual([])
  })
})

describe('a change by another node', () => {
  it('is read from the store without being published again', async () => {
    const { settings, options, bus } = await settingsOver({ QuotaForNewUser: '7' })
    bus.subscribe('options-changed', () => {
      throw new Error('published')
    })
    options.rows.set('RetryTimes', '4')
    options.rows.set('QuotaForNewUser', '8')
    await settings.reload(['RetryTimes', 'a key of a newer version'])
    expect(settings.current).toMatchObject({ RetryTimes: 4, QuotaForNewUser: 7 })
  })

  it('puts the default back for a row that is gone', async () => {
    const { settings, options } = await settingsOver({ RetryTimes: '3' })
    options.rows.delete('RetryTimes')
    await settings.reload(['RetryTimes'])
    expect(settings.current.RetryTimes).toBe(2)
  })

  it('decides about a change of this one, before it is heard of', async () => {
    const { settings, options } = await settingsOver({ GitHubClientId: 'id' })
    options.rows.delete('GitHubClientId')
    expect((await refusalOf(settings.set('GitHubOAuthEnabled', 'true'))).code).toBe('option_requires')
    options.rows.set('GitHubClientId', 'other')
    await settings.set('GitHubOAuthEnabled', 'true')
    expect(settings.current).toMatchObject({ GitHubClientId: 'other', GitHubOAuthEnabled: true })
  })

  it('is among the values of a transaction that relies on them, and not yet in force here', async () => {
    const { settings, options } = await settingsOver({ RetryTimes: '3' })
    options.rows.set('RetryTimes', '4')
    expect((await settings.lockedIn({ options })).RetryTimes).toBe(4)
    expect(settings.current.RetryTimes).toBe(3)
  })
})

describe('switching on a feature with a requirement', () => {
  it.each([
    ['GitHubOAuthEnabled', 'GitHubClientId', 'id'],
    ['oidc.enabled', 'oidc.client_id', 'id'],
    ['LinuxDOOAuthEnabled', 'LinuxDOClientId', 'id'],
    ['WeChatAuthEnabled', 'WeChatServerAddress', 'https://wechat.example'],
    ['TurnstileCheckEnabled', 'TurnstileSiteKey', 'site'],
    ['TurnstileCheckEnabled', 'TurnstileSecretKey', 'secret'],
    ['TelegramOAuthEnabled', 'TelegramBotToken', 'bot'],
    ['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist', 'example.com'],
  ] as const)('refuses %s until %s is filled in', async (flagKey, needed, value) => {
    const { settings } = await settingsOver({ EmailDomainWhitelist: '', EmailVerificationEnabled: 'true' })
    for (const other of ['TurnstileSiteKey', 'TurnstileSecretKey'] as const)
      if (other !== needed) await settings.set(other, 'key')
    const refusal = await refusalOf(settings.set(flagKey, 'true'))
    expect(refusal.code).toBe('option_requires')
    expect(refusal.details).toEqual({ key: flagKey, required: needed })
    await settings.set(flagKey, 'false')
    await settings.set(needed, value)
    await settings.set(flagKey, 'true')
    expect(settings.current[flagKey]).toBe(true)
    const emptied = await refusalOf(
      settings
        .change([
          { key: needed, text: null },
          { key: 'Notice', text: 'x' },
        ])
        .then(() => settings.set(needed, '')),
    )
    expect(emptied.code).toBe('option_required')
  })
})

describe('a whitelist of mail domains', () => {
  const [restriction, verification] = ['EmailDomainRestrictionEnabled', 'EmailVerificationEnabled'] as const

  it('needs addresses to be verified, and the other way round', async () => {
    const { settings } = await settingsOver()
    const alone = await refusalOf(settings.set(restriction, 'true'))
    expect(alone.code).toBe('option_requires_switch')
    await settings.set(verification, 'true')
    await settings.set(restriction, 'true')
    const needed = await refusalOf(settings.set(verification, 'false'))
    expect(needed.code).toBe('option_required_switch')
    for (const refusal of [alone, needed])
      for (const text of [refusal.publicMessage('en'), refusal.publicMessage('zh')])
        for (const name of [restriction, verification]) expect(text).toContain(name)
    await settings.change([
      { key: verification, text: 'false' },
      { key: restriction, text: 'false' },
    ])
    expect(settings.current[restriction]).toBe(false)
  })
})

it('every default can be stored and read back', async () => {
  const { settings } = await settingsOver()
  for (const key of settingKeys) await settings.set(key, formatSetting(key, defaults[key]))
  expect(settings.current).toEqual(defaults)
})
