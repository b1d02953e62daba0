import { type Program, query } from '../program.ts'
import { defineTable, textList } from '../schema/table.ts'

/** Numbers of a group's members. */
export interface GroupMembers {
  readonly users: number
  readonly tokens: number
  readonly channels: number
}

/** The groups of a channel's row, apart from the rest of it. */
const channelGroups = defineTable('channels', { groups: textList() })

/** Counts the members of every group that has any; deleted users and keys are in none. Keys without a group are in their owner's. */
export function* readGroupMembers(): Program<ReadonlyMap<string, GroupMembers>> {
  const members = new Map<string, { users: number; tokens: number; channels: number }>()
  const add = (group: string, kind: keyof GroupMembers, count: number) => {
    const known = members.get(group) ?? { users: 0, tokens: 0, channels: 0 }
    members.set(group, { ...known, [kind]: known[kind] + count })
  }
  for (const kind of ['users', 'tokens'] as const) {
    const counted = yield* query<{ name: string; count: number }>(
      `select "group" as name, cast(count(*) as bigint) as count from ${kind}
        where deleted_at is null and "group" <> '' group by "group"`,
    )
    for (const { name, count } of counted) add(name, kind, count)
  }
  const channels = yield* query<{ groups: string }>('select groups from channels')
  for (const { groups } of channels)
    for (const group of channelGroups.read({ groups }).groups) add(group, 'channels', 1)
  return members
}
