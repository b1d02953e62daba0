import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../lib/refusal.ts'
import { admin, channelForm, channelWorld, root } from '../test-support/channel-world.ts'

type Form = Parameters<typeof channelForm>[0]

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => 'accepted',
    (reason: unknown) => reason,
  )
  return error instanceof Refusal ? error.code : String(error)
}

/** Three channels, two of them with the tag `t`; and every event from here on. */
async function setUp(...forms: Form[]) {
  const world = channelWorld()
  const all = forms.length > 0 ? forms : [{ tag: 't' }, { tag: 't', weight: 5, priority: 5 }, {}]
  for (const form of all) await world.manage.create(channelForm(form), root)
  world.auditEvents.length = 0
  const events: (readonly number[])[] = []
  world.bus.subscribe('channels-changed', ({ ids }) => events.push(ids))
  const stored = (id: number) => {
    const channel = world.channels.rows.get(id)
    if (channel === undefined) throw new Error(`there is no channel ${id}`)
    return channel
  }
  const routed = () =>
    world.directory.snapshot.tiers('default', 'gpt-4o')?.flatMap(({ channels }) => channels)
  const done = () =>
    world.auditEvents.map(({ action, targetName, targetId }) => [action, targetId || targetName])
  return { ...world, events, stored, routed, done }
}

describe('bulk changes', () => {
  it('set status, priority and weight of all at once, zeros too, in one event', async () => {
    const { manage, events, stored, routed, done } = await setUp()
    const outcomes = await manage.bulk.update({ ids: [3, 2, 9], priority: 0, weight: 0, status: 2 }, admin)
    expect(outcomes).toEqual([{ id: 3 }, { id: 2 }, { id: 9, refusal: new Refusal('record_not_found') }])
    expect(stored(2)).toMatchObject({ priority: 0, weight: 0, status: 'disabled' })
    expect(events).toEqual([[2, 3]])
    expect(routed()?.map(({ id }) => id)).toEqual([1])
    expect(done()).toEqual([
      ['channel.disable', 2],
      ['channel.disable', 3],
    ])
  })

  it('bring automatically disabled channels back with all their keys, and leave the keys of others alone', async () => {
    const { manage, channels, stored } = await setUp({ key: 'a\nb' }, { key: 'a\nb' })
    const keyStates = [{ index: 0, status: 'auto-disabled', reason: 'why', at: 1 }] as const
    await channels.update(1, { status: 'auto-disabled', keyStates })
    await channels.update(2, { keyStates })
    await manage.bulk.update({ ids: [1, 2], status: 1 }, admin)
    expect(stored(1)).toMatchObject({ status: 'enabled', keyStates: [] })
    expect(stored(2)).toMatchObject({ status: 'enabled', keyStates })
  })

  it('are refused when they name nothing, change nothing, or set what cannot be', async () => {
    const { manage, events } = await setUp()
    const { bulk } = manage
    expect(await codeOf(bulk.update({ ids: [], status: 1 }, admin))).toBe('channel_ids_required')
    expect(await codeOf(bulk.update({ ids: [1] }, admin))).toBe('channel_no_changes')
    expect(await codeOf(bulk.update({ ids: [1], weight: -1 }, admin))).toBe('channel_number_invalid')
    expect(await codeOf(bulk.update({ ids: [1], priority: -1000 }, admin))).toBe('channel_number_invalid')
    expect(await codeOf(bulk.update({ ids: [1], status: 3 }, admin))).toBe('channel_status_invalid')
    expect(await codeOf(bulk.delete([], admin))).toBe('channel_ids_required')
    expect(await codeOf(bulk.setTag([1], ' ', admin))).toBe('channel_tag_required')
    expect(events).toEqual([])
  })

  it('set and take off a tag', async () => {
    const { manage, stored } = await setUp()
    await manage.bulk.setTag([1, 3], 'new', admin)
    expect([1, 2, 3].map((id) => stored(id).tag)).toEqual(['new', 't', 'new'])
    await manage.bulk.setTag([1, 3], null, admin)
    expect([1, 2, 3].map((id) => stored(id).tag)).toEqual(['', 't', ''])
  })

  it('delete, with an outcome for each', async () => {
    const { manage, channels, events, routed, done } = await setUp()
    expect(await manage.bulk.delete([1, 9, 3, 1], admin)).toEqual([
      { id: 1 },
      { id: 9, refusal: new Refusal('record_not_found') },
      { id: 3 },
    ])
    expect([...channels.rows.keys()]).toEqual([2])
    expect(events).toEqual([[1, 3]])
    expect(routed()?.map(({ id }) => id)).toEqual([2])
    expect(done()).toEqual([
      ['channel.delete', 1],
      ['channel.delete', 3],
    ])
  })

  it('delete every disabled channel, by a person or the gateway, and nothing else', async () => {
    const { manage, channels } = await setUp()
    await channels.update(1, { status: 'disabled' })
    await channels.update(2, { status: 'auto-disabled' })
    expect(await manage.bulk.deleteDisabled(admin)).toBe(2)
    expect([...channels.rows.keys()]).toEqual([3])
    expect(await manage.bulk.deleteDisabled(admin)).toBe(0)
  })

  it('do not overwrite a decision made about one of them meanwhile', async () => {
    const { manage, stored } = await setUp()
    await Promise.all([
      manage.bulk.update({ ids: [1, 2, 3], status: 2 }, admin),
      manage.bulk.update({ ids: [3, 2, 1], priority: 4 }, admin),
      manage.update({ id: 2, weight: 7 }, admin),
    ])
    expect(stored(2)).toMatchObject({ status: 'disabled', priority: 4, weight: 7 })
  })
})

