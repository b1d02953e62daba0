import { recordMembers } from '../../../packages/api/src/index.ts'
import type { NamedCall } from '../../../packages/api/src/test-support/call-of.ts'
import { type Door, isUnder, type Key, type Resource, type Values } from './resource.ts'

/** A call that returns a record. */
export interface Reader {
  /** `GET /api/channel/{id}`. */
  readonly name: string
  read(id: Key): Promise<Values | undefined>
}

/** A record as each reader returns it. */
export type Records = ReadonlyMap<string, Values | undefined>

/** The calls that return a resource: those with more than half of its members, so that one which lost a member is still among them. */
export function readersOf(resource: Resource): readonly Reader[] {
  const members = new Set(recordMembers(resource.record))
  return resource.calls.flatMap(({ call }) => {
    if (call.method !== 'GET' || call.data === undefined || !isUnder(resource, call.path)) return []
    const shared = recordMembers(call.data).filter((name) => members.has(name))
    return shared.length * 2 > members.size ? readersBy(resource, call) : []
  })
}

export async function readAll(readers: readonly Reader[], id: Key): Promise<Records> {
  return new Map(await Promise.all(readers.map(async (each) => [each.name, await each.read(id)] as const)))
}

function readersBy(resource: Resource, { path, query }: NamedCall['call']): readonly Reader[] {
  const { door, owner, key = 'id' } = resource
  const name = `GET ${path.replace(/:(\w+)/g, '{$1}')}`
  const isOwn = path.endsWith('/self')
  if (isOwn && owner === undefined) return []
  const by = (isOwn && owner) || (() => door)
  // A view without a page is the record itself.
  if (isOwn && query === undefined) return [{ name, read: async () => (await dataOf(by(), path)) as Values }]
  const page = query === undefined ? '' : '?page_size=100&size=100'
  const read = async (id: Key) =>
    recordIn(await dataOf(by(), path.replace(':id', String(id)) + page), key, id)
  return [{ name, read }]
}

async function dataOf(door: Door, path: string): Promise<unknown> {
  return (await door.call('GET', path)).data
}

/** The record itself, or of a list or page the one that is meant. */
function recordIn(data: unknown, key: string, id: Key): Values | undefined {
  const items = (data as { items?: unknown } | undefined)?.items ?? data
  const rows = (Array.isArray(items) ? items : [items]) as readonly (Values | undefined)[]
  return rows.find((row) => row?.[key] === id)
}
