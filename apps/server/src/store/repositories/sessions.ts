import type { Connection } from '../database.ts'
import type { Session } from '../entities.ts'
import type { SessionRepository } from '../store.ts'
import type { Tables } from '../tables.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<Session> = {
  idHash: text('id_hash'),
  userId: integer('user_id'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
}

export function createSessionRepository({ db, dialect }: Connection): SessionRepository {
  return {
    async create(session) {
      await db
        .insertInto('sessions')
        .values(writeColumns<Session, Tables['sessions']>(fields, session))
        .execute()
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
    async delete(idHash) {
      await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
    },
    async deleteOfUser(userId) {
      await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
    },
    async deleteOfUsers(userIds) {
      await db.deleteFrom('sessions').where(dialect.isOneOf('user_id', userIds)).execute()
    },
    async deleteExpired(now) {
      await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    },
  }
}