describe('a tag', () => {
  it('enables and disables all its channels', async () => {
    const { manage, stored, events, done, auditEvents } = await setUp()
    expect(await manage.bulk.switchTag('t', 'disabled', admin)).toBe(2)
    expect([1, 2, 3].map((id) => stored(id).status)).toEqual(['disabled', 'disabled', 'enabled'])
    expect(await manage.bulk.switchTag('t', 'enabled', admin)).toBe(2)
    expect(events).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(done().filter(([action]) => String(action).startsWith('tag'))).toEqual([
      ['tag.disable', 't'],
      ['tag.enable', 't'],
    ])
    expect(await codeOf(manage.bulk.switchTag('', 'enabled', admin))).toBe('channel_tag_required')
    const { length } = auditEvents
    expect(await codeOf(manage.bulk.switchTag('none', 'enabled', admin))).toBe('record_not_found')
    expect(auditEvents).toHaveLength(length)
  })

  it('overwrites what its edit gives, zeros too, and routing follows at once', async () => {
    const { manage, stored, events, directory } = await setUp()
    const edit = {
      tag: 't',
      priority: 0,
      weight: 0,
      models: 'o3,gpt-4o',
      groups: 'vip',
      model_mapping: '{"o3":"o3-real"}',
      param_override: '{"temperature":0}',
    }
    expect(await manage.editTag(edit, admin)).toBe(2)
    expect(stored(2)).toMatchObject({
      paramOverride: '{"temperature":0}',
      tag: 't',
      priority: 0,
      weight: 0,
      models: ['o3', 'gpt-4o'],
      groups: ['vip'],
    })
    expect(stored(3)).toMatchObject({ models: ['gpt-4o'], groups: ['default'] })
    expect(directory.snapshot.tiers('vip', 'o3')?.[0]?.channels).toHaveLength(2)
    expect(events).toEqual([[1, 2]])
  })

  it('does not change fields that its edit leaves out, gives as null or leaves empty', async () => {
    const { manage, stored, auditEvents } = await setUp()
    const before = stored(2)
    const edit = { tag: 't', new_tag: null, models: '', groups: '', model_mapping: '', weight: 9 }
    await manage.editTag(edit, admin)
    expect(stored(2)).toEqual({ ...before, weight: 9 })
    expect(auditEvents[0]).toMatchObject({ action: 'tag.update', targetName: 't', after: '{"weight":9}' })
    expect(auditEvents[1]).toMatchObject({ before: '{"weight":0}', after: '{"weight":9}' })
  })

  it('is renamed by a new name and dissolved by an empty one', async () => {
    const { manage, stored } = await setUp()
    await manage.editTag({ tag: 't', new_tag: 'u' }, admin)
    expect([1, 2, 3].map((id) => stored(id).tag)).toEqual(['u', 'u', ''])
    await manage.editTag({ tag: 'u', new_tag: '', models: 'o3' }, admin)
    expect([1, 2].map((id) => [stored(id).tag, stored(id).models])).toEqual([
      ['', ['o3']],
      ['', ['o3']],
    ])
  })

  it.each([
    ['no tag', { tag: ' ', weight: 1 }, 'channel_tag_required'],
    ['an unknown tag', { tag: 'none', weight: 1 }, 'record_not_found'],
    ['nothing to change', { tag: 't', models: '', new_tag: null }, 'channel_no_changes'],
    ['a negative weight', { tag: 't', weight: -1 }, 'channel_number_invalid'],
    ['a mapping that is no JSON', { tag: 't', model_mapping: '{' }, 'channel_json_invalid'],
    ['an override that is no JSON', { tag: 't', param_override: '{' }, 'channel_json_invalid'],
  ])('is not edited with %s', async (_, edit, code) => {
    const { manage, events, auditEvents } = await setUp()
    expect(await codeOf(manage.editTag(edit, admin))).toBe(code)
    expect([events, auditEvents]).toEqual([[], []])
  })
})

