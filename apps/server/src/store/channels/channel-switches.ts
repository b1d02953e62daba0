import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

const times = {
  /** 0 when it is past, or nothing is to be switched off. */
  offAt: integer(),
  /** 0 when it stays off. */
  onAt: integer(),
  /** Id of the administrator who set the times. */
  setBy: integer(),
  setAt: integer(),
}
export const channelSwitchTable = defineTable('channel_switches', { channelId: integer(), ...times })
/** Times at which a channel is switched off, and on again. */
export type ChannelSwitch = EntityOf<typeof channelSwitchTable>

export const channelKeySwitchTable = defineTable('channel_key_switches', {
  channelId: integer(),
  /** Keyed hash of the key: it names the key whatever its index is by then. */
  keyId: text(),
  ...times,
})
/** Times at which one key of a channel is switched off, and on again. */
export type ChannelKeySwitch = EntityOf<typeof channelKeySwitchTable>

/** Creates the repository of planned switches of keys. Lock the channel before a row of its keys is changed. */
export function createChannelKeySwitchRepository({ db }: Connection) {
  const all = () => db.selectFrom('channel_key_switches').selectAll().orderBy('channel_id').orderBy('key_id')
  async function remove({ channelId, keyId }: Pick<ChannelKeySwitch, 'channelId' | 'keyId'>): Promise<void> {
    const of = db.deleteFrom('channel_key_switches').where('channel_id', '=', channelId)
    await of.where('key_id', '=', keyId).execute()
  }
  return {
    /** Lists all of them: few keys have one. */
    listAll: (): Promise<ChannelKeySwitch[]> => channelKeySwitchTable.all(all()),
    listByChannel: (channelId: number): Promise<ChannelKeySwitch[]> =>
      channelKeySwitchTable.all(all().where('channel_id', '=', channelId)),
    /** Ids of channels with a key whose time has come. */
    async listDue(now: Seconds): Promise<number[]> {
      const rows = await channelKeySwitchTable.all(all())
      return [...new Set(rows.filter((each) => isDue(each, now)).map(({ channelId }) => channelId))]
    },
    async put(planned: ChannelKeySwitch): Promise<void> {
      await remove(planned)
      await db.insertInto('channel_key_switches').values(channelKeySwitchTable.insertion(planned)).execute()
    },
    delete: remove,
  }
}
export type ChannelKeySwitchRepository = ReturnType<typeof createChannelKeySwitchRepository>

/** Creates the repository of planned switches, one row for each channel that has any. Lock the channel before its row is changed. */
export function createChannelSwitchRepository({ db }: Connection) {
  const all = () => db.selectFrom('channel_switches').selectAll().orderBy('channel_id')
  return {
    /** Lists all of them: few channels have one. */
    listAll: (): Promise<ChannelSwitch[]> => channelSwitchTable.all(all()),
    find: (channelId: number): Promise<ChannelSwitch | undefined> =>
      channelSwitchTable.first(all().where('channel_id', '=', channelId)),
    /** Ids of channels with a time that has come. */
    async listDue(now: Seconds): Promise<number[]> {
      const rows = await channelSwitchTable.all(all())
      return rows.filter((each) => isDue(each, now)).map(({ channelId }) => channelId)
    },
    async put(planned: ChannelSwitch): Promise<void> {
      await db.deleteFrom('channel_switches').where('channel_id', '=', planned.channelId).execute()
      await db.insertInto('channel_switches').values(channelSwitchTable.insertion(planned)).execute()
    },
    async delete(channelId: number): Promise<void> {
      await db.deleteFrom('channel_switches').where('channel_id', '=', channelId).execute()
    },
  }
}
export type ChannelSwitchRepository = ReturnType<typeof createChannelSwitchRepository>

/** Decides whether one of the times has come. */
export function isDue({ offAt, onAt }: Pick<ChannelSwitch, 'offAt' | 'onAt'>, now: Seconds): boolean {
  return [offAt, onAt].some((at) => at > 0 && at <= now)
}

declare module '../schema/tables.ts' {
  interface Tables {
    channel_switches: RowOf<typeof channelSwitchTable>
    channel_key_switches: RowOf<typeof channelKeySwitchTable>
  }
}
