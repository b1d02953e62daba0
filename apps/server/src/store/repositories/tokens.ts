import { tokenStatuses } from '@tollgate/api/roles'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Token } from '../entities.ts'
import type { TokenFilter, TokenPage, TokenRepository } from '../store.ts'
import type { TokenAccountRow, TokenRow } from '../tables.ts'
import { containing } from '../text.ts'
import {
  type Fields,
  flag,
  integer,
  named,
  optionalInteger,
  readEntity,
  text,
  textList,
  writeColumns,
} from './fields.ts'

const fields: Fields<Token> = {
  id: integer('id'),
  userId: integer('user_id'),
  name: text('name'),
  keyHash: text('key_hash'),
  keySealed: text('key_sealed'),
  keyHead: text('key_head'),
  keyTail: text('key_tail'),
  status: named('status', tokenStatuses),
  createdAt: integer('created_at'),
  accessedAt: integer('accessed_at'),
  expiresAt: optionalInteger('expires_at'),
  remainQuota: integer('remain_quota'),
  usedQuota: integer('used_quota'),
  unlimitedQuota: flag('unlimited_quota'),
  modelLimitsEnabled: flag('model_limits_enabled'),
  modelLimits: textList('model_limits'),
  allowIps: text('allow_ips'),
  group: text('group'),
  requestsPerMinute: integer('requests_per_minute'),
  tokensPerMinute: integer('tokens_per_minute'),
  concurrency: integer('concurrency'),
  deletedAt: optionalInteger('deleted_at'),
}

export function createTokenRepository({ db, dialect, transaction }: Connection): TokenRepository {
  const all = () =>
    db.selectFrom('tokens').innerJoin('token_accounts', 'token_accounts.id', 'tokens.id').selectAll()
  const live = () => all().where('deleted_at', 'is', null)
  const own = (userId: number) => live().where('user_id', '=', userId)
  const findOwn = async (userId: number, id: number) =>
    toToken(await own(userId).where('tokens.id', '=', id).executeTakeFirst())
  const changeOwn = (userId: number, id: number, row: Updateable<TokenRow>) =>
    db
      .updateTable('tokens')
      .set(row)
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()

  return {
    create: (token) =>
      transaction(async ({ db: tx }) => {
        const row = writeColumns<Token, Insertable<TokenRow>>(fields, token)
        const created = await tx.insertInto('tokens').values(row).returningAll().executeTakeFirstOrThrow()
        // A token is as old as its last use until it is used.
        const account = { id: created.id, accessed_at: created.created_at }
        const opened = tx.insertInto('token_accounts').values(account).returningAll()
        return readEntity(fields, { ...created, ...(await opened.executeTakeFirstOrThrow()) })
      }),
    async listByKeyHashes(keyHashes) {
      const rows = await live().where(dialect.isOneOf('key_hash', keyHashes)).execute()
      return new Map(rows.map((row) => [row.key_hash, readEntity(fields, row)]))
    },
    async find(id) {
      return toToken(await all().where('tokens.id', '=', id).executeTakeFirst())
    },
    findOwn,
    async pageOwn(userId, filter, { offset, limit, sort, descending }) {
      const where = conditionsOf(filter).reduce(
        (all, condition) => sql<boolean>`${all} and ${condition}`,
        sql<boolean>`user_id = ${userId} and deleted_at is null`,
      )
      const direction = descending ? 'desc' : 'asc'
      const rows = all()
        .where(where)
        .orderBy(sql.raw(sortColumns[sort]), direction)
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
    async listOwnByIds(userId, ids) {
      const rows = await own(userId).where(dialect.isOneOf('tokens.id', ids)).execute()
      return new Map(rows.map((row) => [row.id, readEntity(fields, row)]))
    },
    async changeOwnMany(userId, ids, change) {
      const row =
        'deletedAt' in change
          ? { deleted_at: change.deletedAt }
          : writeColumns<Token, Updateable<TokenRow>>(fields, change)
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
    async updateOwn(userId, id, change) {
      const row = writeColumns<Token, Updateable<TokenRow>>(fields, change)
      if (Object.keys(row).length > 0) await changeOwn(userId, id, row)
      return await findOwn(userId, id)
    },
    async markSpent(id, status) {
      await db
        .updateTable('tokens')
        .set({ status: tokenStatuses[status] })
        .where('id', '=', id)
        .where('status', '=', tokenStatuses.enabled)
        .execute()
    },
    async deleteOwn(userId, id, at) {
      return (await changeOwn(userId, id, { deleted_at: at })) !== undefined
    },
  }
}

/** Of keys that never expire nothing comes later than the end. */
const never = Number.MAX_SAFE_INTEGER

const sortColumns = {
  id: 'tokens.id',
  name: 'lower(tokens.name)',
  createdAt: 'tokens.created_at',
  accessedAt: 'token_accounts.accessed_at',
  expiresAt: `coalesce(tokens.expires_at, ${never})`,
  remainQuota: 'token_accounts.remain_quota',
  usedQuota: 'token_accounts.used_quota',
} as const satisfies Record<TokenPage['sort'], string>

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
  const expired = sql<boolean>`(expires_at is not null and expires_at < ${at})`
  const exhausted = sql<boolean>`(unlimited_quota = 0 and remain_quota <= 0)`
  switch (shown) {
    case 'disabled':
      return sql<boolean>`status = ${tokenStatuses.disabled}`
    case 'enabled':
      return sql<boolean>`(status = ${enabled} and not ${expired} and not ${exhausted})`
    case 'expired':
      return sql<boolean>`(status = ${tokenStatuses.expired} or (status = ${enabled} and ${expired}))`
    case 'exhausted':
      return sql<boolean>`(status = ${tokenStatuses.exhausted} or (status = ${enabled} and not ${expired} and ${exhausted}))`
  }
}

function toToken(row: Selectable<TokenRow & TokenAccountRow> | undefined): Token | undefined {
  return row && readEntity(fields, row)
}
