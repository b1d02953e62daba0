import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { countRows, hasRow } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'
import type { AttemptLimit } from './second-factors.ts'
import type { VerifiedAccount } from './verified-account.ts'

export const oneTimeSecretTable = defineTable('one_time_secrets', {
  /** Its purpose, such as `verify-email`. */
  purpose: text(),
  /** The user it was issued for, whose change of credentials ends it; 0 without a user. */
  userId: integer(),
  /** Its subject; one secret of a purpose and subject exists at a time. */
  subject: text(),
  /** Keyed hash; empty where knowing the subject is the proof. */
  secretHash: text(),
  /** JSON text of the module that issued it. */
  data: text(),
  /** Number of attempts. */
  attempts: integer(),
  createdAt: integer(),
  expiresAt: integer(),
})

/** Purpose of invitations: their `data` has the `group` of the account to come. */
export const invitationPurpose = 'invitation'

/** End of what is remembered without one: the last second of the year 9999. */
export const neverEnds: Seconds = 253_402_300_799

/** A secret that is valid once and for a limited time: a mailed code, a link's token, the state of a sign-in. */
export type OneTimeSecret = EntityOf<typeof oneTimeSecretTable>

/** A secret to create. */
export type NewSecret = Omit<OneTimeSecret, 'attempts' | 'userId'>

const newRow = (secret: NewSecret, userId = 0) =>
  oneTimeSecretTable.insertion({ ...secret, userId, attempts: 0 })

export function createOneTimeSecretRepository(connection: Connection) {
  const { db, dialect } = connection

  async function put(row: ReturnType<typeof newRow>): Promise<void> {
    const { purpose: _purpose, subject: _subject, ...rest } = row
    await db
      .insertInto('one_time_secrets')
      .values(row)
      .onConflict((known) => known.columns(['purpose', 'subject']).doUpdateSet(rest))
      .execute()
  }

  async function putNew(secret: NewSecret): Promise<boolean> {
    return hasRow(
      db
        .insertInto('one_time_secrets')
        .values(newRow(secret))
        .onConflict((known) => known.columns(['purpose', 'subject']).doNothing())
        .returning('purpose'),
    )
  }

  return {
    ...createAttemptCounts(connection),
    /** False, without a change, when one of the same purpose and subject exists: for values that are valid once. */
    putNew,
    /** The same for a memory with a bound: of its purpose it and the newest others stay, `max` in all. */
    async remember(secret: NewSecret, max: number): Promise<boolean> {
      if (!(await putNew(secret))) return false
      const others = db
        .selectFrom('one_time_secrets')
        .where('purpose', '=', secret.purpose)
        .where('subject', '<>', storableText(secret.subject))
      const newest = others.select('subject').orderBy('created_at', 'desc').orderBy('subject')
      await db
        .deleteFrom('one_time_secrets')
        .where('purpose', '=', secret.purpose)
        .where('subject', '<>', storableText(secret.subject))
        .where('subject', 'not in', newest.limit(max - 1))
        .execute()
      return true
    },
    /** Replaces the one of the same purpose and subject. For no user. */
    put: (secret: NewSecret): Promise<void> => put(newRow(secret)),
    /** The same for a user, with whose credentials it ends. */
    putOwn: (account: VerifiedAccount, secret: NewSecret): Promise<void> =>
      put(newRow(secret, account.idIn(db))),
    async find(purpose: string, subject: string): Promise<OneTimeSecret | undefined> {
      const known = db.selectFrom('one_time_secrets').selectAll().where('purpose', '=', purpose)
      return oneTimeSecretTable.first(known.where('subject', '=', storableText(subject)))
    },
    /** Counts an attempt; `undefined` when no secret is valid at `now`, or it has had `maxAttempts` attempts. */
    async attempt(
      purpose: string,
      subject: string,
      now: Seconds,
      maxAttempts: number,
    ): Promise<OneTimeSecret | undefined> {
      return oneTimeSecretTable.first(
        db
          .updateTable('one_time_secrets')
          .set({ attempts: sql`attempts + 1` })
          .where('purpose', '=', purpose)
          .where('subject', '=', storableText(subject))
          .where('expires_at', '>', now)
          .where('attempts', '<', maxAttempts)
          .returningAll(),
      )
    },
    /**
     * Removes it and returns it to the caller that removed it; `undefined` when it is gone, expired or not this secret.
     */
    async take(
      purpose: string,
      subject: string,
      secretHash: string,
      now: Seconds,
    ): Promise<OneTimeSecret | undefined> {
      return oneTimeSecretTable.first(
        db
          .deleteFrom('one_time_secrets')
          .where('purpose', '=', purpose)
          .where('subject', '=', storableText(subject))
          .where('secret_hash', '=', secretHash)
          .where('expires_at', '>', now)
          .returningAll(),
      )
    },
    /** Lists those of a purpose that are valid at `now`, newest first; of one user, or of all. */
    async listOpen(purpose: string, now: Seconds, userId?: number): Promise<OneTimeSecret[]> {
      const open = db
        .selectFrom('one_time_secrets')
        .selectAll()
        .where('purpose', '=', purpose)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('subject')
      return oneTimeSecretTable.all(userId === undefined ? open : open.where('user_id', '=', userId))
    },
    /** Counts those of a purpose and user that are valid at `now`. */
    countOpen: (purpose: string, now: Seconds, userId: number): Promise<number> =>
      countRows(
        db
          .selectFrom('one_time_secrets')
          .where('purpose', '=', purpose)
          .where('expires_at', '>', now)
          .where('user_id', '=', userId),
      ),
    /** Removes one, of this user where one is named, and returns it; `undefined` when there is none. */
    async remove(purpose: string, subject: string, userId?: number): Promise<OneTimeSecret | undefined> {
      const named = db
        .deleteFrom('one_time_secrets')
        .where('purpose', '=', purpose)
        .where('subject', '=', storableText(subject))
      const owned = userId === undefined ? named : named.where('user_id', '=', userId)
      return oneTimeSecretTable.first(owned.returningAll())
    },
    /** Removes the secrets of these users; counted attempts stay. */
    async deleteOfUsers(userIds: readonly number[]): Promise<void> {
      const named = userIds.filter((id) => id !== 0)
      await db.deleteFrom('one_time_secrets').where(dialect.isOneOf('user_id', named)).execute()
    },
    async deleteExpired(now: Seconds): Promise<void> {
      await db.deleteFrom('one_time_secrets').where('expires_at', '<=', now).execute()
    },
  }
}

