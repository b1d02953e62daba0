import {
  type Channel,
  type ChannelRepository,
  type NewChannel,
  unknownYet,
} from '../../store/channels/channels.ts'

/**
 * A channel repository over a map, with the store's promises. `failing` makes every call reject, as a lost database
 * does.
 */
export function channelsInMemory(): ChannelRepository & {
  readonly rows: Map<number, Channel>
  failing: boolean
} {
  const rows = new Map<number, Channel>()
  const all = () => [...rows.values()].sort((a, b) => a.id - b.id)
  const refuseWhenGone = () => {
    if (repository.failing) throw new Error('the database is gone')
  }
  const repository = {
    rows,
    failing: false,
    create: async (channel: NewChannel) => {
      const created: Channel = {
        ...channel,
        id: Math.max(0, ...rows.keys()) + 1,
        ...unknownYet,
        usedQuota: 0,
      }
      rows.set(created.id, created)
      return created
    },
    createMany: async (channels) => {
      const created: Channel[] = []
      for (const channel of channels) created.push(await repository.create(channel))
      return created
    },
    find: async (id) => {
      refuseWhenGone()
      return rows.get(id)
    },
    listAll: async () => {
      refuseWhenGone()
      return all()
    },
    listByIds: async (ids) => {
      refuseWhenGone()
      return all().filter(({ id }) => ids.includes(id))
    },
    listByTag: async (tag) => all().filter((channel) => channel.tag === tag),
    listSummaries: async ({ ids, tag } = {}) =>
      all().filter(
        (channel) =>
          (ids === undefined || ids.includes(channel.id)) && (tag === undefined || channel.tag === tag),
      ),
    lock: async ({ ids, tag }) =>
      all()
        .filter(
          (channel) => (ids?.includes(channel.id) ?? true) && (tag === undefined || channel.tag === tag),
        )
        .map(({ id }) => id),
    update: async (id, change) => {
      refuseWhenGone()
      const channel = rows.get(id)
      if (channel === undefined) return undefined
      const updated = { ...channel, ...change }
      rows.set(id, updated)
      return updated
    },
    async decide(id, decide) {
      refuseWhenGone()
      const channel = rows.get(id)
      const decision = channel && decide(channel)
      if (channel === undefined || decision === undefined) return undefined
      const changed = { ...channel, ...decision.change }
      rows.set(id, changed)
      return { decision, changed }
    },
    updateMany: async (ids, change) => {
      for (const id of ids) await repository.update(id, change)
    },
    delete: async (id) => rows.delete(id),
    deleteMany: async (ids) => ids.filter((id) => rows.delete(id)),
    repair: async () => 0,
  } satisfies ChannelRepository & { rows: Map<number, Channel>; failing: boolean }
  return repository
}
