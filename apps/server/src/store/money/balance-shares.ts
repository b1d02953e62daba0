import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { defineTable, integer, type RowOf, text } from '../schema/table.ts'
import type { AccountKind } from '../settlement.ts'
import type { Quota } from '../units.ts'

export type SharedAccountKind = Exclude<AccountKind, 'channel'>

/** Share of a balance that a node holds. Below zero after charges that exceeded it, until the node returns that. */
export const balanceShareTable = defineTable('balance_shares', {
  accountKind: text<SharedAccountKind>(),
  accountId: integer(),
  node: text(),
  amount: integer(),
})

/** An account as the database has it, at one moment. What is not granted is free for every node. */
export interface AccountFigures {
  readonly quota: Quota
  /** Sum of the shares of all nodes. */
  readonly granted: Quota
  /** The share of the node that asks. */
  readonly share: Quota
}

/** Request of a node for a share. */
export interface ShareRequest {
  readonly id: number
  /** Nothing is granted when less than this is free. */
  readonly needed: Quota
  /** Granted as far as it is free. */
  readonly wanted: Quota
  /** Common cost of one call, by which a balance is ample or not. */
  readonly usual: Quota
}

export interface ShareMove extends AccountFigures {
  readonly id: number
  /** Growth of the share. */
  readonly amount: Quota
}

/** A balance is ample when a node's part of what is free covers so many calls. */
export const ampleCalls = 8

/** Shares of balances between the nodes of a database. Every change of a share holds the lock of its account's row. */
export interface BalanceShareRepository {
  /** The accounts that exist, by id. */
  read(node: string, kind: SharedAccountKind, ids: readonly number[]): Promise<Map<number, AccountFigures>>
  /**
   * The same of one account, after every change of it that is under way, with the node's journal position at that moment.
   */
  readLocked(
    node: string,
    kind: SharedAccountKind,
    id: number,
  ): Promise<(AccountFigures & { readonly position: number }) | undefined>
  /**
   * Raises the node's shares, each by what is free: by all of it where `nodes` is 1, by an even part of its half where the
   * balance is ample, else by what is wanted. One statement: of concurrent requests none is granted what another was.
   */
  acquire(
    node: string,
    kind: SharedAccountKind,
    nodes: number,
    requests: readonly ShareRequest[],
  ): Promise<ShareMove[]>
  /** Lowers the node's shares; negative amounts pay for what was charged beyond a share. */
  giveBack(
    node: string,
    kind: SharedAccountKind,
    amounts: readonly { readonly id: number; readonly amount: Quota }[],
  ): Promise<ShareMove[]>
  /**
   * Pays what nodes have charged beyond their shares from what is free, also for nodes that are gone: until then that much
   * seems to be free. Nodes must read their shares of these accounts anew.
   */
  payOverdrafts(kind: SharedAccountKind, ids: readonly number[]): Promise<void>
  /** Nodes other than `node` that hold some of the account. */
  holders(node: string, kind: SharedAccountKind, id: number): Promise<string[]>
  /**
   * Returns every share of a node to what is free. Only for a node that holds nothing in memory: one that starts, has ended, or
   * has been silent for so long that it may not spend. For such a one it must run in the transaction that sees to the silence.
   */
  returnAll(node: string): Promise<void>
}

const balances = {
  user: { table: 'user_accounts', quota: 'quota' },
  token: { table: 'token_accounts', quota: 'remain_quota' },
} as const satisfies Record<SharedAccountKind, unknown>

const kinds = ['user', 'token'] as const
/** Accounts whose rows `returnAll` locks at a time. */
const accountsPerReturn = 5000

