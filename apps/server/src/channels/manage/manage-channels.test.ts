import { describe, expect, it } from 'bun:test'
import type { ChannelUpdateBody } from '@tollgate/api'
import { channel as wireSchema } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { ProvableActor } from '../../records/audit-log/audit-log.ts'
import { admin, channelForm, channelWorld, root } from '../test-support/channel-world.ts'
import type { ChannelListRequest } from './list-channels.ts'

type Form = Parameters<typeof channelForm>[0]

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => 'accepted',
    (reason: unknown) => reason,
  )
  return error instanceof Refusal ? error.code : String(error)
}

const secret = 'sk-very-secret-provider-key-000001'

describe('creating a channel', () => {
  it('stores the body, and has the channel in routing when it resolves', async () => {
    const { manage, directory } = channelWorld()
    const created = await manage.create(
      channelForm({
        models: ' gpt-4o , gpt-4o,o3 ',
        group: 'default,vip',
        base_url: 'https://up.example//',
        weight: -5,
      }),
      admin,
    )
    expect(created).toMatchObject({
      models: 'gpt-4o,o3',
      group: 'default,vip',
      base_url: 'https://up.example',
      weight: 0,
    })
    expect(directory.snapshot.tiers('vip', 'o3')).toHaveLength(1)
    expect(wireSchema.parse(created)).toEqual(created)
  })

  it('creates one channel of several keys, without blank lines and repetitions', async () => {
    const { manage, directory } = channelWorld()
    const created = await manage.create(channelForm({ key: ' key-a \r\n\n key-b\nkey-a\n' }), root)
    expect(created.key_count).toBe(2)
    expect(directory.snapshot.channel(created.id)?.keys).toEqual(['key-a', 'key-b'])
  })

  it('never returns a provider key', async () => {
    const { manage, channels, auditEvents } = channelWorld()
    const created = await manage.create(channelForm({ key: `${secret}\nshort-key`, tag: 't' }), root)
    const responses = [
      created,
      await manage.get(1),
      await manage.list({ page: 0, size: 10, sort: 'priority', byTag: false }),
      await manage.list({ page: 0, sort: 'priority', byTag: true, keyword: 'main' }),
      await manage.copy(1, root),
      await manage.update({ id: 1, name: 'renamed' }, root),
      channels.rows.get(1),
      auditEvents,
    ]
    expect(JSON.stringify(responses)).not.toContain('secret')
    expect(JSON.stringify(responses)).not.toContain('short')
    expect(created.key).toBe('')
    expect(created.health.keys.map(({ hint }) => hint)).toEqual(['sk-***001', '***'])
  })

  const cases: readonly [string, Form, string][] = [
    ['no name', { name: '  ' }, 'channel_name_and_key_required'],
    ['no key', { key: ' \n ' }, 'channel_name_and_key_required'],
    ['no model', { models: ' , ' }, 'channel_models_required'],
    ['a long model', { models: 'x'.repeat(256) }, 'channel_model_too_long'],
    ['a long name', { name: 'x'.repeat(101) }, 'channel_text_too_long'],
    ['a key that fits no header', { key: 'sk-ключ' }, 'channel_key_invalid'],
    ['a key of another shape', { type: 33, key: 'sk-plain' }, 'channel_key_format_invalid'],
    ['a key that is no service account', { type: 41, key: 'sk-plain' }, 'channel_service_account_invalid'],
    [
      'too many keys',
      { key: Array.from({ length: 1001 }, (_, n) => `key-${n}`).join('\n') },
      'channel_keys_too_many',
    ],
    ['an unknown type', { type: 999 }, 'channel_type_unknown'],
    ['a type that needs an address', { type: 8 }, 'channel_base_url_required'],
    ['no full address', { base_url: 'up.example' }, 'channel_base_url_invalid'],
    ['another scheme', { base_url: 'ftp://up.example' }, 'channel_base_url_invalid'],
    ['credentials in the address', { base_url: 'https://user:pass@up.example' }, 'channel_base_url_invalid'],
    ['a query in the address', { base_url: 'https://up.example/?a=b' }, 'channel_base_url_invalid'],
    ['an empty query in the address', { base_url: 'https://up.example/v1?' }, 'channel_base_url_invalid'],
    ['a fragment in the address', { base_url: 'https://up.example/v1#x' }, 'channel_base_url_invalid'],
    ['an empty fragment in the address', { base_url: 'https://up.example/v1#' }, 'channel_base_url_invalid'],
    [
      'an empty fragment in a complete address',
      { type: 8, base_url: 'https://up.example/v1/chat#' },
      'channel_base_url_invalid',
    ],
    [
      'a slot in the host',
      { type: 8, base_url: 'https://{model}.up.example/v1' },
      'channel_base_url_invalid',
    ],
    ['a mapping in circles', { model_mapping: '{"a":"b","b":"a"}' }, 'channel_mapping_cycle'],
    ['a mapping that is no JSON', { model_mapping: '{a}' }, 'channel_json_invalid'],
    [
      'errors that become successes',
      { status_code_mapping: '{"500":"200"}' },
      'channel_status_mapping_invalid',
    ],
    ['an override of stream', { param_override: '{"stream":false}' }, 'channel_param_override_stream'],
    ['a setting of the wrong type', { setting: '{"force_format":1}' }, 'channel_setting_not_flag'],
    ['a priority below the least', { priority: -1000 }, 'channel_number_invalid'],
    ['a weight beyond reason', { weight: 1e12 }, 'channel_number_invalid'],
    ['a status of the gateway', { status: 3 }, 'channel_status_invalid'],
    ['a line break in a header', { openai_organization: 'org\r\nx: y' }, 'channel_text_invalid'],
  ]
  it.each(cases)('refuses %s', async (_, form, code) => {
    const { manage, channels } = channelWorld()
    expect(await codeOf(manage.create(channelForm(form), root))).toBe(code)
    expect(channels.rows.size).toBe(0)
  })

  it('takes a full address with a slot for custom channels', async () => {
    const { manage } = channelWorld()
    const base_url = 'https://up.example/deployments/{model}/chat?api-version=1'
    expect(await manage.create(channelForm({ type: 8, base_url }), root)).toMatchObject({ base_url })
  })
})

