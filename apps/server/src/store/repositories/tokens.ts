import { tokenStatuses } from '@tollgate/api/roles'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Token } from '../entities.ts'
import type { TokenRepository } from '../store.ts'
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
    async listOwn(userId, { offset, limit }) {
      const page = own(userId).orderBy('tokens.id', 'desc').offset(offset).limit(limit)
      return (await page.execute()).map((row) => readEntity(fields, row))
    },
    async searchOwn(userId, { keyword, keyHash, limit }) {
      let found = own(userId)
      if (keyword !== undefined)
        found = found.where(sql<boolean>`lower(name) like lower(${containing(keyword)}) escape '\\'`)
      if (keyHash !== undefined) found = found.where('key_hash', '=', keyHash)
      const rows = await found.orderBy('tokens.id', 'desc').limit(limit).execute()
      return rows.map((row) => readEntity(fields, row))
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

function toToken(row: Selectable<TokenRow & TokenAccountRow> | undefined): Token | undefined {
  return row && readEntity(fields, row)
}
