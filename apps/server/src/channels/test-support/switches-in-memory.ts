import {
  type ChannelKeySwitch,
  type ChannelKeySwitchRepository,
  type ChannelSwitch,
  type ChannelSwitchRepository,
  isDue,
} from '../../store/channels/channel-switches.ts'

/** Planned switches over a map. */
export function switchesInMemory(): ChannelSwitchRepository {
  const rows = new Map<number, ChannelSwitch>()
  const listAll = async () => [...rows.values()]
  return {
    listAll,
    find: async (id) => rows.get(id),
    listDue: async (now) =>
      (await listAll()).filter((each) => isDue(each, now)).map(({ channelId }) => channelId),
    async put(planned) {
      rows.set(planned.channelId, planned)
    },
    async delete(id) {
      rows.delete(id)
    },
  }
}

/** Planned switches of keys over a map. */
export function keySwitchesInMemory(): ChannelKeySwitchRepository {
  const rows = new Map<string, ChannelKeySwitch>()
  const nameOf = ({ channelId, keyId }: Pick<ChannelKeySwitch, 'channelId' | 'keyId'>) =>
    `${channelId}/${keyId}`
  const listAll = async () => [...rows.values()]
  return {
    listAll,
    listByChannel: async (id) => (await listAll()).filter(({ channelId }) => channelId === id),
    listDue: async (now) => [
      ...new Set((await listAll()).filter((each) => isDue(each, now)).map(({ channelId }) => channelId)),
    ],
    async put(planned) {
      rows.set(nameOf(planned), planned)
    },
    async delete(planned) {
      rows.delete(nameOf(planned))
    },
  }
}
