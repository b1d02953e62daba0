import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { OneTimeSecret } from '../entities.ts'
import type { NewSecret, OneTimeSecretRepository } from '../store.ts'
import type { OneTimeSecretRow } from '../tables.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<OneTimeSecret> = {
  purpose: text('purpose'),
  userId: integer('user_id'),
  subject: text('subject'),
  secretHash: text('secret_hash'),
  data: text('data'),
  attempts: integer('attempts'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
}

const newRow = (secret: NewSecret) =>
  writeColumns<OneTimeSecret, OneTimeSecretRow>(fields, { userId: 0, ...secret, attempts: 0 })

export function createOneTimeSecretRepository({ db, dialect }: Connection): OneTimeSecretRepository {
  return {
    async putNew(secret) {
      const added = await db
        .insertInto('one_time_secrets')
        .values(newRow(secret))
        .onConflict((known) => known.columns(['purpose', 'subject']).doNothing())
        .returning('purpose')
        .executeTakeFirst()
      return added !== undefined
    },
    async put(secret) {
      const row = newRow(secret)
      const { purpose: _purpose, subject: _subject, ...rest } = row
      await db
        .insertInto('one_time_secrets')
        .values(row)
        .onConflict((known) => known.columns(['purpose', 'subject']).doUpdateSet(rest))
        .execute()
    },
    async attempt(purpose, subject, now, maxAttempts) {
      const row = await db
        .updateTable('one_time_secrets')
        .set({ attempts: sql`attempts + 1` })
        .where('purpose', '=', purpose)
        .where('subject', '=', storableText(subject))
        .where('expires_at', '>', now)
        .where('attempts', '<', maxAttempts)
        .returningAll()
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async take(purpose, subject, secretHash, now) {
      const row = await db
        .deleteFrom('one_time_secrets')
        .where('purpose', '=', purpose)
        .where('subject', '=', storableText(subject))
        .where('secret_hash', '=', secretHash)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async countAttempt(purpose, subject, now, { maximum, windowSeconds }) {
      const expiresAt = now + windowSeconds
      const secret = { purpose, subject, secretHash: '', data: '', createdAt: now, expiresAt }
      const first = { ...secret, userId: 0, attempts: 1 }
      const counted = await db
        .insertInto('one_time_secrets')
        .values(writeColumns<OneTimeSecret, OneTimeSecretRow>(fields, first))
        .onConflict((known) =>
          known
            .columns(['purpose', 'subject'])
            .doUpdateSet({
              attempts: sql`case when one_time_secrets.expires_at <= ${now} then 1 else one_time_secrets.attempts + 1 end`,
              expires_at: sql`case when one_time_secrets.expires_at <= ${now} then ${expiresAt} else one_time_secrets.expires_at end`,
            })
            .where(({ or, eb }) =>
              or([
                eb('one_time_secrets.attempts', '<', maximum),
                eb('one_time_secrets.expires_at', '<=', now),
              ]),
            ),
        )
        .returning('purpose')
        .executeTakeFirst()
      return counted !== undefined
    },
    async refundAttempt(purpose, subject) {
      await db
        .updateTable('one_time_secrets')
        .set({ attempts: sql`attempts - 1` })
        .where('purpose', '=', purpose)
        .where('subject', '=', subject)
        .where('attempts', '>', 0)
        .execute()
    },
    async deleteOfUsers(userIds) {
      const named = userIds.filter((id) => id !== 0)
      await db.deleteFrom('one_time_secrets').where(dialect.isOneOf('user_id', named)).execute()
    },
    async deleteExpired(now) {
      await db.deleteFrom('one_time_secrets').where('expires_at', '<=', now).execute()
    },
  }
}