describe('copies, keys and repairs', () => {
  it('copy a channel with its keys, but without its health', async () => {
    const { manage, channels, directory, stored } = await setUp({
      key: 'key-a\nkey-b',
      name: 'x'.repeat(100),
      tag: 't',
    })
    await channels.update(1, { status: 'auto-disabled', balance: 5, testedAt: 9 })
    const copy = await manage.copy(1, admin)
    expect(copy).toMatchObject({
      id: 2,
      status: 2,
      key: '',
      key_count: 2,
      balance: 0,
      test_time: 0,
      tag: 't',
    })
    expect(copy.name).toBe(`${'x'.repeat(95)} copy`)
    expect(directory.snapshot.channel(2)?.keys).toEqual(['key-a', 'key-b'])
    expect(stored(2).keyStates).toEqual([])
    expect(await codeOf(manage.copy(9, admin))).toBe('record_not_found')
  })

  it('create a channel for each key on request, all in one event', async () => {
    const { manage, directory, events } = await setUp({})
    const made = await manage.createSeparately(channelForm({ name: 'many', key: 'key-a\n\nkey-b' }), root)
    expect(made.map(({ name, key_count }) => [name, key_count])).toEqual([
      ['many 1', 1],
      ['many 2', 1],
    ])
    expect([2, 3].map((id) => directory.snapshot.channel(id)?.keys)).toEqual([['key-a'], ['key-b']])
    expect(events).toEqual([[2, 3]])
    const [one] = await manage.createSeparately(channelForm({ name: 'one' }), root)
    expect(one.name).toBe('one')
  })

  it('show the keys to root, and audit that first', async () => {
    const { manage, done, channels } = await setUp({ key: 'key-a\nkey-b' })
    expect(await manage.revealKeys(1, root)).toEqual(['key-a', 'key-b'])
    expect(done()).toEqual([['channel.reveal-keys', 1]])
    await channels.update(1, { keysSealed: 'Another installation' })
    expect(await codeOf(manage.revealKeys(1, root))).toBe('channel_keys_unreadable')
  })

  it('repair wrong key counts and states of missing keys, and say how many they repaired', async () => {
    const { manage, channels, stored } = await setUp({ key: 'key-a\nkey-b' }, {})
    expect(await manage.fix(admin)).toBe(0)
    const beyond = { index: 7, status: 'auto-disabled', reason: 'why', at: 1 } as const
    await channels.update(1, { keyCount: 9, keyStates: [{ ...beyond, index: 1 }, beyond] })
    expect(await manage.fix(admin)).toBe(1)
    expect(stored(1)).toMatchObject({ keyCount: 2, keyStates: [{ index: 1 }] })
    expect(await manage.fix(admin)).toBe(0)
  })
})

describe('the audit log', () => {
  it('names the changed fields of a channel, and what its lists lost and gained, without keys and passwords', async () => {
    const proxy = 'http://ann:secret@proxy.example:3128'
    const { manage, auditEvents } = await setUp({ models: 'a,b', key: 'sk-secret-0123456789abcdef' })
    const change = { id: 1, models: 'b,c', key: 'sk-secret-other-0123456789' }
    await manage.update(
      { ...change, setting: JSON.stringify({ proxy }), param_override: `{"u":"${proxy}"}` },
      root,
    )
    await manage.update({ id: 1, status: 2 }, root)
    await manage.delete(1, root)
    expect(JSON.stringify(auditEvents)).not.toContain('secret')
    expect(auditEvents.map(({ action, actorName }) => [action, actorName])).toEqual([
      ['channel.update', 'root'],
      ['channel.disable', 'root'],
      ['channel.delete', 'root'],
    ])
    expect(JSON.parse(auditEvents[0]?.before ?? '')).toMatchObject({ models: ['a'] })
    expect(JSON.parse(auditEvents[0]?.after ?? '')).toMatchObject({ models: ['c'], keys: 'replaced' })
    expect(auditEvents[1]).toMatchObject({ before: '{"status":1}', after: '{"status":2}' })
  })

  it('never shows the password of a proxy, and reads the hidden one as the stored one', async () => {
    const proxy = 'http://ann:secret@proxy.example:3128'
    const { manage, directory } = await setUp({ setting: JSON.stringify({ proxy }) })
    const { setting } = await manage.get(1)
    expect(setting).toBe('{"proxy":"http://ann:***@proxy.example:3128"}')
    await manage.update({ id: 1, setting, name: 'renamed' }, admin)
    expect(directory.snapshot.channel(1)?.setting.proxy).toBe(proxy)
    const moved = setting.replace('proxy.example', 'other.example')
    expect(await codeOf(manage.update({ id: 1, setting: moved }, root))).toBe(
      'channel_proxy_password_required',
    )
  })
})
