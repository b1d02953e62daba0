import type { ChannelSwitch, ChannelSwitchRepository } from '../../store/channels/channel-switches.ts'

/** Planned switches over a map. */
export function switchesInMemory(): ChannelSwitchRepository {
  const rows = new Map<number, ChannelSwitch>()
  const listAll = async () => [...rows.values()]
  return {
    listAll,
    find: async (id) => rows.get(id),
    listDue: async (now) =>
      (await listAll())
        .filter(({ offAt, onAt }) => [offAt, onAt].some((at) => at > 0 && at <= now))
        .map(({ channelId }) => channelId),
    async put(planned) {
      rows.set(planned.channelId, planned)
    },
    async delete(id) {
      rows.delete(id)
    },
  }
}
