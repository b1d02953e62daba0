import { sql } from 'kysely'
import type { Connection } from '../../database.ts'
import { mergedFromSql } from '../../money/merged-accounts.ts'
import type { Seconds } from '../../units.ts'

/** Accounts of one person, which are one. */
export function createMergeQueries({ db }: Connection) {
  return {
    /** The account that has what this one had; `undefined` for one that was not merged. */
    async mergedInto(id: number): Promise<number | undefined> {
      const merged = db.selectFrom('merged_accounts').select('into_id').where('from_id', '=', id)
      return (await merged.executeTakeFirst())?.into_id
    },
    /** The accounts whose belongings this one has, over any number of merges. */
    async mergedFrom(id: number): Promise<readonly number[]> {
      const { rows } = await sql.raw<{ id: number }>(mergedFromSql(id)).execute(db)
      return rows.map((row) => row.id)
    },
    /** Accounts that were merged and got charges or credits since. */
    async mergedWithBalance(): Promise<readonly { readonly fromId: number; readonly intoId: number }[]> {
      const { rows } = await sql<{ from_id: number; into_id: number }>`
        select from_id, into_id from merged_accounts join user_accounts on id = from_id where quota <> 0`.execute(
        db,
      )
      return rows.map(({ from_id, into_id }) => ({ fromId: from_id, intoId: into_id }))
    },
    /** Gives one account what belongs to another, but for the balance; records the merge. Within a transaction. */
    async move(fromId: number, intoId: number, at: Seconds, by: number) {
      const tokens = await db
        .updateTable('tokens')
        .set({ user_id: intoId })
        .where('user_id', '=', fromId)
        .returning(['id', 'key_hash'])
        .execute()
      const orders =
        await sql`update top_up_orders set user_id = ${intoId} where user_id = ${fromId}`.execute(db)
      for (const [table, column] of moving)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${intoId} where ${sql.ref(column)} = ${fromId}`.execute(
          db,
        )
      await sql`update users set inviter_id = 0 where id = ${intoId} and inviter_id = ${intoId}`.execute(db)
      await sql`update holds set account_id = ${intoId} where account_kind = 'user' and account_id = ${fromId}`.execute(
        db,
      )
      await moveEntries(db, fromId, intoId, at, by)
      await db
        .insertInto('merged_accounts')
        .values({ from_id: fromId, into_id: intoId, merged_at: at, merged_by: by })
        .execute()
      return {
        tokens: tokens.map(({ id, key_hash: keyHash }) => ({ id, keyHash })),
        orders: Number(orders.numAffectedRows ?? 0),
      }
    },
  }
}

/** Columns with the owner of something that follows the person. */
const moving = [
  ['redemptions', 'used_user_id'],
  ['tasks', 'user_id'],
  ['passkeys', 'user_id'],
  ['stored_responses', 'user_id'],
  ['stored_response_items', 'user_id'],
  ['failed_calls', 'user_id'],
  ['goodwill_credits', 'user_id'],
  ['held_invitation_shares', 'inviter_id'],
  ['top_up_orders', 'gift_inviter_id'],
  ['users', 'inviter_id'],
] as const

/** Causes whose entries the books match with orders, codes and open work, which moved. */
const followingCauses = [
  'top-up',
  'redemption',
  'refund',
  'dispute',
  'goodwill',
  'hold',
  'hold-release',
] as const

/** Moves those entries; two entries of the same sum leave both balances as they are. */
async function moveEntries(
  db: Connection['db'],
  fromId: number,
  intoId: number,
  at: Seconds,
  by: number,
): Promise<void> {
  const following = db
    .updateTable('ledger_entries')
    .set({ account_id: intoId })
    .where('account_kind', '=', 'user')
    .where('account_id', '=', fromId)
    .where('cause', 'in', followingCauses)
  const moved = await following.returning('amount').execute()
  const sum = moved.reduce((total, { amount }) => total + amount, 0)
  if (sum === 0) return
  const entry = { account_kind: 'user', cause: 'merge', created_at: at, actor_id: by } as const
  await db
    .insertInto('ledger_entries')
    .values([
      { ...entry, account_id: fromId, amount: sum, note: `entries into user ${intoId}` },
      { ...entry, account_id: intoId, amount: -sum, note: `entries from user ${fromId}` },
    ])
    .execute()
}

declare module '../../schema/tables.ts' {
  interface Tables {
    merged_accounts: { from_id: number; into_id: number; merged_at: number; merged_by: number }
  }
}
