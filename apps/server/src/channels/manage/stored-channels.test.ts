import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejection } from '../../store/contract/rejection.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { channelForm, channelWorldOver, root } from '../test-support/channel-world.ts'

let directory: string
let store: Store

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tollgate-channels-'))
  store = await openStore({ dataDir: directory, logger: { warn: () => undefined } })
})
afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

describe('channels in a real database', () => {
  it('have every field of the form in routing, with their keys sealed', async () => {
    const { manage, directory: routing } = channelWorldOver(store.channels, {}, { store })
    const created = await manage.create(
      channelForm({
        key: 'key-a\nkey-b',
        base_url: 'https://up.example',
        models: 'gpt-4o,o3',
        group: 'default,vip',
        model_mapping: '{"o3":"o3-real"}',
        setting: '{"force_format":true}',
        priority: -5,
        weight: 3,
        tag: 'mine',
        auto_ban: 0,
      }),
      root,
    )
    expect(await manage.get(created.id)).toEqual(created)
    expect((await store.channels.find(created.id))?.keysSealed).not.toContain('key-a')
    expect(routing.snapshot.channel(created.id)).toMatchObject({
      keys: ['key-a', 'key-b'],
      groups: ['default', 'vip'],
      modelMapping: new Map([['o3', 'o3-real']]),
      setting: { forceFormat: true },
      priority: -5,
      autoBan: false,
    })
    await manage.delete(created.id, root)
    expect(routing.snapshot.channel(created.id)).toBeUndefined()
  })

  it("store the gateway's own decisions", async () => {
    const world = channelWorldOver(store.channels, { AutomaticDisableChannelEnabled: true }, { store })
    const { id } = await world.manage.create(channelForm({ key: 'key-a\nkey-b' }), root)
    const error = {
      kind: 'unauthorized',
      status: 401,
      message: 'no\u0000',
      type: '',
      code: '',
      param: null,
    } as const
    for (const keyIndex of [0, 1]) {
      world.control.considerDisabling({ channelId: id, keyIndex, model: 'gpt-4o', ms: 0, error })
    }
    await world.control.settled()
    expect(await world.manage.get(id)).toMatchObject({ status: 3 })
    await world.control.enable(id, 1, { code: 'probe_passed', params: { model: 'm' } })
    const back = await world.manage.get(id)
    expect(back.status).toBe(1)
    expect(back.health.keys.map(({ status }) => status)).toEqual(['auto-disabled', 'enabled'])
    expect(JSON.parse(back.other_info)).toEqual({
      status_reason: 'a probe passed (model m)',
      status_time: world.time.now / 1000,
      reason_code: 'probe_passed',
      reason_params: { model: 'm' },
    })
  })

  it('change together with the audit log, or not at all', async () => {
    const { manage } = channelWorldOver(store.channels, {}, { store })
    const ids: number[] = []
    for (const name of ['first', 'second']) ids.push((await manage.create(channelForm({ name }), root)).id)
    await manage.bulk.update({ ids, priority: 7 }, root)
    const auditEvents = await store.auditLog.page({ action: 'channel.update' }, { offset: 0, limit: 10 })
    expect(auditEvents.rows.map(({ targetId, after }) => [targetId, after])).toEqual(
      ids.toReversed().map((id) => [id, '{"priority":7}']),
    )
    const full = new Error('the disk is full')
    const auditLog: Store['auditLog'] = {
      ...store.auditLog,
      append: async () => {
        throw full
      },
    }
    const fullStore: Store = {
      ...store,
      transaction: (work) => store.transaction((tx) => work({ ...tx, auditLog })),
    }
    const { manage: failing } = channelWorldOver(store.channels, {}, { store: fullStore })
    expect(await rejection(failing.bulk.update({ ids, priority: 1, status: 2 }, root))).toEqual(full)
    expect(await rejection(failing.bulk.delete(ids, root))).toEqual(full)
    expect(await rejection(failing.createSeparately(channelForm({ key: 'a\nb' }), root))).toEqual(full)
    const retained = await store.channels.listByIds(ids)
    expect(retained.map(({ priority, status }) => [priority, status])).toEqual([
      [7, 'enabled'],
      [7, 'enabled'],
    ])
    expect((await store.channels.listSummaries()).at(-1)?.id).toBe(ids.at(-1) ?? 0)
  })

  it('are found by group, model and name, and by complete tags', async () => {
    const { manage } = channelWorldOver(store.channels, {}, { store })
    const ids: number[] = []
    for (const form of [
      { name: 'tag-one', tag: 'tagged', group: 'search-group' },
      { name: 'tag-two', tag: 'tagged', models: 'search-model' },
    ]) {
      ids.push((await manage.create(channelForm(form), root)).id)
    }
    const [one = 0, two = 0] = ids
    const found = async (filter: { keyword?: string; group?: string; model?: string }, byTag = false) =>
      (await manage.list({ page: 0, sort: 'id', ...filter, byTag })).channels.map(({ id }) => id)
    expect(await found({ keyword: 'tag-one' })).toEqual([one])
    expect(await found({ keyword: String(two) })).toContain(two)
    expect(await found({ group: 'search-group' })).toEqual([one])
    expect(await found({ model: 'search-model' })).toEqual([two])
    expect(await found({ model: 'search-model' }, true)).toEqual([two, one])
  })
})