describe('addresses', () => {
  const closed = ['http://127.0.0.1:9', 'http://10.0.0.1', 'http://[::1]', 'http://169.254.169.254/latest']

  it.each(closed)('root may use %s', async (base_url) => {
    const { manage, directory } = channelWorld()
    await manage.create(channelForm({ base_url }), root)
    expect(directory.snapshot.channel(1)?.baseUrlTrusted).toBe(true)
  })

  it.each(closed)('an administrator may not use %s', async (base_url) => {
    const { manage } = channelWorld()
    expect(await codeOf(manage.create(channelForm({ base_url }), admin))).toBe('channel_address_forbidden')
  })

  it('an administrator may use a range that root allowed, and gains no lasting trust by it', async () => {
    const { manage, directory } = channelWorld({ OutboundAllowedRanges: ['10.0.0.0/8'] })
    await manage.create(channelForm({ base_url: 'http://10.0.0.1' }), admin)
    expect(directory.snapshot.channel(1)?.baseUrlTrusted).toBe(false)
  })

  it('an administrator may not use a host that does not resolve', async () => {
    const { manage } = channelWorld()
    const created = manage.create(channelForm({ base_url: 'https://gone.invalid' }), admin)
    expect(await codeOf(created)).toBe('channel_base_url_unresolved')
  })

  it("a vendor's default address needs no look-up, but only root may use one on this host", async () => {
    const { manage } = channelWorld()
    expect(await codeOf(manage.create(channelForm({ type: 1 }), admin))).toBe('accepted')
    expect(await codeOf(manage.create(channelForm({ type: 4, models: 'llama3' }), root))).toBe('accepted')
  })

  it('an administrator may not send calls through a closed proxy', async () => {
    const { manage } = channelWorld()
    const setting = '{"proxy":"http://192.168.0.1:3128"}'
    expect(await codeOf(manage.create(channelForm({ setting }), admin))).toBe('channel_proxy_forbidden')
    expect(await codeOf(manage.create(channelForm({ setting }), root))).toBe('accepted')
  })

  it("an administrator may edit other fields of root's channel, but not redirect its traffic", async () => {
    const { manage, directory } = channelWorld()
    await manage.create(channelForm({ base_url: 'http://10.0.0.1' }), root)
    await manage.update({ id: 1, name: 'renamed', base_url: 'http://10.0.0.1' }, admin)
    expect(directory.snapshot.channel(1)).toMatchObject({ name: 'renamed', baseUrlTrusted: true })
    const setting = '{"proxy":"http://proxy.example:3128"}'
    expect(await codeOf(manage.update({ id: 1, setting }, admin))).toBe('channel_address_forbidden')
    await manage.update({ id: 1, base_url: 'https://up.example', key: 'key-of-theirs' }, admin)
    expect(directory.snapshot.channel(1)?.baseUrlTrusted).toBe(false)
  })

  it.each([
    ['another address', { base_url: 'https://up.example' }],
    ['another vendor', { type: 20 }],
    ['a proxy', { setting: '{"proxy":"http://proxy.example:3128"}' }],
  ])("an administrator may not have root's keys sent to %s without knowing them", async (_, change) => {
    const { manage, directory } = channelWorld()
    await manage.create(channelForm({ key: 'key-of-root' }), root)
    expect(await codeOf(manage.update({ id: 1, ...change }, admin))).toBe('channel_keys_to_move')
    expect(directory.snapshot.channel(1)?.keys).toEqual(['key-of-root'])
    expect(await codeOf(manage.update({ id: 1, ...change }, root))).toBe('accepted')
  })
})

