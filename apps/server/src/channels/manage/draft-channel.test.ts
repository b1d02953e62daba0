import { afterAll, beforeEach, describe, expect, it } from 'bun:test'
import type { ChannelDraftBody } from '@tollgate/api'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { Refusal } from '../../lib/refusal.ts'
import { admin, channelForm, channelWorld, root } from '../test-support/channel-world.ts'
import { chatResponse, LocalUpstream } from '../test-support/local-upstream.ts'
import { testDraft } from './draft-channel.ts'
import { fetchModelsForNew } from './fetch-models.ts'

const stored = 'sk-stored-secret-0123456789'
const typed = 'sk-typed-secret-9876543210'
const upstream = new LocalUpstream()
const base_url = upstream.baseUrl

beforeEach(() => upstream.reset())
afterAll(() => upstream.stop())

async function setUp() {
  const world = channelWorld({}, { timeoutMs: deadline(5000) })
  await world.manage.create(channelForm({ key: stored, base_url, models: 'gpt-4o' }), root)
  world.auditEvents.length = 0
  const before = JSON.stringify([...world.channels.rows])
  const test = (draft: ChannelDraftBody, actor = root) =>
    testDraft(draft, actor, 'en', world).catch((error: unknown) => {
      if (error instanceof Refusal) return error.code
      throw error
    })
  return { ...world, test, isUntouched: () => JSON.stringify([...world.channels.rows]) === before }
}

const sentKey = () => upstream.seen[0]?.headers.get('authorization')

describe('testing a channel before it is saved', () => {
  it('tries the values of a new one, which needs no name, and stores nothing', async () => {
    const { test, time, auditEvents, isUntouched } = await setUp()
    upstream.response = () => {
      time.now += 420
      return chatResponse()
    }
    const draft = { type: 1, key: typed, base_url: `${base_url}/`, models: 'a,b', test_model: 'b', name: ' ' }
    const mapping = { model_mapping: '{"b":"real-b"}', param_override: '{"temperature":0}' }
    expect(await test({ ...draft, ...mapping })).toEqual({
      passed: true,
      model: 'b',
      time: 0.42,
      status: 200,
      message: '',
      tested_keys: 1,
      failed_keys: [],
    })
    expect(sentKey()).toBe(`Bearer ${typed}`)
    expect(upstream.seen[0]?.body).toMatchObject({ model: 'real-b', temperature: 0 })
    expect(isUntouched()).toBe(true)
    expect(auditEvents).toMatchObject([{ action: 'channel.test', actorName: 'root' }])
  })

  it('tries every key, and names those that fail', async () => {
    const { test } = await setUp()
    const keys = ['sk-good-key-0000000001', 'sk-dead-key-0000000002', 'sk-good-key-0000000003']
    upstream.response = (request) =>
      request.headers.get('authorization')?.includes('dead') === true
        ? Response.json({ error: { message: 'no such key' } }, { status: 401 })
        : chatResponse()
    const draft = { type: 1, base_url, models: 'a' }
    expect(await test({ ...draft, key: keys.join('\n') })).toMatchObject({
      passed: false,
      status: 401,
      tested_keys: 3,
      failed_keys: [{ hint: 'sk-***002', status: 401, message: 'no such key' }],
    })
    expect(upstream.seen).toHaveLength(3)
    const alive = keys.filter((key) => !key.includes('dead')).join('\n')
    expect(await test({ ...draft, key: alive })).toMatchObject({
      passed: true,
      tested_keys: 2,
      failed_keys: [],
    })
  })

  it('tries changes of a stored one with its stored key, or with the key that is typed', async () => {
    const { test, health, isUntouched } = await setUp()
    upstream.response = () => chatResponse()
    expect(await test({ id: 1, key: '', models: 'new-model' })).toMatchObject({
      passed: true,
      model: 'new-model',
    })
    expect(sentKey()).toBe(`Bearer ${stored}`)
    upstream.reset()
    upstream.response = () => Response.json({ error: { message: `bad ${typed}` } }, { status: 401 })
    const failed = await test({ id: 1, key: typed, name: '' })
    expect(failed).toMatchObject({ passed: false, model: 'gpt-4o', status: 401 })
    expect(failed).toMatchObject({ message: expect.stringMatching(/^bad \[key\]$/) })
    expect(JSON.stringify(failed)).not.toContain('secret')
    expect(sentKey()).toBe(`Bearer ${typed}`)
    expect(isUntouched()).toBe(true)
    expect(health.view(1).lastFailureAt).toBe(0)
  })

  it('says that nothing responded', async () => {
    const { test } = await setUp()
    expect(await test({ type: 1, key: typed, base_url: 'http://127.0.0.1:1', models: 'm' })).toMatchObject({
      passed: false,
      status: 0,
      message: 'The upstream is unreachable',
    })
  })

  it.each<[string, ChannelDraftBody, typeof root, string]>([
    ['no key', { type: 1, base_url, models: 'm' }, root, 'channel_key_required'],
    ['no models', { type: 1, key: typed, base_url }, root, 'channel_models_required'],
    ['an unknown type', { type: 999, key: typed, models: 'm' }, root, 'channel_type_unknown'],
    ['a closed address', { type: 1, key: typed, base_url, models: 'm' }, admin, 'channel_address_forbidden'],
    [
      'stored keys to another address, for all but root',
      { id: 1, base_url: 'https://other.example' },
      admin,
      'channel_keys_to_move',
    ],
    ['a channel that is gone', { id: 99 }, root, 'record_not_found'],
    ['wrong settings', { id: 1, setting: '{"proxy":"x"}' }, root, 'channel_proxy_invalid'],
  ])('refuses %s', async (_, draft, actor, code) => {
    const { test } = await setUp()
    expect<unknown>(await test(draft, actor)).toBe(code)
    expect(upstream.seen).toHaveLength(0)
  })

  it('lists the models of the address that is typed, with the stored key', async () => {
    const world = await setUp()
    upstream.response = () => Response.json({ data: [{ id: 'm-1' }] })
    expect(await fetchModelsForNew({ id: 1, key: '', base_url: `${base_url}/other` }, root, world)).toEqual([
      'm-1',
    ])
    expect(upstream.seen[0]?.path).toBe('/other/v1/models')
    expect(sentKey()).toBe(`Bearer ${stored}`)
  })
})
