import { afterAll, beforeEach, describe, expect, it } from 'bun:test'
import { type ModelCapability, modelFacts } from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { Refusal } from '../../lib/refusal.ts'
import { channelForm, channelWorld, root } from '../test-support/channel-world.ts'
import { chatResponse, LocalUpstream } from '../test-support/local-upstream.ts'
import { testChannel } from './test-channel.ts'

type Form = Parameters<typeof channelForm>[0]
type Options = Parameters<typeof channelWorld>[0]

const key = 'sk-provider-secret-0123456789'
const upstream = new LocalUpstream()
const base_url = upstream.baseUrl

beforeEach(() => upstream.reset())
afterAll(() => upstream.stop())

const actor = { ...root, userId: 7, username: 'ann' }

/** @param timeoutMs of an upstream that is silent: short where the test waits for it, else beyond what a busy machine takes */
async function setUp(form: Form = {}, options: Options = {}, timeoutMs = deadline(5000)) {
  const world = channelWorld(options, { timeoutMs })
  await world.manage.create(channelForm({ key, base_url, ...form }), root)
  const test = (model?: string) =>
    testChannel(1, { model, keyIndex: undefined }, actor, world).then(
      (seconds) => ({ seconds, code: undefined, message: '', extra: {} }),
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        return { seconds: undefined, code: error.code, message: error.message, extra: error.extra }
      },
    )
  return { ...world, test }
}