describe('updating a channel', () => {
  async function updated(
    change: Omit<ChannelUpdateBody, 'id'>,
    form: Form = {},
    actor: ProvableActor = root,
  ) {
    const world = channelWorld()
    const before = await world.manage.create(
      channelForm({ key: 'key-a\nkey-b', tag: 't', other: 'o', ...form }),
      root,
    )
    const after = await world.manage.update({ id: 1, ...change }, actor)
    return { ...world, before, after }
  }

  it('leaves absent and null fields as they are', async () => {
    const { before, after } = await updated({ priority: 7, tag: null, weight: null })
    expect(after).toEqual({ ...before, priority: 7 })
  })

  it('changes nothing for a body without fields', async () => {
    const { before, after } = await updated({})
    expect(after).toEqual(before)
  })

  it('empties optional fields', async () => {
    const { after } = await updated({ tag: '', other: '', model_mapping: '' }, { model_mapping: '{"a":"b"}' })
    expect(after).toMatchObject({ tag: '', other: '', model_mapping: '' })
  })

  it('does not change the keys when the key is empty', async () => {
    const { after, directory } = await updated({ key: '' })
    expect(after.key_count).toBe(2)
    expect(directory.snapshot.channel(1)?.keys).toEqual(['key-a', 'key-b'])
  })

  it('refuses to empty name and models', async () => {
    expect(await codeOf(updated({ name: ' ' }))).toBe('channel_name_and_key_required')
    expect(await codeOf(updated({ models: '' }))).toBe('channel_models_required')
  })

  it('disables and enables', async () => {
    const { manage, directory } = await updated({ status: 2 })
    expect(directory.snapshot.tiers('default', 'gpt-4o')).toBeUndefined()
    expect(await manage.update({ id: 1, status: 1 }, admin)).toMatchObject({ status: 1 })
    expect(directory.snapshot.tiers('default', 'gpt-4o')).toHaveLength(1)
  })

  it('accepts the unchanged status of an automatically disabled channel', async () => {
    const { manage, channels } = await updated({})
    await channels.update(1, { status: 'auto-disabled', statusReason: { reason: 'why', at: 5 } })
    const after = await manage.update({ id: 1, status: 3, name: 'renamed' }, admin)
    expect(after).toMatchObject({ status: 3, name: 'renamed' })
    expect(JSON.parse(after.other_info)).toEqual({ status_reason: 'why', status_time: 5 })
  })

  it.each<[string, Omit<ChannelUpdateBody, 'id'>]>([
    ['new keys', { key: 'key-c\nkey-d' }],
    ['a new address', { base_url: 'https://new.example' }],
    ['a new type', { type: 43 }],
    ['enabling it', { status: 1 }],
  ])('%s reset its health', async (_, change) => {
    const { manage, channels, health, directory } = await updated({})
    const state = { index: 0, status: 'auto-disabled', reason: 'why', at: 1 } as const
    await channels.update(1, { status: 'auto-disabled', keyStates: [state] })
    health.record({
      channelId: 1,
      keyIndex: 1,
      model: 'gpt-4o',
      ms: 0,
      error: { kind: 'unauthorized', status: 401, message: '', type: '', code: '', param: null },
    })
    const after = await manage.update({ id: 1, ...change }, root)
    expect(after.health.keys.map(({ status }) => status)).toEqual(['enabled', 'enabled'])
    expect(health.admits(1, 1, 'gpt-4o')).toBe(true)
    expect(directory.snapshot.channel(1)?.disabledKeys.size).toBe(0)
  })

  it('does not reset its health when the same keys are sent again', async () => {
    const { manage, channels } = await updated({})
    const state = { index: 0, status: 'auto-disabled', reason: 'why', at: 1 } as const
    await channels.update(1, { keyStates: [state] })
    const after = await manage.update({ id: 1, key: 'key-a\nkey-b' }, root)
    expect(after.health.keys[0]).toMatchObject({ status: 'auto-disabled', reason: 'why', disabled_at: 1 })
  })

  it('may rename a channel of a type without a provider', async () => {
    const { manage, channels } = await updated({})
    await channels.update(1, { type: 999 })
    expect(await manage.update({ id: 1, name: 'drawings' }, admin)).toMatchObject({
      name: 'drawings',
      type: 999,
    })
  })

  it('refuses a missing channel', async () => {
    expect(await codeOf(channelWorld().manage.update({ id: 9, name: 'x' }, root))).toBe('record_not_found')
    expect(await codeOf(channelWorld().manage.get(9))).toBe('record_not_found')
  })

  it('applies one change after the other', async () => {
    const { manage, channels } = await updated({})
    await Promise.all([
      manage.update({ id: 1, status: 2 }, root),
      manage.update({ id: 1, priority: 4 }, root),
      manage.update({ id: 1, weight: 9 }, root),
    ])
    expect(channels.rows.get(1)).toMatchObject({ status: 'disabled', priority: 4, weight: 9 })
  })
})

