import { describe, expect, it } from 'bun:test'
import { adminPartNames, type CallArguments, calls } from '@tollgate/api'
import { defaults, formatSetting, mayRead, mayWrite, movesMoney, settingKeys } from '@tollgate/api/settings'
import { Refusal } from '../../../lib/refusal.ts'
import { auditLogInMemory } from '../../../records/audit-log/test-support/audit-log-in-memory.ts'
import { createChangeOptions } from '../../../settings/change-options.ts'
import { settingsInMemory } from '../../../settings/test-support/settings-in-memory.ts'
import { adminCaller, callRoute, rootCaller } from '../test-support/call-route.ts'
import { groupRoutes } from './group-routes.ts'
import { optionRoutes } from './option-routes.ts'

const { groups, options } = calls

async function setUp(stored: Record<string, string> = {}) {
  const settings = await settingsInMemory(stored)
  const { auditLog, auditEvents } = auditLogInMemory()
  const changeOptions = createChangeOptions({ settings, auditLog })
  const mailer = { lastFailure: { at: 5, reason: 'no route to host' } }
  const sendTestMail = () => Promise.reject(new Refusal('mail_test_failed', { reason: 'no route to host' }))
  return { settings, auditEvents, routes: optionRoutes({ settings, changeOptions, mailer, sendTestMail }) }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

describe('GET /api/option/', () => {
  it('answers texts that fit the contract, by role', async () => {
    const { routes } = await setUp()
    const forRoot = await callRoute(routes, options.list, {}, rootCaller)
    expect(options.list.data.parse(forRoot)).toEqual(forRoot)
    expect(forRoot).toHaveLength(settingKeys.length)
    const forAdmin = await callRoute(routes, options.list, {}, adminCaller)
    expect(forAdmin.length).toBeLessThan(forRoot.length)
    expect(forAdmin.map(({ key }) => key)).not.toContain('SMTPServer')
  })
})

describe('PUT /api/option/', () => {
  const put = async (body: CallArguments<typeof options.set>['body'], caller = rootCaller) => {
    const { settings, auditEvents, routes } = await setUp()
    return { settings, auditEvents, response: await codeOf(callRoute(routes, options.set, { body }, caller)) }
  }

  it('puts the value in force', async () => {
    const { settings, response } = await put({ key: 'RetryTimes', value: '3' }, adminCaller)
    expect([response, settings.current.RetryTimes]).toEqual(['accepted', 3])
  })

  it.each([
    [{ key: 'NoSuchOption', value: 'x' }, 'option_unknown'],
    [{ key: 'constructor', value: 'x' }, 'option_unknown'],
    [{ key: 'RetryTimes', value: '-1' }, 'option_not_integer'],
    [{ key: 'oidc.enabled', value: 'true' }, 'option_requires'],
    [{ key: 'SMTPToken', value: 'x', clear: true }, 'option_cleared_with_value'],
  ] as const)('refuses %j with %s and writes nothing down', async (body, code) => {
    const { response, auditEvents } = await put(body)
    expect([response, auditEvents]).toEqual([code, []])
  })

  it.each([
    'SMTPToken',
    'ServerAddress',
    'PayAddress',
    'oidc.client_secret',
    'TopUpLink',
    'OutboundAllowedRanges',
  ])('does not let an admin write %s', async (key) => {
    expect((await put({ key, value: '' }, adminCaller)).response).toBe('permission_denied')
  })

  it.each(['WorkerValidKey', 'RetryTimes', 'PayAddress', 'PasswordLoginEnabled', 'ModelPrice'])(
    'accepts %s without a value, which changes nothing',
    async (key) => {
      const { response, auditEvents } = await put({ key, value: undefined })
      expect([response, auditEvents]).toEqual(['accepted', []])
    },
  )
})

describe('an option that moves money', () => {
  it.each(settingKeys.filter(movesMoney))(
    '%s is written by root, and by admins once root delegates',
    async (key) => {
      const value = formatSetting(key, defaults[key])
      const { settings, routes } = await setUp()
      const put = (caller: typeof rootCaller, change = { key: key as string, value }) =>
        codeOf(callRoute(routes, options.set, { body: change }, caller))
      expect(await put(adminCaller)).toBe('option_moves_money')
      const both = [
        { key: 'AdminMoneyOptionsEnabled', value: 'true' },
        { key, value },
      ]
      const batch = callRoute(routes, options.setMany, { body: { options: both } }, adminCaller)
      expect(await codeOf(batch)).toBe('permission_denied')
      expect(await put(rootCaller)).toBe('accepted')
      await settings.set('AdminMoneyOptionsEnabled', 'true')
      expect(await put(adminCaller)).toBe('accepted')
      const taken = { key: 'AdminMoneyOptionsEnabled', value: 'false' }
      expect(await put(adminCaller, taken)).toBe('permission_denied')
    },
  )
})

describe('an administrator', () => {
  it.each(adminPartNames)(
    'with the part %s reads and writes the options of the part, by either call',
    async (part) => {
      const { settings, routes } = await setUp()
      const caller = { ...adminCaller, parts: [part] }
      const listed = new Set((await callRoute(routes, options.list, {}, caller)).map(({ key }) => key))
      const refused: string[] = []
      for (const key of settingKeys) {
        const value = formatSetting(key, settings.current[key])
        const one = await codeOf(callRoute(routes, options.set, { body: { key, value } }, caller))
        const many = await codeOf(
          callRoute(routes, options.setMany, { body: { options: [{ key, value }] } }, caller),
        )
        expect([key, many]).toEqual([key, one])
        if (one !== 'accepted') refused.push(key)
      }
      expect(refused).toEqual(settingKeys.filter((key) => !mayWrite(caller, key)))
      expect(settingKeys.filter((key) => listed.has(key))).toEqual(
        settingKeys.filter((key) => mayRead(caller, key)),
      )
    },
  )

  it('with prices and what moves money writes prices, and no gift', async () => {
    const { routes } = await setUp()
    const caller = { ...adminCaller, parts: ['prices', 'money-options'] as const }
    const put = (key: string, value: string) =>
      codeOf(callRoute(routes, options.set, { body: { key, value } }, caller))
    expect(await put('ModelRatio', '{"m":2}')).toBe('accepted')
    expect(await put('QuotaForNewUser', '5')).toBe('admin_part_missing')
    expect(await put('SMTPServer', 'x')).toBe('permission_denied')
  })
})

describe('PUT /api/option/batch', () => {
  it('makes every change, or none when one is refused for whatever reason', async () => {
    const { settings, routes, auditEvents } = await setUp()
    const put = (changes: Record<string, string>, caller = rootCaller) => {
      const requested = Object.entries(changes).map(([key, value]) => ({ key, value }))
      return codeOf(callRoute(routes, options.setMany, { body: { options: requested } }, caller))
    }
    expect(await put({ RetryTimes: '5', Nothing: 'x' })).toBe('option_unknown')
    expect(await put({ RetryTimes: '5', SMTPServer: 'mail.example' }, adminCaller)).toBe('permission_denied')
    expect(await put({ RetryTimes: '5', Chats: '{' })).toBe('option_not_json')
    expect([settings.current.RetryTimes, auditEvents]).toEqual([2, []])
    expect(await put({ TelegramOAuthEnabled: 'true', TelegramBotToken: 'bot', RetryTimes: '5' })).toBe(
      'accepted',
    )
    expect([settings.current.RetryTimes, settings.current.TelegramOAuthEnabled]).toEqual([5, true])
    expect(auditEvents.map(({ target }) => target.name)).toEqual([
      'TelegramOAuthEnabled',
      'TelegramBotToken',
      'RetryTimes',
    ])
  })
})

describe('POST /api/option/rest_model_ratio', () => {
  it('puts the default model ratios back and leaves the other maps alone', async () => {
    const { settings, routes, auditEvents } = await setUp({
      ModelRatio: '{"mine":3}',
      ModelPrice: '{"mine":1}',
    })
    const resetBy = (caller: typeof rootCaller) =>
      codeOf(callRoute(routes, options.resetModelRatio, { query: { confirmation: undefined } }, caller))
    expect(await resetBy(adminCaller)).toBe('option_moves_money')
    expect(settings.current.ModelRatio).toEqual({ mine: 3 })
    await resetBy(rootCaller)
    expect(auditEvents.map(({ action }) => action)).toEqual(['option.reset-model-ratio'])
    expect(settings.current.ModelRatio).toEqual(defaults.ModelRatio)
    expect(settings.current.ModelPrice).toEqual({ mine: 1 })
  })
})

describe('groups', () => {
  it('are listed for admins as they have ratios', async () => {
    const { settings } = await setUp({ GroupRatio: '{"default":1,"vip":0.8,"staff":0.5}' })
    const unused = {} as never
    const routes = groupRoutes({ settings, manageGroups: unused, usage: unused, clock: unused })
    expect(await callRoute(routes, groups.list, {}, adminCaller)).toEqual(['default', 'vip', 'staff'])
  })
})

describe('mail of the operator', () => {
  it('says why the last one was not sent, and why the test was not', async () => {
    const { routes } = await setUp()
    expect(await callRoute(routes, options.mailState, {}, rootCaller)).toEqual({
      last_failure: { at: 5, reason: 'no route to host' },
    })
    expect(await codeOf(callRoute(routes, options.testMail, { body: { to: '' } }, rootCaller))).toBe(
      'mail_test_failed',
    )
  })
})