describe('testing a channel', () => {
  it('makes one small real call and logs its result', async () => {
    const { test, usage, manage, time } = await setUp()
    upstream.response = (request) => {
      time.now += 530
      expect(request.headers.get('authorization')).toBe(`Bearer ${key}`)
      return chatResponse()
    }
    expect(await test()).toMatchObject({ seconds: 0.53 })
    expect(upstream.seen).toHaveLength(1)
    expect(upstream.seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'gpt-4o', max_tokens: 10 },
    })
    expect(upstream.seen[0]?.headers.get('content-type')).toStartWith('application/json')
    expect(await manage.get(1)).toMatchObject({
      response_time: 530,
      test_time: Math.floor(time.now / 1000),
      status: 1,
    })
    expect(usage.rows).toMatchObject([
      {
        type: 'system',
        userId: 7,
        username: 'ann',
        quota: 0,
        content: expect.stringContaining('main (#1), model gpt-4o, 0.53 s'),
      },
    ])
  })

  it.each<[string, Form, string | undefined, string, string]>([
    ['the requested model', {}, 'o3', 'o3', '/v1/chat/completions'],
    ['the test model', { test_model: 'gpt-4o-mini' }, undefined, 'gpt-4o-mini', '/v1/chat/completions'],
    ['the first model', { models: 'b,a' }, undefined, 'b', '/v1/chat/completions'],
    ['the mapped model', { model_mapping: '{"gpt-4o":"real"}' }, undefined, 'real', '/v1/chat/completions'],
    [
      'an embedding model',
      { models: 'text-embedding-3-small' },
      undefined,
      'text-embedding-3-small',
      '/v1/embeddings',
    ],
    [
      'an embedding model that its name does not tell',
      { models: 'vectors', model_mapping: '{"vectors":"semantic_similarity_s1_v1"}' },
      undefined,
      'semantic_similarity_s1_v1',
      '/v1/embeddings',
    ],
    [
      'a moderation model',
      { models: 'omni-moderation-latest' },
      undefined,
      'omni-moderation-latest',
      '/v1/moderations',
    ],
    ['an unknown model', { models: 'house-model' }, undefined, 'house-model', '/v1/chat/completions'],
    ['an expensive model on request', {}, 'dall-e-3', 'dall-e-3', '/v1/chat/completions'],
    [
      'an expensive model that is the test model',
      { test_model: 'gpt-image-1' },
      undefined,
      'gpt-image-1',
      '/v1/chat/completions',
    ],
  ])('uses %s', async (_, form, requested, model, path) => {
    const { test } = await setUp(form)
    await test(requested)
    expect(upstream.seen[0]).toMatchObject({ path, body: { model } })
  })

  const { ModelRatio, ModelPrice } = defaults
  const known = Object.keys({ ...ModelRatio, ...ModelPrice })
  const small: readonly ModelCapability[] = ['chat', 'embedding', 'rerank', 'moderation']

  it('chooses the first model that has a small call, whatever kinds of models stand before it', async () => {
    const expensive = known.filter(
      (name) => !modelFacts(name)?.capabilities.some((each) => small.includes(each)),
    )
    const sound = [
      'gpt-4o-realtime-preview',
      'gpt-realtime',
      'gpt-audio-mini',
      'gpt-4o-audio-preview-2024-12-17',
    ]
    expect(expensive.length).toBeGreaterThan(20)
    const { test, manage } = await setUp()
    for (const model of [...expensive, ...sound]) {
      await manage.update({ id: 1, models: `${model},gpt-4o` }, root)
      await test()
      expect(upstream.seen.at(-1)?.body, model).toMatchObject({ model: 'gpt-4o' })
    }
  })

  it('sends nothing where every model is slow and expensive, and says why', async () => {
    const { test } = await setUp({ models: 'dall-e-3,whisper-1,tts-1,sora-2' })
    expect(await test()).toMatchObject({ code: 'channel_test_no_model' })
    expect(upstream.seen).toEqual([])
  })

  it.each([
    ['o3-mini', { max_completion_tokens: 10 }],
    ['gemini-2.5-pro', { max_tokens: 300 }],
    ['deepseek-thinking', { max_tokens: 50 }],
  ])('requests as little as %s accepts', async (model, limit) => {
    const { test } = await setUp({ models: model })
    await test()
    expect(upstream.seen[0]?.body).toMatchObject(limit)
  })

  it("applies the operator's parameter override", async () => {
    const { test } = await setUp({ param_override: '{"temperature":0,"max_tokens":1}' })
    await test()
    expect(upstream.seen[0]?.body).toMatchObject({ temperature: 0, max_tokens: 1, stream: false })
  })

  it('reports the time of a failed test too, and never the key or address', async () => {
    const { test, usage, manage, time } = await setUp()
    upstream.response = () => {
      time.now += 250
      const message = `Incorrect API key\u0000 provided:\n${key} at 127.0.0.1:${upstream.port}`
      return Response.json({ error: { message, code: 'invalid_api_key' } }, { status: 401 })
    }
    const { code, message, extra } = await test()
    expect(code).toBe('channel_test_failed')
    expect(message).toStartWith('Test failed: status code 401: Incorrect API key')
    expect(extra).toEqual({ time: 0.25 })
    expect(message + usage.rows.map((row) => row.content).join()).not.toContain('secret')
    expect(message).not.toContain(String(upstream.port))
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(await manage.get(1)).toMatchObject({ response_time: 250 })
  })

  it('records when it passed and when it failed', async () => {
    const { test, manage, time, health } = await setUp()
    await test()
    const passedAt = Math.floor(time.now / 1000)
    expect((await manage.get(1)).health).toMatchObject({ last_success_time: passedAt, never_answered: false })
    time.now += 60_000
    upstream.response = () => Response.json({ error: { message: 'full' } }, { status: 503 })
    await test()
    expect((await manage.get(1)).health).toMatchObject({
      last_success_time: passedAt,
      last_failure_time: passedAt + 60,
      last_failure_code: 'overloaded',
      last_failure_params: { status: 503 },
      error_rate: 0,
    })
    expect(health.admits(1, 0, 'gpt-4o')).toBe(true)
  })

  it('never changes the status, whatever the options', async () => {
    const { test, manage } = await setUp({}, { AutomaticDisableChannelEnabled: true })
    upstream.response = () =>
      Response.json({ error: { message: 'no', code: 'invalid_api_key' } }, { status: 401 })
    await test()
    expect(await manage.get(1)).toMatchObject({ status: 1 })
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['a page instead of a response', () => new Response('<html>'), 'channel_upstream_malformed'],
    ['JSON of another shape', () => Response.json({ ok: true }), 'channel_upstream_malformed'],
    ['an error in a 200', () => Response.json({ error: { message: 'full' } }), 'channel_test_failed'],
    ['a redirect', () => Response.redirect('http://127.0.0.1:1/'), 'channel_upstream_redirect'],
    ['too much', () => new Response('x'.repeat(5 * 1024 * 1024)), 'channel_upstream_too_large'],
  ])('fails with a readable reason on %s', async (_, respond, code) => {
    const { test } = await setUp()
    upstream.response = respond
    expect<string | undefined>((await test()).code).toBe(code)
  })

  it('fails with a readable reason on silence', async () => {
    const { test } = await setUp({}, {}, 150)
    upstream.response = () => new Promise(() => {})
    expect((await test()).code).toBe('channel_upstream_timeout')
  })

  it('fails with a readable reason when nothing listens', async () => {
    const { test } = await setUp({ base_url: 'http://127.0.0.1:1' })
    expect((await test()).code).toBe('channel_upstream_unreachable')
  })

  it('does not connect to a closed address that root did not set', async () => {
    const { test, channels, directory } = await setUp()
    await channels.update(1, { baseUrlTrusted: false })
    await directory.reload()
    expect((await test()).code).toBe('channel_address_forbidden')
    expect(upstream.seen).toHaveLength(0)
  })

  it('goes through the proxy of the channel', async () => {
    const { test } = await setUp({
      base_url: 'http://elsewhere.example',
      setting: JSON.stringify({ proxy: base_url }),
    })
    expect((await test()).code).toBeUndefined()
    expect(upstream.seen[0]?.headers.get('host')).toBe('elsewhere.example')
  })

  it('closes the breaker of the channel when it passes', async () => {
    const { test, health } = await setUp()
    const error = { kind: 'unauthorized', status: 401, message: '', type: '', code: '', param: null } as const
    health.record({ channelId: 1, keyIndex: 0, model: 'gpt-4o', ms: 0, error })
    expect(health.admits(1, 0, 'gpt-4o')).toBe(false)
    await test()
    expect(health.admits(1, 0, 'gpt-4o')).toBe(true)
  })

  it('uses a key that is in service', async () => {
    const { test, channels, directory } = await setUp({ key: 'key-a\nkey-b' })
    await channels.update(1, { keyStates: [{ index: 0, status: 'auto-disabled', reason: '', at: 0 }] })
    await directory.reload()
    await test()
    expect(upstream.seen[0]?.headers.get('authorization')).toBe('Bearer key-b')
  })

  it('needs a channel that exists and is asked by calls', async () => {
    const { channels, directory, ...world } = await setUp()
    const code = (id: number) =>
      testChannel(id, { model: undefined, keyIndex: undefined }, actor, {
        ...world,
        channels,
        directory,
      }).catch((e) => e.code)
    expect(await code(9)).toBe('record_not_found')
    await channels.update(1, { type: 2 })
    await directory.reload()
    expect(await code(1)).toBe('channel_test_no_model')
  })
})

