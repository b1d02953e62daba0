/** Fate of rows that name a channel when it is deleted: they go with it, or say for ever what was. */
type Fate = 'goes' | 'stays'

interface Reference {
  readonly column: string
  readonly fate: Fate
}

const goes = { column: 'channel_id', fate: 'goes' } as const
const stays = { column: 'channel_id', fate: 'stays' } as const

/** Lists every table with rows that name a channel. A test holds it against the schema. */
export const channelReferences = {
  channel_accounts: { column: 'id', fate: 'goes' },
  channel_outcomes: goes,
  channel_switches: goes,
  channel_key_switches: goes,
  logs: stays,
  failures_by_channel: stays,
  correction_sums: stays,
  // A task ends by itself, and is charged or paid back then.
  tasks: stays,
} as const satisfies Readonly<Record<string, Reference>>

/** Lists the tables whose rows go with the channel that they name. */
export const rowsOfChannels = (Object.keys(channelReferences) as (keyof typeof channelReferences)[])
  .map((table) => ({ table, ...channelReferences[table] }))
  .filter(({ fate }) => fate === 'goes')