/** PostgreSQL's: on SQLite one node has every balance. */
export function createBalanceShareRepository(connection: Connection): BalanceShareRepository {
  const { db } = connection

  return {
    async read(node, kind, ids) {
      const { table, quota } = balances[kind]
      const { rows } = await sql<AccountFigures & { id: number }>`
        select id, ${sql.ref(quota)} as quota, granted, coalesce(amount, 0) as share
        from ${sql.table(table)} left join balance_shares
          on account_kind = ${kind} and account_id = id and node = ${node}
        where id = any(${ids}::bigint[])`.execute(db)
      return new Map(rows.map(({ id, ...figures }) => [id, figures]))
    },
    readLocked: (node, kind, id) =>
      connection.transaction(async ({ db }) => {
        const { table, quota } = balances[kind]
        await sql`select id from ${sql.table(table)} where id = ${id} for no key update`.execute(db)
        const { rows } = await sql<AccountFigures & { position: number }>`
          select ${sql.ref(quota)} as quota, granted, coalesce(amount, 0) as share,
            coalesce((select seq from journal_positions where node = ${node}), 0) as position
          from ${sql.table(table)} left join balance_shares
            on account_kind = ${kind} and account_id = id and node = ${node}
          where id = ${id}`.execute(db)
        return rows[0]
      }),
    acquire: (node, kind, nodes, requests) =>
      moveShares(db, node, kind, requests, grantOf(balances[kind].quota, nodes)),
    giveBack: (node, kind, amounts) =>
      moveShares(
        db,
        node,
        kind,
        amounts.map(({ id, amount }) => ({ id, needed: 0, wanted: amount, usual: 0 })),
        '-given.wanted',
      ),
    payOverdrafts: (kind, ids) =>
      connection.transaction(async ({ db }) => {
        const { table } = balances[kind]
        await lockAccounts(db, kind, ids)
        await sql`
          with paid as (
            delete from balance_shares
            where account_kind = ${kind} and account_id = any(${ids}::bigint[]) and amount < 0
            returning account_id, amount
          )
          update ${sql.table(table)} set granted = granted - overdrawn
          from (select account_id, sum(amount)::bigint as overdrawn from paid group by account_id) as sums
          where id = account_id`.execute(db)
      }),
    async holders(node, kind, id) {
      const others = db
        .selectFrom('balance_shares')
        .select('node')
        .where('account_kind', '=', kind)
        .where('account_id', '=', id)
        .where('node', '<>', node)
        .where('amount', '>', 0)
      return (await others.execute()).map((row) => row.node)
    },
    async returnAll(node) {
      for (const kind of kinds) {
        const returnNext = () => connection.transaction(({ db }) => returnSome(db, node, kind))
        while ((await returnNext()) === accountsPerReturn);
      }
    },
  }
}

/**
 * Locks accounts by id, as every writer of several accounts does. Later statements of the transaction see what others wrote before.
 */
async function lockAccounts(
  db: Connection['db'],
  kind: SharedAccountKind,
  ids: readonly number[],
): Promise<void> {
  const table = sql.table(balances[kind].table)
  await sql`select id from ${table} where id = any(${ids}::bigint[]) order by id for no key update`.execute(
    db,
  )
}

/** @param change SQL of what the share grows by, over `given` and the account's row */
async function moveShares(
  db: Connection['db'],
  node: string,
  kind: SharedAccountKind,
  requests: readonly ShareRequest[],
  change: string,
): Promise<ShareMove[]> {
  const { table, quota } = balances[kind]
  const column = (name: keyof ShareRequest) => requests.map((request) => request[name])
  const provided = sql`unnest(${column('id')}::bigint[], ${column('needed')}::bigint[], ${column('wanted')}::bigint[], ${column('usual')}::bigint[])`
  // `locked` takes the rows in the order of every other writer. The update then computes with the locked versions of the
  // rows, however old the statement's snapshot is; so does the insert, because it changes the row that it conflicts with.
  const { rows: moves } = await sql<ShareMove>`
    with locked as (
      select given.* from ${provided} as given (id, needed, wanted, usual) join ${sql.table(table)} as account on account.id = given.id
      order by account.id for no key update of account
    ), moved as (
      update ${sql.table(table)} as account
      set granted = granted + ${sql.raw(change)}, last_grant = ${sql.raw(change)}
      from locked as given where account.id = given.id
      returning account.id, last_grant as amount, ${sql.ref(quota)} as quota, granted
    ), shares as (
      insert into balance_shares (account_kind, account_id, node, amount)
      select ${kind}, id, ${node}, amount from moved
      on conflict (account_kind, account_id, node) do update set amount = balance_shares.amount + excluded.amount
      returning account_id, amount
    )
    select moved.id, moved.amount, quota, granted, shares.amount as share
    from moved join shares on account_id = moved.id`.execute(db)
  return moves
}

async function returnSome(db: Connection['db'], node: string, kind: SharedAccountKind): Promise<number> {
  const held = await db
    .selectFrom('balance_shares')
    .select('account_id')
    .where('node', '=', node)
    .where('account_kind', '=', kind)
    .orderBy('account_id')
    .limit(accountsPerReturn)
    .execute()
  const ids = held.map(({ account_id }) => account_id)
  const { table } = balances[kind]
  await lockAccounts(db, kind, ids)
  await sql`
    with returned as (
      delete from balance_shares
      where node = ${node} and account_kind = ${kind} and account_id = any(${ids}::bigint[])
      returning account_id, amount
    )
    update ${sql.table(table)} set granted = granted - returned.amount
    from returned where id = returned.account_id`.execute(db)
  return ids.length
}

function grantOf(quota: string, nodes: number): string {
  const free = `(account.${quota} - account.granted)`
  if (nodes <= 1) return `case when ${free} < given.needed then 0 else ${free} end`
  const part = `${free} / ${2 * nodes}`
  return `case when ${free} < given.needed then 0
    when ${part} >= ${ampleCalls} * given.usual then greatest(${part}, least(${free}, given.wanted))
    else least(${free}, given.wanted) end`
}

declare module '../schema/tables.ts' {
  interface Tables {
    balance_shares: RowOf<typeof balanceShareTable>
  }
}
