import { afterAll, beforeEach, describe, expect, it } from 'bun:test'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { Refusal } from '../../lib/refusal.ts'
import { channelForm, channelWorld, root } from '../test-support/channel-world.ts'
import { LocalUpstream } from '../test-support/local-upstream.ts'

type Form = Parameters<typeof channelForm>[0]
type Options = Parameters<typeof channelWorld>[0]

const key = 'sk-provider-secret-0123456789'
const upstream = new LocalUpstream()
const deepSeek = (amount: string) => () =>
  Response.json({ balance_infos: [{ currency: 'CNY', total_balance: amount }] })

beforeEach(() => {
  upstream.reset()
  upstream.response = deepSeek('12.50')
})
afterAll(() => upstream.stop())

/** @param timeoutMs of an upstream that is silent: short where the test waits for it, else beyond what a busy machine takes */
async function setUp(form: Form = {}, options: Options = {}, timeoutMs = deadline(5000)) {
  const world = channelWorld(options, { timeoutMs })
  await world.manage.create(channelForm({ key, type: 43, base_url: upstream.baseUrl, ...form }), root)
  const update = (id = 1) =>
    world.balances.update(id, root).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      return error
    })
  const run = async () => {
    await world.balances.run(new AbortController().signal)
    return world.balances.progress
  }
  return { ...world, update, run }
}

describe('the balance of a channel', () => {
  it("is requested from the channel's own address with its own key, and stored", async () => {
    const { update, manage, time } = await setUp()
    expect(await update()).toBe(12.5)
    expect(upstream.seen).toMatchObject([{ path: '/user/balance' }])
    expect(upstream.seen[0]?.headers.get('authorization')).toBe(`Bearer ${key}`)
    expect(await manage.get(1)).toMatchObject({
      balance: 12.5,
      balance_updated_time: Math.floor(time.now / 1000),
    })
  })

  it('takes two requests where the upstream reports a limit and a usage', async () => {
    upstream.response = ({ url }) =>
      Response.json(
        url.includes('/subscription')
          ? { hard_limit_usd: 100, has_payment_method: true }
          : { total_usage: 2550 },
      )
    const { update } = await setUp({ type: 1 })
    expect(await update()).toBe(74.5)
    expect(upstream.seen.map(({ path }) => path)).toEqual([
      '/v1/dashboard/billing/subscription',
      '/v1/dashboard/billing/usage',
    ])
  })

  it.each<[number, string, unknown]>([
    [10, '/api/report/getUserOverview', { data: { totalPoints: 3 } }],
    [12, '/dashboard/billing/credit_grants', { total_remaining: 3 }],
    [13, '/dashboard/billing/credit_grants', { total_available: 3 }],
    [40, '/v1/user/info', { code: 20000, data: { totalBalance: '3' } }],
  ])('of type %d is read from %s', async (type, path, body) => {
    upstream.response = () => Response.json(body)
    const { update } = await setUp({ type })
    expect(await update()).toBe(3)
    expect(upstream.seen).toMatchObject([{ path }])
    if (type === 10) expect(upstream.seen[0]?.headers.get('api-key')).toBe(key)
  })

  it.each<[string, Form, () => Response | Promise<Response>, string]>([
    ['a type that has none', { type: 14 }, deepSeek('1'), 'channel_balance_unknown_type'],
    ['an error', {}, () => new Response(`no ${key}`, { status: 401 }), 'channel_balance_failed'],
    ['no JSON', {}, () => new Response('<html>'), 'channel_upstream_malformed'],
    ['another shape', {}, () => Response.json({ balance_infos: [] }), 'channel_upstream_malformed'],
    ['a redirect', {}, () => Response.redirect('http://127.0.0.1:1/'), 'channel_upstream_redirect'],
    ['silence', {}, () => new Promise<Response>(() => {}), 'channel_upstream_timeout'],
    ['a closed port', { base_url: 'http://127.0.0.1:1' }, deepSeek('1'), 'channel_upstream_unreachable'],
  ])('is refused with a readable reason on %s, and stays as it was', async (_, form, response, code) => {
    upstream.response = response
    const { update, manage } = await setUp(form, {}, code === 'channel_upstream_timeout' ? 150 : undefined)
    const refusal = await update()
    expect(refusal).toMatchObject({ code })
    expect(String((refusal as Refusal).message)).not.toContain('secret')
    expect(await manage.get(1)).toMatchObject({ balance: 0, balance_updated_time: 0, status: 1 })
  })

  it('is not requested from a closed address that root did not set', async () => {
    const { update, channels, directory } = await setUp()
    await channels.update(1, { baseUrlTrusted: false })
    await directory.reload()
    expect(await update()).toMatchObject({ code: 'channel_address_forbidden' })
    expect(upstream.seen).toEqual([])
  })

  it('does not change the status when a person asks for it, however low', async () => {
    upstream.response = deepSeek('-1')
    const { update, manage } = await setUp({}, { AutomaticDisableChannelEnabled: true })
    expect(await update()).toBe(-1)
    expect(await manage.get(1)).toMatchObject({ status: 1, balance: -1 })
  })
})

