import {
  type FreezeCause,
  type TokenStatus,
  type TokenSwitch,
  tokenRecord,
  tokenStatuses,
} from '@tollgate/api'
import { type RawBuilder, sql } from 'kysely'
import type { Connection } from '../database.ts'
import { createBalanceShareRepository } from '../money/balance-shares.ts'
import { countRows, hasRow, idsOf, type PageOf, readPage } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import {
  type Column,
  defineTable,
  type EntityOf,
  integer,
  optionalInteger,
  type RowOf,
  text,
  withDefault,
} from '../schema/table.ts'
import { containing, storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

export interface TokenFilter {
  /** Part of the name, whatever the case; nothing in it is a wildcard. */
  readonly keyword?: string
  readonly keyHash?: string
  /** Visible characters of the key, at its start and at its end; with `or` one of the two is enough. */
  readonly keyEnds?: { readonly head: string; readonly tail: string; readonly or?: true }
  /** The displayed status: an enabled key that has expired or is exhausted at `at` counts as such. */
  readonly status?: { readonly visible: TokenStatus; readonly at: Seconds }
  /** Frozen keys alone, or all others, whatever their status. */
  readonly frozen?: boolean
}

export interface TokenPage {
  readonly offset: number
  readonly limit: number
  readonly sort: keyof typeof sortColumns
  readonly descending: boolean
}

const stored = tokenRecord.omit({ key: true })
const account = { id: true, remainQuota: true, usedQuota: true, accessedAt: true } as const

/**
 * The person's switch. Earlier versions, which may run beside this one, write 3 (expired) and 4 (exhausted) besides: such a key
 * is switched on, and its expiry and quota say what it can do.
 */
const switchColumn: Column<TokenSwitch, number> = {
  type: 'integer',
  isNullable: false,
  encode: (name) => tokenStatuses[name],
  decode: (stored) => (Number(stored) === tokenStatuses.disabled ? 'disabled' : 'enabled'),
}

/** Rows of `tokens` whose key is switched on. */
export const isSwitchedOn = sql<boolean>`tokens.status <> ${sql.lit(tokenStatuses.disabled)}`

export const tokenTable = defineTable('tokens', {
  ...columnsOf(
    stored.omit({
      ...{ remainQuota: true, usedQuota: true, accessedAt: true },
      ...{ frozenAt: true, freezeCause: true, freezeNote: true },
    }),
  ),
  status: switchColumn,
  frozenAt: withDefault(optionalInteger()),
  freezeCause: withDefault(text<FreezeCause>()),
  freezeNote: withDefault(text()),
  /** The switch of a frozen key when it is frozen no more. */
  statusBeforeFreeze: withDefault(switchColumn),
  /** Keyed hash of the key without `sk-`, which finds a presented one. Of a key that came as a hash: see `accounts/tokens/hashed-key.ts`. */
  keyHash: text(),
  /** The key without `sk-`, sealed; empty while only a hash of it is known. */
  keySealed: text(),
  /** The visible characters of a masked key; empty for keys from before these columns. */
  keyHead: text(),
  keyTail: text(),
  deletedAt: optionalInteger(),
})

/** The counters of a token, in a narrow table: a row that is written is a page that is written. */
export const tokenAccountTable = defineTable('token_accounts', {
  ...columnsOf(stored.pick(account)),
  id: integer(),
  usedQuota: withDefault(integer()),
})

const limits = tokenTable.pick(['modelLimits'])
const tokens = tokenTable.join(tokenAccountTable)
/** A key that its user's programs present to the gateway. */
export type Token = EntityOf<typeof tokens>

type Freeze = 'frozenAt' | 'freezeCause' | 'freezeNote' | 'statusBeforeFreeze'
type Unset = 'id' | 'remainQuota' | 'usedQuota' | 'accessedAt' | 'deletedAt' | Freeze
/** The ledger alone changes its money. */
export type NewToken = Omit<Token, Unset>
export type TokenChange = Partial<Omit<Token, Exclude<Unset, 'deletedAt'> | 'userId'>>

export function createTokenRepository(connection: Connection) {
  const { db, dialect, transaction } = connection
  const all = () =>
    db.selectFrom('tokens').innerJoin('token_accounts', 'token_accounts.id', 'tokens.id').selectAll()
  const live = () => all().where('deleted_at', 'is', null)
  const own = (userId: number) => live().where('user_id', '=', userId)
  const findOwn = async (userId: number, id: number) => tokens.first(own(userId).where('tokens.id', '=', id))
  const lockRow = (id: number) =>
    sql`select id from tokens where id = ${id} ${sql.raw(dialect.lockRow)}`.execute(db)
  /** The existing ones of these ids that belong to the user. */
  async function listOwnByIds(userId: number, ids: readonly number[]): Promise<ReadonlyMap<number, Token>> {
    return tokens.byId(own(userId).where(dialect.isOneOf('tokens.id', ids)))
  }

  return {
    /** Remaining quota starts at 0; the ledger credits it. */
    create: (token: NewToken): Promise<Token> =>
      transaction(async ({ db: tx }) => {
        const row = tokenTable.insertion(token)
        const created = await tx.insertInto('tokens').values(row).returningAll().executeTakeFirstOrThrow()
        // Until its first use, its last use is its creation.
        const account = { id: created.id, accessed_at: created.created_at }
        const opened = tx.insertInto('token_accounts').values(account).returningAll()
        return tokens.read({ ...created, ...(await opened.executeTakeFirstOrThrow()) })
      }),
    ...createModelLists(connection),
    /** Tokens of these key hashes that are not deleted, of all users (for the relay), by key hash. */
    async listByKeyHashes(keyHashes: readonly string[]): Promise<ReadonlyMap<string, Token>> {
      const rows = await live().where(dialect.isOneOf('key_hash', keyHashes)).execute()
      return new Map(rows.map((row) => [row.key_hash, tokens.read(row)]))
    },
    /** Deleted ones included. */
    async find(id: number): Promise<Token | undefined> {
      return tokens.first(all().where('tokens.id', '=', id))
    },
    /** Finds a token that is not deleted, of any user, and locks it against other changes until the transaction ends. */
    async lock(id: number): Promise<Token | undefined> {
      await lockRow(id)
      return tokens.first(live().where('tokens.id', '=', id))
    },
    /** Finds the token that has one of these hashes; deleted ones included. */
    async findByKeyHashes(keyHashes: readonly string[]): Promise<Token | undefined> {
      return tokens.first(all().where(dialect.isOneOf('key_hash', keyHashes)))
    },
    /** Switches a locked key off until `unfreeze`. */
    async freeze(id: number, freeze: Pick<Token, 'frozenAt' | 'freezeCause' | 'freezeNote'>): Promise<void> {
      const row = tokenTable.change({ ...freeze, status: 'disabled' })
      const former = sql<number>`status`
      await db
        .updateTable('tokens')
        .set({ ...row, status_before_freeze: former })
        .where('id', '=', id)
        .execute()
    },
    /** Gives a locked key the switch that it had. */
    async unfreeze(id: number): Promise<void> {
      const row = tokenTable.change({ frozenAt: null, freezeCause: '', freezeNote: '' })
      const former = sql<number>`status_before_freeze`
      await db
        .updateTable('tokens')
        .set({ ...row, status: former })
        .where('id', '=', id)
        .execute()
    },
    findOwn,
    /** Finds a token as `findOwn` does, and locks it against other changes until the transaction ends. */
    async lockOwn(userId: number, id: number): Promise<Token | undefined> {
      await lockRow(id)
      return findOwn(userId, id)
    },
    /** Reads a page with the filter's total. */
    async pageOwn(
      userId: number,
      filter: TokenFilter,
      { offset, limit, sort, descending }: TokenPage,
    ): Promise<PageOf<Token>> {
      const where = conditionsOf(filter).reduce(
        (all, condition) => sql<boolean>`${all} and ${condition}`,
        sql<boolean>`user_id = ${userId} and deleted_at is null`,
      )
      const direction = descending ? 'desc' : 'asc'
      const rows = all()
        .where(where)
        .orderBy(sql.raw(sortColumns[sort]), direction)
        .orderBy('tokens.id', 'desc')
      return await readPage(tokens, rows, { offset, limit })
    },
    listOwnByIds,
    /** Counts those that are not deleted. */
    countOwn: (userId: number): Promise<number> =>
      countRows(db.selectFrom('tokens').where('user_id', '=', userId).where('deleted_at', 'is', null)),
    /** Changes those of the ids that are live tokens of the user, and enables none that is frozen; returns their ids. */
    async changeOwn(userId: number, ids: readonly number[], change: TokenChange): Promise<number[]> {
      const row = tokenTable.change(change)
      if (Object.keys(row).length === 0) return [...(await listOwnByIds(userId, ids)).keys()]
      const changeOn = ({ db }: Pick<Connection, 'db'>) =>
        idsOf(
          db
            .updateTable('tokens')
            .set(row)
            .where('user_id', '=', userId)
            .where('deleted_at', 'is', null)
            .where(change.status === 'enabled' ? sql<boolean>`frozen_at is null` : sql<boolean>`true`)
            .where(dialect.isOneOf('id', ids))
            .returning('id'),
        )
      if (dialect.kind === 'sqlite' || change.unlimitedQuota !== false) return await changeOn(connection)
      // Nodes count calls of an unlimited key down below their shares.
      return await transaction(async (tx) => {
        const changed = await changeOn(tx)
        await createBalanceShareRepository(tx).payOverdrafts('token', changed)
        return changed
      })
    },
    /** Looks for a token with that hash; deleted ones included. */
    hasKeyHash: (keyHash: string): Promise<boolean> =>
      hasRow(db.selectFrom('tokens').select('id').where('key_hash', '=', keyHash)),
    /** Stores the key of a token that had another hash until now. */
    async adoptKey(
      id: number,
      formerHash: string,
      key: Pick<Token, 'keyHash' | 'keySealed' | 'keyHead' | 'keyTail'>,
    ): Promise<void> {
      const adopted = db.updateTable('tokens').set(tokenTable.change(key)).where('id', '=', id)
      await adopted.where('key_hash', '=', formerHash).execute()
    },
  }
}

/** The models that tokens may use by name. */
function createModelLists({ db, dialect }: Connection) {
  return {
    /** Ids of tokens, live or not, whose list of models has the name. */
    async listLimitedTo(model: string): Promise<number[]> {
      const rows = await db
        .selectFrom('tokens')
        .select(['id', 'model_limits'])
        .where(sql<boolean>`model_limits like ${containing(JSON.stringify(storableText(model)))} escape '\\'`)
        .orderBy('id')
        .execute()
      return rows.filter((row) => limits.read(row).modelLimits.includes(model)).map(({ id }) => id)
    },
    /** Replaces a name in the lists of models of these tokens. */
    async renameModel(ids: readonly number[], from: string, to: string): Promise<void> {
      const rows = await db
        .selectFrom('tokens')
        .select(['id', 'model_limits'])
        .where(dialect.isOneOf('id', ids))
        .orderBy('id')
        .execute()
      for (const row of rows) {
        const names = limits.read(row).modelLimits.map((name) => (name === from ? to : name))
        const change = tokenTable.change({ modelLimits: [...new Set(names)] })
        await db.updateTable('tokens').set(change).where('id', '=', row.id).execute()
      }
    },
  }
}

/** A key that never expires sorts last. */
const never = Number.MAX_SAFE_INTEGER

const sortColumns = {
  id: 'tokens.id',
  name: 'lower(tokens.name)',
  createdAt: 'tokens.created_at',
  accessedAt: 'token_accounts.accessed_at',
  expiresAt: `coalesce(tokens.expires_at, ${never})`,
  remainQuota: 'token_accounts.remain_quota',
  usedQuota: 'token_accounts.used_quota',
} as const satisfies { readonly [Name in keyof Token]?: string }

function conditionsOf({ keyword, keyHash, keyEnds, status, frozen }: TokenFilter): RawBuilder<boolean>[] {
  return [
    ...(keyword === undefined
      ? []
      : [sql<boolean>`lower(name) like lower(${containing(keyword)}) escape '\\'`]),
    ...(keyHash === undefined ? [] : [sql<boolean>`key_hash = ${keyHash}`]),
    ...(keyEnds === undefined ? [] : [hasEnds(keyEnds)]),
    ...(status === undefined ? [] : [isVisibleAs(status)]),
    ...(frozen === undefined
      ? []
      : [frozen ? sql<boolean>`frozen_at is not null` : sql<boolean>`frozen_at is null`]),
  ]
}

function hasEnds({ head, tail, or }: NonNullable<TokenFilter['keyEnds']>): RawBuilder<boolean> {
  const hasHead = sql<boolean>`substr(key_head, 1, cast(${head.length} as integer)) = ${head}`
  const hasTail = sql<boolean>`substr(key_tail, length(key_tail) - ${tail.length - 1}) = ${tail}`
  if (or === true) return sql<boolean>`(key_head <> '' and (${hasHead} or ${hasTail}))`
  return sql<boolean>`(key_head <> '' and ${hasHead} and (${tail} = '' or ${hasTail}))`
}

function isVisibleAs({ visible, at }: NonNullable<TokenFilter['status']>): RawBuilder<boolean> {
  const expired = sql<boolean>`(expires_at is not null and expires_at < ${at})`
  const exhausted = sql<boolean>`(unlimited_quota = 0 and remain_quota <= 0)`
  switch (visible) {
    case 'disabled':
      return sql<boolean>`not ${isSwitchedOn}`
    case 'enabled':
      return sql<boolean>`(${isSwitchedOn} and not ${expired} and not ${exhausted})`
    case 'expired':
      return sql<boolean>`(${isSwitchedOn} and ${expired})`
    case 'exhausted':
      return sql<boolean>`(${isSwitchedOn} and not ${expired} and ${exhausted})`
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    tokens: RowOf<typeof tokenTable>
    token_accounts: RowOf<typeof tokenAccountTable>
  }
}

export type TokenRepository = ReturnType<typeof createTokenRepository>
