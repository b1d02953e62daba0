import type { Insertable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Passkey, PasskeyRepository } from '../passkey-repository.ts'
import type { PasskeyRow } from '../tables.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, readEntity, text, textList, writeColumns } from './fields.ts'

const fields: Fields<Passkey> = {
  id: integer('id'),
  userId: integer('user_id'),
  credentialId: text('credential_id'),
  publicKey: text('public_key'),
  counter: integer('counter'),
  transports: textList('transports'),
  name: text('name'),
  createdAt: integer('created_at'),
  lastUsedAt: integer('last_used_at'),
}

export function createPasskeyRepository({ db }: Connection): PasskeyRepository {
  return {
    async create(passkey) {
      const row = writeColumns<Passkey, Insertable<PasskeyRow>>(fields, passkey)
      return readEntity(
        fields,
        await db.insertInto('passkeys').values(row).returningAll().executeTakeFirstOrThrow(),
      )
    },
    async findByCredentialId(credentialId) {
      const row = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', storableText(credentialId))
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async listOwn(userId) {
      const rows = db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id')
      return (await rows.execute()).map((row) => readEntity(fields, row))
    },
    async renameOwn(userId, id, name) {
      const row = await db
        .updateTable('passkeys')
        .set({ name: storableText(name) })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async deleteOwn(userId, id) {
      const deleted = await db
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return deleted !== undefined
    },
    async markUsed(id, counter, at) {
      const marked = await db
        .updateTable('passkeys')
        .set({ counter: counter.now, last_used_at: at })
        .where('id', '=', id)
        .where('counter', '=', counter.before)
        .returning('id')
        .executeTakeFirst()
      return marked !== undefined
    },
  }
}
