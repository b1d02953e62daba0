import type { Connection } from '../database.ts'
import type { Session } from '../entities.ts'
import type { SessionRepository } from '../store.ts'
import type { SessionRow } from '../tables.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<Session> = {
  idHash: text('id_hash'),
  userId: integer('user_id'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
  userAgent: text('user_agent'),
  address: text('address'),
  lastSeenAt: integer('last_seen_at'),
  provenAt: integer('proven_at'),
}

/** Greater than every text of hexadecimal digits. */
const afterHex = 'g'

export function createSessionRepository({ db, dialect }: Connection): SessionRepository {
  return {
    async create(session) {
      await db.insertInto('sessions').values(writeColumns<Session, SessionRow>(fields, session)).execute()
    },
    async find(idHash, now) {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('id_hash', '=', idHash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async listOwn(userId, now, limit) {
      const rows = db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id_hash')
        .limit(limit)
      return (await rows.execute()).map((row) => readEntity(fields, row))
    },
    async touch(idHash, at) {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: at })
        .where('id_hash', '=', idHash)
        .where('last_seen_at', '<', at)
        .execute()
    },
    async markProven(idHash, at) {
      await db.updateTable('sessions').set({ proven_at: at }).where('id_hash', '=', idHash).execute()
    },
    async delete(idHash) {
      await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
    },
    async deleteOwn(userId, idHashStart) {
      const deleted = db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id_hash', '>=', idHashStart)
        .where('id_hash', '<', idHashStart + afterHex)
        .returning('id_hash')
      return (await deleted.execute()).length > 0
    },
    async deleteOfUser(userId, exceptIdHash = '') {
      const deleted = db
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id_hash', '<>', exceptIdHash)
        .returning('id_hash')
      return (await deleted.execute()).length
    },
    async deleteOfUsers(userIds) {
      await db.deleteFrom('sessions').where(dialect.isOneOf('user_id', userIds)).execute()
    },
    async deleteExpired(now) {
      await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    },
  }
}
