import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

export const channelSwitchTable = defineTable('channel_switches', {
  channelId: integer(),
  /** 0 when it is past, or the channel is not to be switched off. */
  offAt: integer(),
  /** 0 when the channel stays off. */
  onAt: integer(),
  /** Id of the administrator who set the times. */
  setBy: integer(),
  setAt: integer(),
})
/** Times at which a channel is switched off, and on again. */
export type ChannelSwitch = EntityOf<typeof channelSwitchTable>

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

function isDue({ offAt, onAt }: ChannelSwitch, now: Seconds): boolean {
  return [offAt, onAt].some((at) => at > 0 && at <= now)
}

declare module '../schema/tables.ts' {
  interface Tables {
    channel_switches: RowOf<typeof channelSwitchTable>
  }
}
