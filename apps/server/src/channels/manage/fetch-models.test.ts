import { afterAll, beforeEach, describe, expect, it } from 'bun:test'
import { admin, channelForm, channelWorld, root } from '../test-support/channel-world.ts'
import { LocalUpstream } from '../test-support/local-upstream.ts'
import { fetchModels, fetchModelsForNew } from './fetch-models.ts'

const key = 'sk-provider-secret-0123456789'
const upstream = new LocalUpstream()

beforeEach(() => upstream.reset())
afterAll(() => upstream.stop())

async function setUp() {
  const world = channelWorld()
  await world.manage.create(channelForm({ key, base_url: upstream.baseUrl }), root)
  return world
}

describe('fetching models', () => {
  const listing = () =>
    Response.json({ object: 'list', data: [{ id: 'm-1' }, { id: 'm-2' }, { id: 'm-1' }, {}] })

  it('asks the upstream of a channel', async () => {
    const world = await setUp()
    upstream.response = listing
    expect(await fetchModels(1, world)).toEqual(['m-1', 'm-2'])
    expect(upstream.seen[0]).toMatchObject({ path: '/v1/models' })
    expect(upstream.seen[0]?.headers.get('authorization')).toBe(`Bearer ${key}`)
  })

  it('asks for a channel that is not created yet, with the first key', async () => {
    const world = await setUp()
    upstream.response = listing
    const form = { type: 1, base_url: `${upstream.baseUrl}/`, key: `\n${key}\nkey-b` }
    expect(await fetchModelsForNew(form, root, world)).toEqual(['m-1', 'm-2'])
    expect(upstream.seen[0]?.headers.get('authorization')).toBe(`Bearer ${key}`)
  })

  it.each<[string, { type: number; base_url?: string; key: string }, 'root' | 'admin', string]>([
    ['no key', { type: 1, key: ' ' }, 'root', 'channel_key_required'],
    ['an unknown type', { type: 999, key }, 'root', 'channel_type_unknown'],
    ['no address', { type: 8, key }, 'root', 'channel_base_url_required'],
    ['a closed address', { type: 1, base_url: upstream.baseUrl, key }, 'admin', 'channel_address_forbidden'],
  ])('refuses %s', async (_, form, role, code) => {
    const world = await setUp()
    expect(
      await fetchModelsForNew(form, role === 'root' ? root : admin, world).catch((error) => error.code),
    ).toBe(code)
    expect(upstream.seen).toHaveLength(0)
  })

  it.each<[string, () => Response, string]>([
    [
      'a refusal',
      () => Response.json({ error: { message: `bad ${key}` } }, { status: 403 }),
      'status code 403: bad [key]',
    ],
    ['a page', () => new Response('<html>'), 'expected format'],
  ])('fails with a readable reason on %s', async (_, respond, text) => {
    const world = await setUp()
    upstream.response = respond
    await expect(fetchModels(1, world)).rejects.toThrow(text)
  })
})
