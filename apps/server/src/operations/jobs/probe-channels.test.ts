import { afterAll, afterEach, beforeEach, describe, expect, it, setSystemTime } from 'bun:test'
import { channelForm, channelWorld, root } from '../../channels/test-support/channel-world.ts'
import { Refusal } from '../../lib/refusal.ts'
import { channelJobs } from './channel-jobs.ts'
import { createProbeChannels } from './probe-channels.ts'

const second = 1000
const minute = 60 * second

const refused = new Set<string>()
const seen: string[] = []
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const key = request.headers.get('authorization') ?? ''
    seen.push(key)
    if (refused.has(key))
      return Response.json({ error: { message: 'no', code: 'invalid_api_key' } }, { status: 401 })
    return Response.json({
      choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    })
  },
})

beforeEach(() => {
  refused.clear()
  seen.length = 0
})
afterEach(() => setSystemTime())
afterAll(() => upstream.stop(true))

async function setUp(key = 'key-a', options = {}, form = {}) {
  const world = channelWorld({
    AutomaticDisableChannelEnabled: true,
    AutomaticEnableChannelEnabled: true,
    ...options,
  })
  const base_url = `http://127.0.0.1:${upstream.port}`
  await world.manage.create(channelForm({ key, base_url, ...form }), root)
  const run = createProbeChannels({
    ...world,
    settings: world.values,
    firstPauseMs: minute,
    monotonic: { now: () => world.time.now },
  })
  const look = () => run(new AbortController().signal)
  const fail = async (keyIndex: number) => {
    const error = { kind: 'unauthorized', status: 401, message: '', type: '', code: '', param: null } as const
    world.control.considerDisabling({ channelId: 1, keyIndex, model: 'gpt-4o', ms: 0, error })
    await world.control.settled()
  }
  /** Minutes, from the first run on, at which something was probed. */
  const probedAt = async (minutes: number) => {
    const startedAt = world.time.now
    const at: number[] = []
    for (let passed = 0; passed <= minutes; passed += 1) {
      world.time.now = startedAt + passed * minute
      const before = seen.length
      await look()
      if (seen.length > before) at.push(passed)
    }
    return at
  }
  return { ...world, look, fail, probedAt }
}

describe('probing', () => {
  it('enables a channel that passes, with the reason', async () => {
    const { look, fail, time, manage, directory } = await setUp()
    await fail(0)
    await look()
    expect(seen).toHaveLength(0)
    time.now += minute
    await look()
    const channel = await manage.get(1)
    expect(channel.status).toBe(1)
    expect(channel.other_info).toContain('a probe passed (model gpt-4o)')
    expect(directory.snapshot.tiers('default', 'gpt-4o')).toHaveLength(1)
  })

  it('tries less and less often while it fails, at least every half hour', async () => {
    const { fail, probedAt, manage } = await setUp()
    refused.add('Bearer key-a')
    await fail(0)
    expect(await probedAt(130)).toEqual([1, 3, 7, 15, 31, 61, 91, 121])
    expect((await manage.get(1)).status).toBe(3)
  })

  it('starts with the first pause again after the channel was healthy in between', async () => {
    const { fail, probedAt } = await setUp()
    await fail(0)
    expect(await probedAt(1)).toEqual([1])
    await fail(0)
    expect(await probedAt(1)).toEqual([1])
  })

  it('enables a channel by a model that has a small call, whichever stands first', async () => {
    const { fail, probedAt, manage } = await setUp('key-a', {}, { models: 'dall-e-3,tts-1,gpt-4o' })
    await fail(0)
    expect(await probedAt(1)).toEqual([1])
    expect((await manage.get(1)).other_info).toContain('a probe passed (model gpt-4o)')
  })

  it('waits longer each time where no test can be made, without an error of the job', async () => {
    const { tester, ...world } = await setUp()
    await world.fail(0)
    let tests = 0
    const refusing = {
      ...tester,
      async test() {
        tests += 1
        throw new Refusal('invalid_parameter')
      },
    }
    const monotonic = { now: () => world.time.now }
    const run = createProbeChannels({
      ...world,
      tester: refusing,
      settings: world.values,
      firstPauseMs: minute,
      monotonic,
    })
    for (let passed = 0; passed <= 7; passed += 1, world.time.now += minute)
      await run(new AbortController().signal)
    expect(tests).toBe(3)
  })

  it('enables single keys of a channel in service', async () => {
    const { fail, probedAt, directory } = await setUp('key-a\nkey-b\nkey-c')
    refused.add('Bearer key-b')
    await fail(0)
    await fail(1)
    await probedAt(1)
    expect(seen.toSorted()).toEqual(['Bearer key-a', 'Bearer key-b'])
    expect([...(directory.snapshot.channel(1)?.disabledKeys.keys() ?? [])]).toEqual([1])
  })

  it('enables a channel that was too slow only when it is fast again', async () => {
    const { control, probedAt, manage, values } = await setUp()
    await control.disableChannel(1, { code: 'too_slow', params: { seconds: '9.00', limit: 5 } })
    values.current = { ...values.current, ChannelDisableThreshold: 5 }
    await probedAt(1)
    expect((await manage.get(1)).status).toBe(1)
  })

  it('leaves alone what a person disabled, and everything while the option is off', async () => {
    const isManual = await setUp()
    await isManual.manage.update({ id: 1, status: 2 }, root)
    expect(await isManual.probedAt(5)).toEqual([])
    const off = await setUp('key-a', { AutomaticEnableChannelEnabled: false })
    await off.fail(0)
    expect(await off.probedAt(5)).toEqual([])
  })

  it('does not probe early when the wall clock is set forward', async () => {
    const world = await setUp()
    const run = createProbeChannels({ ...world, settings: world.values, firstPauseMs: minute })
    await world.fail(0)
    await run(new AbortController().signal)
    setSystemTime(Date.now() + 24 * 60 * minute)
    await run(new AbortController().signal)
    expect(seen).toHaveLength(0)
  })

  it('writes no usage', async () => {
    const { fail, probedAt, usage } = await setUp()
    await fail(0)
    await probedAt(1)
    expect(usage.rows).toHaveLength(0)
  })
})

describe('channelJobs', () => {
  it('tests all channels, and updates all balances, only when the operator asked for it', async () => {
    const world = channelWorld()
    const writeOutcomes = async () => undefined
    const jobs = (testMinutes: number | undefined, balanceMinutes: number | undefined) =>
      channelJobs({
        ...world,
        settings: world.values,
        probeSeconds: 2,
        testMinutes,
        balanceMinutes,
        writeOutcomes,
        runSchedules: async () => undefined,
        runDrains: async () => {},
      }).map(({ name, everyMs }) => [name, everyMs])
    const always = [
      ['probe-channels', 2 * second],
      ['write-channel-outcomes', 30 * second],
      ['switch-channels', 5 * second],
      ['end-drains', 5 * second],
    ]
    expect(jobs(undefined, undefined)).toEqual(always)
    expect(jobs(30, 60)).toEqual([
      ...always,
      ['test-all-channels', 30 * minute],
      ['update-all-balances', 60 * minute],
    ])
  })
})
