import { sql } from 'kysely'
import { channelTable } from '../channels/channels.ts'
import type { Connection } from '../database.ts'
import { countRows } from '../queries.ts'
import { storableText } from '../schema/text.ts'
import { invitationPurpose } from './one-time-secrets.ts'
import type { GroupMembers } from './read-group-members.ts'

/** Users, keys and channels by the group that they are in. */
export function createGroupMemberRepository({ db, dialect, read }: Connection) {
  async function channelsIn(group: string) {
    const listed = db.selectFrom('channels').select(['id', 'groups']).orderBy('id')
    const rows = await listed.execute()
    return rows
      .map((row) => ({ id: row.id, groups: channelTable.pick(['groups']).read(row).groups }))
      .filter(({ groups }) => groups.includes(group))
  }

  /** Moves the groups of accounts that open invitations will open. */
  async function moveInvitations(from: string, to: string): Promise<void> {
    const invitations = db.selectFrom('one_time_secrets').where('purpose', '=', invitationPurpose)
    for (const { subject, data } of await invitations.select(['subject', 'data']).execute()) {
      const offer = JSON.parse(data) as { readonly group?: unknown }
      if (offer.group !== from) continue
      await db
        .updateTable('one_time_secrets')
        .set({ data: JSON.stringify({ ...offer, group: to }) })
        .where('purpose', '=', invitationPurpose)
        .where('subject', '=', subject)
        .execute()
    }
  }

  return {
    /** Counts the members of every group that has any. */
    countAll: (): Promise<ReadonlyMap<string, GroupMembers>> => read('readGroupMembers'),
    /** Deleted users and keys are in no group. */
    async count(group: string): Promise<GroupMembers> {
      const name = storableText(group)
      const users = db.selectFrom('users').where('group', '=', name).where('deleted_at', 'is', null)
      const tokens = db.selectFrom('tokens').where('group', '=', name).where('deleted_at', 'is', null)
      return {
        users: await countRows(users),
        tokens: await countRows(tokens),
        channels: (await channelsIn(group)).length,
      }
    },
    /** Locks the members against other changes until the transaction ends. Take it before the options' lock. */
    async lock(group: string): Promise<void> {
      for (const table of ['users', 'tokens'] as const)
        await sql`select id from ${sql.table(table)} where "group" = ${storableText(group)}
          order by id ${sql.raw(dialect.lockRow)}`.execute(db)
      for (const { id } of await channelsIn(group))
        await sql`select id from channels where id = ${id} ${sql.raw(dialect.lockRow)}`.execute(db)
    },
    /** Moves every member, deleted and invited ones too: nothing is left in the group. */
    async move(from: string, to: string): Promise<GroupMembers> {
      const [old, next] = [storableText(from), storableText(to)]
      const users = await db
        .updateTable('users')
        .set({ group: next })
        .where('group', '=', old)
        .executeTakeFirst()
      const tokens = await db
        .updateTable('tokens')
        .set({ group: next })
        .where('group', '=', old)
        .executeTakeFirst()
      const channels = await channelsIn(from)
      for (const { id, groups } of channels) {
        const moved = [...new Set(groups.map((group) => (group === from ? to : group)))]
        await db
          .updateTable('channels')
          .set(channelTable.change({ groups: moved }))
          .where('id', '=', id)
          .execute()
      }
      await moveInvitations(from, to)
      return {
        users: Number(users.numUpdatedRows),
        tokens: Number(tokens.numUpdatedRows),
        channels: channels.length,
      }
    },
  }
}

export type GroupMemberRepository = ReturnType<typeof createGroupMemberRepository>
