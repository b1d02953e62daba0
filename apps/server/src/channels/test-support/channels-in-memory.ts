import type { Channel } from '../../store/entities.ts'
import type { ChannelRepository, NewChannel } from '../../store/store.ts'

/** Channels kept in a map, answering as the store promises. `failing` makes every call reject, as a lost database does. */
export function channelsInMemory(): ChannelRepository & {
  readonly rows: Map<number, Channel>
  failing: boolean
} {
  const rows = new Map<number, Channel>()
  const all = () => [...rows.values()]
  const repository = {
    rows,
    failing: false,
    create: async (channel: NewChannel) => {
      const created: Channel = {
        ...channel,
        id: Math.max(0, ...rows.keys()) + 1,
        usedQuota: 0,
        balance: 0,
        balanceUpdatedAt: 0,
        responseTimeMs: 0,
        testedAt: 0,
        statusReason: null,
        keyStates: [],
      }
      rows.set(created.id, created)
      return created
    },
    find: async (id) => {
      if (repository.failing) throw new Error('the database is gone')
      return rows.get(id)
    },
    listAll: async () => {
      if (repository.failing) throw new Error('the database is gone')
      return all()
    },
    list: async ({ offset, limit, byId }) =>
      all()
        .sort(order(byId))
        .slice(offset, offset + limit),
    search: async ({ keyword, group, model, byId }) =>
      all()
        .filter(
          (channel) =>
            (keyword === undefined || String(channel.id) === keyword || channel.name.includes(keyword)) &&
            (group === undefined || channel.groups.includes(group)) &&
            (model === undefined || channel.models.some((name) => name.includes(model))),
        )
        .sort(order(byId)),
    update: async (id, change) => {
      if (repository.failing) throw new Error('the database is gone')
      const channel = rows.get(id)
      if (channel === undefined) return undefined
      const updated = { ...channel, ...change }
      rows.set(id, updated)
      return updated
    },
    delete: async (id) => rows.delete(id),
  } satisfies ChannelRepository & { rows: Map<number, Channel>; failing: boolean }
  return repository
}

function order(byId: boolean): (a: Channel, b: Channel) => number {
  return (a, b) => (byId ? 0 : b.priority - a.priority) || b.id - a.id
}
