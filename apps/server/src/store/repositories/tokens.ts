/** API keys: their entity, row, and queries. What calls change of a key is in a table of its own, `token_accounts`. */
import { tokenStatuses } from '@tollgate/api'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Seconds } from '../entities.ts'
import { fieldsOf } from '../record.ts'
import { storedToken, type Token, type TokenRow } from '../records.ts'
import { containing } from '../text.ts'
import { readEntity, writeColumns } from './fields.ts'

type Unset = 'id' | 'remainQuota' | 'usedQuota' | 'accessedAt' | 'deletedAt'
type Defaulted = 'requestsPerMinute' | 'tokensPerMinute' | 'concurrency'
/** Money arrives by the ledger. Without rate limits unless they are named. */
export type NewToken = Omit<Token, Unset | Defaulted> & Partial<Pick<Token, Defaulted>>
export type TokenChange = Partial<Omit<Token, Exclude<Unset, 'deletedAt'> | 'userId'>>

export interface TokenFilter {
  /** Part of the name in any case; nothing in it is a wildcard. */
  readonly keyword?: string
  readonly keyHash?: string
  /** Visible characters of the key, at its beginning and at its end; with `or` one of the two is enough. */
  readonly keyEnds?: { readonly head: string; readonly tail: string; readonly or?: true }
  /** The status as lists show it: a key that has run out by `at` counts as such, whatever is stored. */
  readonly status?: { readonly shown: Token['status']; readonly at: Seconds }
}

export interface TokenPage {
  readonly offset: number
  readonly limit: number
  readonly sort: keyof typeof sortColumns
  readonly descending: boolean
}

const fields = fieldsOf(storedToken)

export type TokenRepository = ReturnType<typeof createTokenRepository>

export function createTokenRepository({ db, dialect, transaction }: Connection) {
  const all = () =>
    db.selectFrom('tokens').innerJoin('token_accounts', 'token_accounts.id', 'tokens.id').selectAll()
  const live = () => all().where('deleted_at', 'is', null)
  const own = (userId: number) => live().where('user_id', '=', userId)

  return {
    create: (token: NewToken): Promise<Token> =>
      transaction(async ({ db: tx }) => {
        const row = writeColumns<Token, Insertable<TokenRow>>(fields, token)
        const created = await tx.insertInto('tokens').values(row).returningAll().executeTakeFirstOrThrow()
        // A token is as old as its last use until it is used.
        const account = { id: created.id, accessed_at: created.created_at }
        const opened = tx.insertInto('token_accounts').values(account).returningAll()
        return readEntity(fields, { ...created, ...(await opened.executeTakeFirstOrThrow()) })
      }),
    /** Live tokens of any owner, by key hash. */
    async listByKeyHashes(keyHashes: readonly string[]): Promise<ReadonlyMap<string, Token>> {
      const rows = await live().where(dialect.isOneOf('key_hash', keyHashes)).execute()
      return new Map(rows.map((row) => [row.key_hash, readEntity(fields, row)]))
    },
    /** Finds deleted tokens, too. */
    async find(id: number): Promise<Token | undefined> {
      const row = await all().where('tokens.id', '=', id).executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async findOwn(userId: number, id: number): Promise<Token | undefined> {
      const row = await own(userId).where('tokens.id', '=', id).executeTakeFirst()
      return row && readEntity(fields, row)
    },
    /** Live tokens of the user, by id. */
    async listOwnByIds(userId: number, ids: readonly number[]): Promise<ReadonlyMap<number, Token>> {
      const rows = await own(userId).where(dialect.isOneOf('tokens.id', ids)).execute()
      return new Map(rows.map((row) => [row.id, readEntity(fields, row)]))
    },
    /** A page with the filter's total. Equal rows come newest first. */
    async pageOwn(userId: number, filter: TokenFilter, { offset, limit, sort, descending }: TokenPage) {
      const where = conditionsOf(filter).reduce(
        (all, condition) => sql<boolean>`${all} and ${condition}`,
        sql<boolean>`user_id = ${userId} and deleted_at is null`,
      )
      const rows = all()
        .where(where)
        .orderBy(sql.raw(sortColumns[sort]), descending ? 'desc' : 'asc')
        .orderBy('tokens.id', 'desc')
      const counted = db
        .selectFrom('tokens')
        .innerJoin('token_accounts', 'token_accounts.id', 'tokens.id')
        .where(where)
        .select((count) => count.fn.countAll<number>().as('total'))
      const [page, { total }] = await Promise.all([
        rows.offset(offset).limit(limit).execute(),
        counted.executeTakeFirstOrThrow(),
      ])
      return { rows: page.map((row) => readEntity(fields, row)), total: Number(total) }
    },
    /** Changes those of the ids that are live tokens of the user; returns their ids. */
    async changeOwn(userId: number, ids: readonly number[], change: TokenChange): Promise<number[]> {
      const row = writeColumns<Token, Updateable<TokenRow>>(fields, change)
      if (Object.keys(row).length === 0) return [...ids]
      const changed = await db
        .updateTable('tokens')
        .set(row)
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .where(dialect.isOneOf('id', ids))
        .returning('id')
        .execute()
      return changed.map(({ id }) => id)
    },
    /** Sets the status when the relay first notices; only of an enabled token. */
    async markSpent(id: number, status: 'expired' | 'exhausted'): Promise<void> {
      await db
        .updateTable('tokens')
        .set({ status: tokenStatuses[status] })
        .where('id', '=', id)
        .where('status', '=', tokenStatuses.enabled)
        .execute()
    },
  }
}

/** Keys that never expire sort after all others. */
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

function conditionsOf({ keyword, keyHash, keyEnds, status }: TokenFilter): RawBuilder<boolean>[] {
  return [
    ...(keyword === undefined
      ? []
      : [sql<boolean>`lower(name) like lower(${containing(keyword)}) escape '\\'`]),
    ...(keyHash === undefined ? [] : [sql<boolean>`key_hash = ${keyHash}`]),
    ...(keyEnds === undefined ? [] : [hasEnds(keyEnds)]),
    ...(status === undefined ? [] : [isShownAs(status)]),
  ]
}

function hasEnds({ head, tail, or }: NonNullable<TokenFilter['keyEnds']>): RawBuilder<boolean> {
  const hasHead = sql<boolean>`substr(key_head, 1, cast(${head.length} as integer)) = ${head}`
  const hasTail = sql<boolean>`substr(key_tail, length(key_tail) - ${tail.length - 1}) = ${tail}`
  if (or === true) return sql<boolean>`(key_head <> '' and (${hasHead} or ${hasTail}))`
  return sql<boolean>`(key_head <> '' and ${hasHead} and (${tail} = '' or ${hasTail}))`
}

function isShownAs({ shown, at }: NonNullable<TokenFilter['status']>): RawBuilder<boolean> {
  const { enabled } = tokenStatuses
  const stored = sql<boolean>`status = ${tokenStatuses[shown]}`
  const expired = sql<boolean>`(expires_at is not null and expires_at < ${at})`
  const exhausted = sql<boolean>`(unlimited_quota = 0 and remain_quota <= 0)`
  switch (shown) {
    case 'disabled':
      return stored
    case 'enabled':
      return sql<boolean>`(${stored} and not ${expired} and not ${exhausted})`
    case 'expired':
      return sql<boolean>`(${stored} or (status = ${enabled} and ${expired}))`
    case 'exhausted':
      return sql<boolean>`(${stored} or (status = ${enabled} and not ${expired} and ${exhausted}))`
  }
}
