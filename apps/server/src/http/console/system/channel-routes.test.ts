import { afterAll, beforeEach, describe, expect, it } from 'bun:test'
import { calls } from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { channelForm, channelWorld } from '../../../channels/test-support/channel-world.ts'
import { adminCaller, callRoute, rootCaller } from '../test-support/call-route.ts'
import { channelRoutes } from './channel-routes.ts'

const { channels, models } = calls

const key = 'sk-provider-secret-0123456789'
const requestedPaths: string[] = []
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url)
    requestedPaths.push(pathname)
    if (pathname === '/v1/models') return Response.json({ data: [{ id: 'm-1' }] })
    return Response.json({ choices: [{ index: 0, message: { role: 'assistant', content: 'hi' } }] })
  },
})
const base_url = `http://127.0.0.1:${upstream.port}`

beforeEach(() => {
  requestedPaths.length = 0
})
afterAll(() => upstream.stop(true))

function setUp() {
  const world = channelWorld()
  return {
    ...world,
    routes: channelRoutes({
      ...world,
      settings: { current: defaults },
      recentAttempts: async () => world.recentAttempts,
      callers: async () => ({ users: 0, calls: 0 }),
      groupUsage: async () => [],
      intendedRevert: async () => ({ ids: [] }),
      summaries: world.channels.listSummaries,
    }),
  }
}

const listQuery = (query: Record<string, string> = {}) => channels.list.query.parse(query)

describe('channel calls', () => {
  it('are all served', () => {
    const served = setUp().routes.map(({ call }) => call.path)
    const wanted = [...Object.values(channels), models.byChannelType].map(({ path }) => path)
    expect(served.toSorted()).toEqual(wanted.toSorted())
  })

  it('create, list, search, read, change and delete in the shape of the contract', async () => {
    const { routes } = setUp()
    const body = channelForm({ key, base_url })
    const created = await callRoute(routes, channels.create, { body }, rootCaller)
    expect(channels.create.data.parse(created)).toEqual(created)
    expect(await callRoute(routes, channels.list, { query: listQuery() }, adminCaller)).toEqual([created])
    const query = channels.search.query.parse({ keyword: 'main', group: 'null', model: '' })
    expect(await callRoute(routes, channels.search, { query }, adminCaller)).toEqual([created])
    const params = { id: created.id }
    expect(await callRoute(routes, channels.get, { params }, adminCaller)).toEqual(created)
    const change = channels.update.body.parse({ id: created.id, status: 2, unknown: 'ignored' })
    expect(await callRoute(routes, channels.update, { body: change }, adminCaller)).toMatchObject({
      status: 2,
    })
    await callRoute(routes, channels.delete, { params }, adminCaller)
    expect(await callRoute(routes, channels.list, { query: listQuery() }, adminCaller)).toEqual([])
  })

  it('change many at once, by ids and by tag', async () => {
    const { routes } = setUp()
    for (const name of ['one', 'two', 'three'])
      await callRoute(routes, channels.create, { body: channelForm({ key, base_url, name }) }, rootCaller)
    const run = <C extends Parameters<typeof callRoute>[1]>(call: C, body: unknown) =>
      callRoute(routes, call, { body } as never, adminCaller)
    expect(await run(channels.tagMany, { ids: [1, 2, 99], tag: 't' })).toBe(2)
    expect(await callRoute(routes, channels.tags, {}, adminCaller)).toEqual([{ tag: 't', count: 2 }])
    expect(await run(channels.updateTag, { tag: 't', weight: 0 })).toBe(2)
    expect(await run(channels.disableTag, { tag: 't' })).toBe(2)
    expect(await run(channels.enableTag, { tag: 't' })).toBe(2)
    expect(await run(channels.updateMany, { ids: [3], status: 2 })).toBe(1)
    expect(await run(channels.deleteDisabled, {})).toBe(1)
    expect(await run(channels.deleteMany, { ids: [1, 7] })).toBe(1)
    expect(await run(channels.fix, {})).toBe(0)
  })

  it('copy channels, and make one of each key', async () => {
    const { routes } = setUp()
    const body = channelForm({ key: 'key-a\nkey-b', base_url, mode: 'separate' })
    const created = await callRoute(routes, channels.create, { body }, rootCaller)
    expect(created.name).toBe('main 1')
    const copied = await callRoute(routes, channels.copy, { params: { id: 2 } }, adminCaller)
    expect([copied.id, copied.name]).toEqual([3, 'main 2 copy'])
    expect(await callRoute(routes, channels.revealKeys, { params: { id: 3 } }, rootCaller)).toEqual({
      keys: ['key-b'],
    })
  })

  it('let root alone choose a private address', async () => {
    const { routes } = setUp()
    const create = callRoute(routes, channels.create, { body: channelForm({ base_url }) }, adminCaller)
    await expect(create).rejects.toMatchObject({ code: 'channel_address_forbidden' })
    const body = { base_url, type: 1, key }
    const fetched = callRoute(routes, channels.fetchModelsForNew, { body }, adminCaller)
    await expect(fetched).rejects.toMatchObject({ code: 'channel_address_forbidden' })
    expect(requestedPaths).toEqual([])
    expect(await callRoute(routes, channels.fetchModelsForNew, { body }, rootCaller)).toEqual(['m-1'])
  })

  it('test one channel, and all of them in the background', async () => {
    const { routes, usage } = setUp()
    await callRoute(routes, channels.create, { body: channelForm({ key, base_url }) }, rootCaller)
    const query = channels.test.query.parse({ model: '' })
    await callRoute(routes, channels.test, { params: { id: 1 }, query }, adminCaller)
    await callRoute(routes, channels.testAll, {}, adminCaller)
    while (usage.rows.length < 2) await Bun.sleep(1)
    const progress = await callRoute(routes, channels.testProgress, {}, adminCaller)
    expect(channels.testProgress.data.parse(progress)).toMatchObject({ running: false, total: 1, done: 1 })
    expect(await callRoute(routes, channels.cancelTest, {}, adminCaller)).toEqual(progress)
    expect(usage.rows.map(({ username }) => username)).toEqual(['admin', 'admin'])
    expect(requestedPaths).toEqual(['/v1/chat/completions', '/v1/chat/completions'])
  })

  it('name models: all that are known, those in service, those of a type, those of an upstream', async () => {
    const { routes } = setUp()
    await callRoute(
      routes,
      channels.create,
      { body: channelForm({ key, base_url, models: 'b,a' }) },
      rootCaller,
    )
    const known = await callRoute(routes, channels.models, {}, adminCaller)
    expect(known.map(({ id }) => id)).toContain('gpt-4o')
    expect(new Set(known.map(({ id }) => id)).size).toBe(known.length)
    expect(await callRoute(routes, channels.enabledModels, {}, adminCaller)).toEqual(['a', 'b'])
    const byType = await callRoute(routes, models.byChannelType, {}, adminCaller)
    expect(byType['1']).toContain('gpt-4o')
    expect(await callRoute(routes, channels.fetchModels, { params: { id: 1 } }, adminCaller)).toEqual(['m-1'])
  })
})
