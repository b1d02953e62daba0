import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'
import { raiseCredentialsVersion, type VerifiedAccount } from './verified-account.ts'

export const sessionTable = defineTable('sessions', {
  /** SHA-256 of the cookie's value; only the browser knows the value itself. */
  idHash: text(),
  userId: integer(),
  createdAt: integer(),
  expiresAt: integer(),
  /** The browser's user agent; empty when it sent none. */
  userAgent: text(),
  /** The address that opened it. */
  address: text(),
  /** Written every few minutes at most. */
  lastSeenAt: integer(),
  /** Time when its owner last proved their identity: at the log-in, or since. */
  provenAt: integer(),
})

export type Session = EntityOf<typeof sessionTable>

/** Greater than every text of hexadecimal digits. */
const afterHex = 'g'

export function createSessionRepository({ db, dialect, transaction }: Connection) {
  return {
    /** Stores the session of a log-in, and its time with the user. */
    async create(account: VerifiedAccount, session: Omit<Session, 'userId'>): Promise<void> {
      const userId = account.idIn(db)
      await db
        .insertInto('sessions')
        .values(sessionTable.insertion({ ...session, userId }))
        .execute()
      const login = { last_login_at: session.createdAt }
      await db.updateTable('users').set(login).where('id', '=', userId).execute()
    },
    /** Not expired at `now`. */
    async find(idHash: string, now: Seconds): Promise<Session | undefined> {
      return sessionTable.first(
        db.selectFrom('sessions').selectAll().where('id_hash', '=', idHash).where('expires_at', '>', now),
      )
    },
    /** Not expired at `now`, last seen first. */
    async listOwn(userId: number, now: Seconds, limit: number): Promise<Session[]> {
      return sessionTable.all(
        db
          .selectFrom('sessions')
          .selectAll()
          .where('user_id', '=', userId)
          .where('expires_at', '>', now)
          .orderBy('last_seen_at', 'desc')
          .orderBy('created_at', 'desc')
          .orderBy('id_hash')
          .limit(limit),
      )
    },
    /** Records that the session was seen. */
    async touch(idHash: string, at: Seconds): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: at })
        .where('id_hash', '=', idHash)
        .where('last_seen_at', '<', at)
        .execute()
    },
    /** Records that its owner proved their identity; false when they have no such session any more. */
    markProven(account: VerifiedAccount, idHash: string, at: Seconds): Promise<boolean> {
      return hasRow(
        db
          .updateTable('sessions')
          .set({ proven_at: at })
          .where('id_hash', '=', idHash)
          .where('user_id', '=', account.idIn(db))
          .where('expires_at', '>', at)
          .returning('id_hash'),
      )
    },
    async delete(idHash: string): Promise<void> {
      await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
    },
    /** Ends the owner's session whose hash starts so; false when there is none. */
    async deleteOwn(userId: number, idHashStart: string): Promise<boolean> {
      const deleted = db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id_hash', '>=', idHashStart)
        .where('id_hash', '<', idHashStart + afterHex)
        .returning('id_hash')
      return (await deleted.execute()).length > 0
    },
    /** Ends every session of a user, except one where it is named, and the log-ins in flight. Returns how many. */
    deleteOfUser: (userId: number, exceptIdHash: string = ''): Promise<number> =>
      transaction(async (tx) => {
        // In the order of a log-in: the user, then their sessions.
        await raiseCredentialsVersion(tx, [userId])
        const deleted = tx.db
          .deleteFrom('sessions')
          .where('user_id', '=', userId)
          .where('id_hash', '<>', exceptIdHash)
          .returning('id_hash')
        return (await deleted.execute()).length
      }),
    /** The same for all sessions of many. */
    deleteOfUsers: (userIds: readonly number[]): Promise<void> =>
      transaction(async (tx) => {
        await raiseCredentialsVersion(tx, userIds)
        await tx.db.deleteFrom('sessions').where(dialect.isOneOf('user_id', userIds)).execute()
      }),
    async deleteExpired(now: Seconds): Promise<void> {
      await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    sessions: RowOf<typeof sessionTable>
  }
}

export type SessionRepository = ReturnType<typeof createSessionRepository>
