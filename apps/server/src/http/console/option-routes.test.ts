import { describe, expect, it } from 'bun:test'
import { groups, options } from '@tollgate/api'
import { defaults, isSecret, settingKeys } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import { settingsInMemory } from '../../settings/test-support/settings-in-memory.ts'
import { optionRoutes } from './option-routes.ts'
import { adminCaller, callRoute, rootCaller } from './test-support/call-route.ts'

async function setUp(stored: Record<string, string> = {}) {
  const settings = await settingsInMemory(stored)
  return { settings, routes: optionRoutes({ settings }) }
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
    expect(forRoot).toHaveLength(settingKeys.filter((key) => !isSecret(key)).length)
    const forAdmin = await callRoute(routes, options.list, {}, adminCaller)
    expect(forAdmin.length).toBeLessThan(forRoot.length)
    expect(forAdmin.map(({ key }) => key)).not.toContain('SMTPServer')
  })
})

describe('PUT /api/option/', () => {
  const put = async (body: { key: string; value: string | undefined }, caller = rootCaller) => {
    const { settings, routes } = await setUp()
    return { settings, answer: await codeOf(callRoute(routes, options.set, { body }, caller)) }
  }

  it('puts the value in force', async () => {
    const { settings, answer } = await put({ key: 'RetryTimes', value: '3' }, adminCaller)
    expect([answer, settings.current.RetryTimes]).toEqual(['accepted', 3])
  })

  it.each([
    [{ key: 'NoSuchOption', value: 'x' }, 'option_unknown'],
    [{ key: 'constructor', value: 'x' }, 'option_unknown'],
    [{ key: 'RetryTimes', value: '-1' }, 'option_not_integer'],
    [{ key: 'oidc.enabled', value: 'true' }, 'option_requires'],
  ] as const)('refuses %j with %s', async (body, code) => {
    expect((await put(body)).answer).toBe(code)
  })

  it.each([
    'SMTPToken',
    'ServerAddress',
    'PayAddress',
    'oidc.client_secret',
    'TopUpLink',
    'OutboundAllowedRanges',
  ])('does not let an admin write %s', async (key) => {
    expect((await put({ key, value: '' }, adminCaller)).answer).toBe('permission_denied')
  })

  it('accepts an untouched secret, which arrives without a value', async () => {
    expect((await put({ key: 'WorkerValidKey', value: undefined })).answer).toBe('accepted')
  })
})

describe('POST /api/option/rest_model_ratio', () => {
  it('puts the default model ratios back and leaves the other maps alone', async () => {
    const { settings, routes } = await setUp({ ModelRatio: '{"mine":3}', ModelPrice: '{"mine":1}' })
    await callRoute(routes, options.resetModelRatio, {}, rootCaller)
    expect(settings.current.ModelRatio).toEqual(defaults.ModelRatio)
    expect(settings.current.ModelPrice).toEqual({ mine: 1 })
  })
})

describe('groups', () => {
  it('are listed for admins as they have ratios', async () => {
    const { routes } = await setUp({ GroupRatio: '{"default":1,"vip":0.8,"staff":0.5}' })
    expect(await callRoute(routes, groups.list, {}, adminCaller)).toEqual(['default', 'vip', 'staff'])
  })
})