/** Counted tries, each a row without a secret. */
function createAttemptCounts({ db }: Connection) {
  return {
    /**
     * Counts an attempt at a secret that is stored elsewhere, such as a password. False, and nothing counted, when the
     * window that the first attempt opened has had `maximum`.
     */
    async countAttempt(
      purpose: string,
      subject: string,
      now: Seconds,
      { max, windowSeconds }: AttemptLimit,
    ): Promise<boolean> {
      const expiresAt = now + windowSeconds
      const secret = { purpose, subject, secretHash: '', data: '', createdAt: now, expiresAt }
      const first = { ...secret, userId: 0, attempts: 1 }
      return hasRow(
        db
          .insertInto('one_time_secrets')
          .values(oneTimeSecretTable.insertion(first))
          .onConflict((known) =>
            known
              .columns(['purpose', 'subject'])
              .doUpdateSet({
                attempts: sql`case when one_time_secrets.expires_at <= ${now} then 1 else one_time_secrets.attempts + 1 end`,
                expires_at: sql`case when one_time_secrets.expires_at <= ${now} then ${expiresAt} else one_time_secrets.expires_at end`,
              })
              .where(({ or, eb }) =>
                or([eb('one_time_secrets.attempts', '<', max), eb('one_time_secrets.expires_at', '<=', now)]),
              ),
          )
          .returning('purpose'),
      )
    },
    /** Returns the end of the window of counted attempts; `undefined` where none are counted. */
    async attemptsEnd(purpose: string, subject: string): Promise<Seconds | undefined> {
      const counted = db.selectFrom('one_time_secrets').select('expires_at').where('purpose', '=', purpose)
      return (await counted.where('subject', '=', subject).executeTakeFirst())?.expires_at
    },
    /** Forgets all counted attempts whose purpose begins so; returns how many counts there were. */
    async forgetAttempts(purposePrefix: string): Promise<number> {
      const forgotten = db.deleteFrom('one_time_secrets').where('purpose', 'like', `${purposePrefix}%`)
      const rows = await forgotten.returning('attempts').execute()
      return rows.filter(({ attempts }) => attempts > 0).length
    },
    /** Uncounts a right attempt. */
    async refundAttempt(purpose: string, subject: string): Promise<void> {
      await db
        .updateTable('one_time_secrets')
        .set({ attempts: sql`attempts - 1` })
        .where('purpose', '=', purpose)
        .where('subject', '=', subject)
        .where('attempts', '>', 0)
        .execute()
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    one_time_secrets: RowOf<typeof oneTimeSecretTable>
  }
}

export type OneTimeSecretRepository = ReturnType<typeof createOneTimeSecretRepository>
