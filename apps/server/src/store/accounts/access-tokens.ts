import { accessTokenRecord } from '@tollgate/api'
import type { Connection } from '../database.ts'
import { countRows, hasRow } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'
import type { VerifiedAccount } from './verified-account.ts'

const accessTokenTable = defineTable('access_tokens', {
  ...columnsOf(accessTokenRecord),
  userId: integer(),
  /** Keyed: only the program that uses it has the token itself. */
  hash: text(),
})

/** An access token, without its secret. */
export type AccessToken = EntityOf<typeof accessTokenTable>

export function createAccessTokenRepository({ db, dialect }: Connection) {
  const own = (userId: number) => db.deleteFrom('access_tokens').where('user_id', '=', userId)
  return {
    async create(account: VerifiedAccount, token: Omit<AccessToken, 'id' | 'userId'>): Promise<AccessToken> {
      const row = accessTokenTable.insertion({ ...token, userId: account.idIn(db) })
      const inserted = db.insertInto('access_tokens').values(row).returningAll()
      return accessTokenTable.read(await inserted.executeTakeFirstOrThrow())
    },
    findByHash(hash: string): Promise<AccessToken | undefined> {
      return accessTokenTable.first(db.selectFrom('access_tokens').selectAll().where('hash', '=', hash))
    },
    /** Newest first. */
    listOwn(userId: number): Promise<AccessToken[]> {
      return accessTokenTable.all(
        db.selectFrom('access_tokens').selectAll().where('user_id', '=', userId).orderBy('id', 'desc'),
      )
    },
    /** Counts expired ones too. */
    countOwn: (userId: number): Promise<number> =>
      countRows(db.selectFrom('access_tokens').where('user_id', '=', userId)),
    /** Records that the token was used. */
    async touch(hash: string, at: Seconds): Promise<void> {
      await db
        .updateTable('access_tokens')
        .set({ last_used_at: at })
        .where('hash', '=', hash)
        .where('last_used_at', '<', at)
        .execute()
    },
    /** False when the user has none with that id. */
    deleteOwn(userId: number, id: number): Promise<boolean> {
      return hasRow(own(userId).where('id', '=', id).returning('id'))
    },
    /** Deletes the user's tokens with that name. */
    async deleteNamed(userId: number, name: string): Promise<void> {
      await own(userId).where('name', '=', name).execute()
    },
    async deleteOfUsers(userIds: readonly number[]): Promise<void> {
      await db.deleteFrom('access_tokens').where(dialect.isOneOf('user_id', userIds)).execute()
    },
    async deleteExpired(now: Seconds): Promise<void> {
      await db
        .deleteFrom('access_tokens')
        .where('expires_at', '>', 0)
        .where('expires_at', '<=', now)
        .execute()
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    access_tokens: RowOf<typeof accessTokenTable>
  }
}

export type AccessTokenRepository = ReturnType<typeof createAccessTokenRepository>