describe('deleting a channel', () => {
  it('takes it out of routing, and succeeds when it is already deleted', async () => {
    const { manage, directory } = channelWorld()
    await manage.create(channelForm(), root)
    await manage.delete(1, root)
    await manage.delete(1, root)
    expect(directory.snapshot.tiers('default', 'gpt-4o')).toBeUndefined()
  })
})

describe('lists', () => {
  async function setUp() {
    const world = channelWorld()
    const forms: Form[] = [
      { name: 'one', tag: 'b', priority: 1 },
      { name: 'two', tag: 'a', priority: 5 },
      { name: 'three', tag: '', priority: 9 },
      { name: 'four', tag: 'b', priority: 3, models: 'o3' },
    ]
    for (const form of forms) await world.manage.create(channelForm(form), root)
    const list = async (request: Partial<ChannelListRequest> = {}) => {
      const found = await world.manage.list({ page: 0, sort: 'priority', byTag: false, ...request })
      return [found.total, found.channels.map(({ name }) => name)]
    }
    return { ...world, list }
  }

  it('are ordered by priority or by id, the newest first, in pages that know their total', async () => {
    const { list } = await setUp()
    expect(await list({ size: 10 })).toEqual([4, ['three', 'two', 'four', 'one']])
    expect(await list({ sort: 'id' })).toEqual([4, ['four', 'three', 'two', 'one']])
    expect(await list({ sort: 'id', page: 1, size: 3 })).toEqual([4, ['one']])
    expect(await list({ page: Number.MAX_SAFE_INTEGER, size: 100 })).toEqual([4, []])
  })

  it('are ordered by the requested column, either way', async () => {
    const { list, channels, unflushed } = await setUp()
    await channels.update(1, { balance: 5, responseTimeMs: 10, weight: 2 })
    await channels.update(3, { balance: 9, responseTimeMs: 5, weight: 1, status: 'auto-disabled' })
    unflushed.set(2, 7)
    const first = async (sort: ChannelListRequest['sort'], order?: 'asc' | 'desc') =>
      (await list({ sort, order, size: 1 }))[1]
    expect(await list({ sort: 'name' })).toEqual([4, ['four', 'one', 'three', 'two']])
    expect(await first('balance')).toEqual(['three'])
    expect(await first('response_time')).toEqual(['one'])
    expect(await first('weight')).toEqual(['one'])
    expect(await first('status')).toEqual(['three'])
    expect(await first('used_quota')).toEqual(['two'])
    expect(await first('priority', 'asc')).toEqual(['one'])
  })

  it('show first what needs a person: disabled, failing, never used', async () => {
    const { list, channels, health, recentAttempts } = await setUp()
    const call = { keyIndex: 0, model: 'gpt-4o', ms: 0 }
    const error = {
      kind: 'not_found',
      status: 404,
      message: '',
      type: '',
      code: 'model',
      param: null,
    } as const
    health.record({ ...call, channelId: 1 })
    health.record({ ...call, channelId: 3 })
    health.noteFailure(3, { ...error, kind: 'timeout' })
    health.record({ ...call, channelId: 4, error })
    await channels.update(2, { status: 'auto-disabled' })
    expect(await list({ sort: 'problems' })).toEqual([4, ['two', 'four', 'three', 'one']])
    expect(await list({ sort: 'last_failure', size: 2 })).toEqual([4, ['four', 'three']])
    recentAttempts.set(4, { ok: 1, failed: 3, otherFailures: 0, latencyMs: 80 })
    recentAttempts.set(1, { ok: 9, failed: 1, otherFailures: 5, latencyMs: 20 })
    expect(await list({ sort: 'error_rate', size: 2 })).toEqual([4, ['four', 'one']])
    expect(await list({ sort: 'response_time', size: 1 })).toEqual([4, ['four']])
  })

  it('count tags in tag mode, with all channels of each, and then the channels without one', async () => {
    const { list } = await setUp()
    const page = (page: number) => list({ page, size: 1, byTag: true })
    expect(await page(0)).toEqual([3, ['two']])
    expect(await page(1)).toEqual([3, ['four', 'one']])
    expect(await page(2)).toEqual([3, ['three']])
    expect(await page(3)).toEqual([3, []])
  })

  it('find by name, id, model, group, tag, status and type, and in tag mode complete tags', async () => {
    const { list, channels } = await setUp()
    await channels.update(2, { status: 'disabled', type: 2 })
    expect(await list({ keyword: 'T', sort: 'id' })).toEqual([2, ['three', 'two']])
    expect(await list({ keyword: '4' })).toEqual([1, ['four']])
    expect(await list({ keyword: '%' })).toEqual([0, []])
    expect(await list({ model: 'O3' })).toEqual([1, ['four']])
    expect(await list({ group: 'vip' })).toEqual([0, []])
    expect(await list({ declared: { tag: 'b' } })).toEqual([2, ['four', 'one']])
    expect(await list({ declared: { status: 2 } })).toEqual([1, ['two']])
    expect(await list({ declared: { type: 2 } })).toEqual([1, ['two']])
    expect(await list({ model: 'o3', byTag: true })).toEqual([1, ['four', 'one']])
  })

  it('show the usage up to the latest settled call', async () => {
    const { manage, channels, unflushed } = await setUp()
    for (const channel of await channels.listAll())
      channels.rows.set(channel.id, { ...channel, usedQuota: 100 })
    unflushed.set(1, 23)
    expect((await manage.get(1)).used_quota).toBe(123)
  })
})
