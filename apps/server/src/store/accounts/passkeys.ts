import type { Connection } from '../database.ts'
import { countRows, hasRow } from '../queries.ts'
import {
  defineTable,
  type EntityOf,
  generatedId,
  integer,
  type RowOf,
  text,
  textList,
} from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'
import { raiseCredentialsVersion, type VerifiedAccount } from './verified-account.ts'

export const passkeyTable = defineTable('passkeys', {
  id: generatedId(),
  userId: integer(),
  /** The device's name for it, base64url. */
  credentialId: text(),
  /** COSE key, base64url. */
  publicKey: text(),
  /** The device's own count of signatures; 0 where it does not count. */
  counter: integer(),
  /** Ways to reach the device (`internal`, `usb`, …). */
  transports: textList(),
  name: text(),
  createdAt: integer(),
  /** 0 when it was never used. */
  lastUsedAt: integer(),
})

/** A credential that a device stores for a person (WebAuthn). */
export type Passkey = EntityOf<typeof passkeyTable>

export function createPasskeyRepository({ db, transaction }: Connection) {
  return {
    /** Throws `DuplicateError` for a credential that any user already has. */
    async create(account: VerifiedAccount, passkey: Omit<Passkey, 'id' | 'userId'>): Promise<Passkey> {
      const row = passkeyTable.insertion({ ...passkey, userId: account.idIn(db) })
      return passkeyTable.read(
        await db.insertInto('passkeys').values(row).returningAll().executeTakeFirstOrThrow(),
      )
    },
    async findByCredentialId(credentialId: string): Promise<Passkey | undefined> {
      return passkeyTable.first(
        db.selectFrom('passkeys').selectAll().where('credential_id', '=', storableText(credentialId)),
      )
    },
    /** Oldest first. */
    async listOwn(userId: number): Promise<Passkey[]> {
      return passkeyTable.all(
        db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id'),
      )
    },
    async renameOwn(userId: number, id: number, name: string): Promise<Passkey | undefined> {
      return passkeyTable.first(
        db
          .updateTable('passkeys')
          .set({ name: storableText(name) })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returningAll(),
      )
    },
    /** All of them, and the people who have some. */
    async count(): Promise<{ readonly passkeys: number; readonly users: number }> {
      const counted = await db
        .selectFrom('passkeys')
        .select(({ fn }) => [
          fn.countAll<number>().as('passkeys'),
          fn.count<number>('user_id').distinct().as('users'),
        ])
        .executeTakeFirstOrThrow()
      return { passkeys: Number(counted.passkeys), users: Number(counted.users) }
    },
    countOwn: (userId: number): Promise<number> =>
      countRows(db.selectFrom('passkeys').where('user_id', '=', userId)),
    /** Ends the log-ins in flight too, which it may have opened. */
    deleteOwn: (userId: number, id: number): Promise<boolean> =>
      transaction(async (tx) => {
        await raiseCredentialsVersion(tx, [userId])
        const own = tx.db.deleteFrom('passkeys').where('user_id', '=', userId)
        return hasRow(own.where('id', '=', id).returning('id'))
      }),
    /**
     * Records a use; false when the counter has not moved on since `before`, so that one of two concurrent uses is
     * refused.
     */
    async markUsed(
      id: number,
      counter: { readonly before: number; readonly now: number },
      at: Seconds,
    ): Promise<boolean> {
      return hasRow(
        db
          .updateTable('passkeys')
          .set({ counter: counter.now, last_used_at: at })
          .where('id', '=', id)
          .where('counter', '=', counter.before)
          .returning('id'),
      )
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    passkeys: RowOf<typeof passkeyTable>
  }
}

export type PasskeyRepository = ReturnType<typeof createPasskeyRepository>