describe('testing all channels', () => {
  const slow = { AutomaticDisableChannelEnabled: true, ChannelDisableThreshold: 0.5 }

  async function statuses(world: Awaited<ReturnType<typeof setUp>>) {
    await world.control.settled()
    return (await world.channels.listAll()).map(({ status }) => status)
  }

  it('tests channels in service, and skips those that a person disabled or that serve images or videos alone', async () => {
    const world = await setUp()
    await world.manage.create(
      channelForm({ key, base_url, name: 'images', models: 'gpt-image-1,dall-e-3' }),
      root,
    )
    await world.manage.create(channelForm({ key, base_url, name: 'off', status: 2 }), root)
    await world.manage.create(channelForm({ key, base_url, name: 'videos', type: 55 }), root)
    await world.testAll.run(new AbortController().signal)
    expect(upstream.seen).toHaveLength(1)
    expect(world.usage.rows.at(-1)).toMatchObject({ type: 'system', content: 'Test of 1 channels, 0 failed' })
  })

  it('refuses a second start while one runs, and not after', async () => {
    const { testAll, usage } = await setUp()
    testAll.start(actor)
    expect(() => testAll.start(actor)).toThrow('already running')
    while (usage.rows.length === 0) await Bun.sleep(1)
    expect(() => testAll.start(actor)).not.toThrow()
    while (usage.rows.length === 1) await Bun.sleep(1)
  })

  it('reports its progress and its result', async () => {
    const world = await setUp({ name: 'bad', base_url: 'http://127.0.0.1:1' })
    await world.manage.create(channelForm({ key, base_url, name: 'good' }), root)
    const finished: unknown[] = []
    world.bus.subscribe('channel-test-finished', (event) => finished.push(event))
    expect(world.testAll.progress).toMatchObject({ running: false, total: 0, startedAt: 0 })
    world.testAll.start(actor)
    expect(world.testAll.progress).toMatchObject({ running: true, total: 2, startedBy: 'ann' })
    while (world.testAll.progress.running) await Bun.sleep(1)
    expect(world.testAll.progress).toMatchObject({ done: 2, failed: 1, cancelled: false })
    expect(world.testAll.progress.finishedAt).toBe(Math.floor(world.time.now / 1000))
    while (world.usage.rows.length === 0) await Bun.sleep(1)
    const failed = [{ id: 1, name: 'bad' }]
    expect(finished).toEqual([{ manual: true, cancelled: false, total: 2, tested: 2, failed }])
  })

  it('cancels the tests under way, without effect on their channels', async () => {
    const world = await setUp({}, { AutomaticDisableChannelEnabled: true })
    for (let more = 0; more < 9; more += 1)
      await world.manage.create(channelForm({ key, base_url, name: `more ${more}` }), root)
    let responded = 0
    upstream.response = async () => {
      responded += 1
      if (responded > 2) await Bun.sleep(120)
      return chatResponse()
    }
    await world.testRun.start(root)
    while (world.testRun.progress.done < 2) await Bun.sleep(1)
    const progress = await world.testRun.cancel(root)
    expect(progress).toMatchObject({ running: false, cancelled: true, total: 10, done: 2, failed: 0 })
    expect(upstream.seen.length).toBeLessThan(10)
    expect(world.usage.rows.at(-1)?.content).toBe('Test of 10 channels, cancelled after 2, 0 failed')
    expect(await world.testRun.cancel(root)).toMatchObject({ running: false })
    expect(() => world.testAll.start(actor)).not.toThrow()
    await world.testAll.cancel()
  })

  it('counts a channel that cannot be tested as failed, and goes on', async () => {
    const world = await setUp({ models: 'claude-3' })
    // Stored by a version that did not check the shape of keys.
    await world.channels.update(1, { type: 33 })
    await world.directory.reload()
    await world.manage.create(channelForm({ key, base_url }), root)
    await world.testAll.run(new AbortController().signal)
    expect(world.testAll.progress).toMatchObject({ total: 2, done: 2, failed: 1 })
  })

  it('may be started again after an aborted run', async () => {
    const { testAll, channels } = await setUp()
    channels.failing = true
    await expect(testAll.run(new AbortController().signal)).rejects.toThrow('the database is gone')
    channels.failing = false
    await testAll.run(new AbortController().signal)
    expect(upstream.seen).toHaveLength(2)
  })

  it('disables a channel whose key is refused', async () => {
    const world = await setUp({}, { AutomaticDisableChannelEnabled: true })
    upstream.response = () =>
      Response.json({ error: { message: 'no', code: 'invalid_api_key' } }, { status: 401 })
    await world.testAll.run(new AbortController().signal)
    expect(await statuses(world)).toEqual(['auto-disabled'])
  })

  it.each<[string, Options, Form, string]>([
    ['disables a slow channel', slow, {}, 'auto-disabled'],
    ['leaves alone a slow channel that is exempted', slow, { auto_ban: 0 }, 'enabled'],
    [
      'leaves alone a slow channel unless disabling is on',
      { ...slow, AutomaticDisableChannelEnabled: false },
      {},
      'enabled',
    ],
    ['leaves alone a slow channel without a limit', { ...slow, ChannelDisableThreshold: 0 }, {}, 'enabled'],
  ])('%s', async (_, options, form, status) => {
    const world = await setUp(form, options)
    upstream.response = () => {
      world.time.now += 600
      return chatResponse()
    }
    await world.testAll.run(new AbortController().signal)
    expect(await statuses(world)).toEqual([status as 'enabled'])
  })

  it.each<[string, Options, () => Response]>([
    ['slow', slow, () => chatResponse()],
    [
      'refused',
      { AutomaticDisableChannelEnabled: true },
      () => Response.json({ error: { message: 'no', code: 'invalid_api_key' } }, { status: 401 }),
    ],
  ])('takes nothing out for a %s test while calls succeed there, and says so', async (_, options, reply) => {
    const world = await setUp({}, options)
    upstream.response = () => {
      world.time.now += 600
      return reply()
    }
    const run = () => world.testAll.run(new AbortController().signal)
    world.recentAttempts.set(1, { ok: 9, failed: 1, otherFailures: 0, latencyMs: 5 })
    await run()
    expect(await statuses(world)).toEqual(['enabled'])
    expect(world.testAll.progress).toMatchObject({ takenOut: [], spared: [{ id: 1 }] })
    // Calls that fail more often than not say the same as the test.
    world.recentAttempts.set(1, { ok: 1, failed: 9, otherFailures: 0, latencyMs: 5 })
    await run()
    expect(await statuses(world)).toEqual(['auto-disabled'])
    expect(world.testAll.progress.takenOut).toMatchObject([
      { id: 1, keyIndex: null, reason: { code: options === slow ? 'too_slow' : expect.any(String) } },
    ])
    expect(world.testAll.progress.spared).toEqual([])
  })

  it('names the one key that it took out of several', async () => {
    const world = await setUp(
      { key: 'sk-first-key\nsk-second-key' },
      { AutomaticDisableChannelEnabled: true },
    )
    upstream.response = () =>
      Response.json({ error: { message: 'no', code: 'invalid_api_key' } }, { status: 401 })
    await world.testAll.run(new AbortController().signal)
    expect(world.testAll.progress.takenOut).toMatchObject([{ id: 1, keyIndex: 0 }])
    expect(await statuses(world)).toEqual(['enabled'])
  })

  it('brings an automatically disabled channel back when that is allowed', async () => {
    const world = await setUp()
    await world.control.disableChannel(1, { code: 'too_slow', params: { seconds: '9.00', limit: 5 } })
    await world.testAll.run(new AbortController().signal)
    expect(await statuses(world)).toEqual(['auto-disabled'])
    world.values.current = { ...world.values.current, AutomaticEnableChannelEnabled: true }
    await world.testAll.run(new AbortController().signal)
    expect(await statuses(world)).toEqual(['enabled'])
  })
})