describe('an update of all balances', () => {
  it('covers the enabled channels whose type has one, and goes on after a failure', async () => {
    const { run, manage } = await setUp()
    await manage.create(channelForm({ key, type: 14 }), root)
    await manage.create(channelForm({ key, type: 43, base_url: upstream.baseUrl, status: 2 }), root)
    await manage.create(channelForm({ key, type: 43, base_url: 'http://127.0.0.1:1' }), root)
    expect(await run()).toMatchObject({ running: false, total: 2, done: 2, failed: 1, startedBy: 'system' })
    expect(upstream.seen).toHaveLength(1)
  })

  it.each<[string, Form, Options, number]>([
    ['disable', {}, { AutomaticDisableChannelEnabled: true }, 3],
    ['leave alone unless disabling is on', {}, {}, 1],
    ['leave alone when it is exempted', { auto_ban: 0 }, { AutomaticDisableChannelEnabled: true }, 1],
  ])('%s a channel without money', async (_, form, options, status) => {
    upstream.response = deepSeek('0.00')
    const { run, manage } = await setUp(form, options)
    await run()
    const channel = await manage.get(1)
    expect(channel.status).toBe(status)
    if (status === 3)
      expect(JSON.parse(channel.other_info)).toMatchObject({
        status_reason: 'the balance is used up (0)',
        reason_code: 'balance_empty',
        reason_params: { balance: 0 },
      })
  })

  it.each([
    ['stays while its calls succeed', { ok: 9, failed: 1 }, 1, [{ id: 1, name: 'main' }]],
    ['goes when its calls fail', { ok: 1, failed: 9 }, 3, []],
    ['goes when no call came', { ok: 0, failed: 0 }, 3, []],
  ])('a channel without money %s', async (_, attempts, status, spared) => {
    upstream.response = deepSeek('0.00')
    const { run, manage, recentAttempts } = await setUp({}, { AutomaticDisableChannelEnabled: true })
    recentAttempts.set(1, { ...attempts, otherFailures: 0, latencyMs: 5 })
    expect(await run()).toMatchObject({ failed: 0, spared })
    expect(await manage.get(1)).toMatchObject({ status, balance: 0 })
  })

  it('takes one key out of service where there are others, and asks the next one later', async () => {
    upstream.response = ({ headers }) =>
      deepSeek(headers.get('authorization') === 'Bearer key-a' ? '0' : '5')()
    const { run, manage } = await setUp({ key: 'key-a\nkey-b' }, { AutomaticDisableChannelEnabled: true })
    await run()
    await run()
    const { status, balance, health } = await manage.get(1)
    expect([status, balance]).toEqual([1, 5])
    expect(health.keys.map(({ reason_code }) => reason_code)).toEqual(['balance_empty', ''])
  })

  it('runs one at a time, and is cancelled with its requests under way', async () => {
    upstream.response = () => Bun.sleep(100).then(deepSeek('1'))
    const { balanceRun, auditEvents } = await setUp()
    auditEvents.length = 0
    await balanceRun.start(root)
    await expect(balanceRun.start(root)).rejects.toMatchObject({ code: 'channel_balances_running' })
    expect(balanceRun.progress).toMatchObject({ running: true, total: 1, done: 0, startedBy: 'root' })
    expect(await balanceRun.cancel(root)).toMatchObject({
      running: false,
      cancelled: true,
      done: 0,
      failed: 0,
    })
    expect(await balanceRun.cancel(root)).toMatchObject({ running: false, cancelled: true })
    expect(auditEvents.map(({ action }) => action)).toEqual([
      'channel.update-all-balances',
      'channel.cancel-update-all-balances',
    ])
  })
})
