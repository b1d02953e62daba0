import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf, text, withDefault } from '../schema/table.ts'
import type { Seconds } from '../units.ts'
import { raiseCredentialsVersion, type VerifiedAccount } from './verified-account.ts'

/** The limit of attempts. */
export interface AttemptLimit {
  readonly max: number
  readonly windowSeconds: Seconds
}

export const secondFactorTable = defineTable('second_factors', {
  userId: integer(),
  /** The shared secret, sealed. */
  secretSealed: text(),
  /** Number of the time step of the last used code: it and earlier ones are worth nothing. */
  lastStep: integer(),
  /** Attempts since `triesSince`. */
  tries: withDefault(integer()),
  triesSince: withDefault(integer()),
  createdAt: integer(),
})
const secondFactors = secondFactorTable.pick(['userId', 'secretSealed', 'lastStep', 'createdAt'])

/** A person's time-based codes (RFC 6238). */
export type SecondFactor = EntityOf<typeof secondFactors>
type NewFactor = Omit<SecondFactor, 'userId'>

/**
 * Creates the repository of second factors. Each change of a factor or its codes ends the log-ins in flight, which the former ones
 * opened.
 */
export function createSecondFactorRepository(connection: Connection) {
  const { db, transaction } = connection

  async function addFactor(userId: number, factor: NewFactor, codeHashes: readonly string[]): Promise<void> {
    const row = secondFactorTable.insertion({ ...factor, userId })
    await db.insertInto('second_factors').values(row).execute()
    await replaceCodes(userId, codeHashes)
  }

  async function replaceCodes(userId: number, codeHashes: readonly string[]): Promise<void> {
    await raiseCredentialsVersion(connection, [userId])
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await addCodes(db, userId, codeHashes)
  }

  async function addCodes(
    tx: Connection['db'],
    userId: number,
    codeHashes: readonly string[],
  ): Promise<void> {
    if (codeHashes.length === 0) return
    const rows = codeHashes.map((hash) => ({ user_id: userId, code_hash: hash }))
    await tx.insertInto('recovery_codes').values(rows).execute()
  }

  return {
    async find(userId: number): Promise<SecondFactor | undefined> {
      return secondFactors.first(db.selectFrom('second_factors').selectAll().where('user_id', '=', userId))
    },
    /** Creates a factor with its recovery codes. Throws `DuplicateError` when the user has one. */
    create: (account: VerifiedAccount, factor: NewFactor, codeHashes: readonly string[]): Promise<void> =>
      addFactor(account.idIn(db), factor, codeHashes),
    /** Counts an attempt; `undefined` when there is no factor, or this window's attempts are used up. */
    async countAttempt(
      userId: number,
      now: Seconds,
      { max, windowSeconds }: AttemptLimit,
    ): Promise<SecondFactor | undefined> {
      const windowStart = now - windowSeconds
      return secondFactors.first(
        db
          .updateTable('second_factors')
          .set({
            tries: sql`case when tries_since <= ${windowStart} then 1 else tries + 1 end`,
            tries_since: sql`case when tries_since <= ${windowStart} then ${now} else tries_since end`,
          })
          .where('user_id', '=', userId)
          .where(({ or, eb }) => or([eb('tries', '<', max), eb('tries_since', '<=', windowStart)]))
          .returningAll(),
      )
    },
    /** Forgets the attempts at everybody's codes. */
    async forgetAttempts(): Promise<void> {
      await db.updateTable('second_factors').set({ tries: 0 }).where('tries', '>', 0).execute()
    },
    /** Marks a step as used and forgets the attempts; false when it, or a later one, was used before. */
    async useStep(userId: number, step: number): Promise<boolean> {
      return hasRow(
        db
          .updateTable('second_factors')
          .set({ last_step: step, tries: 0 })
          .where('user_id', '=', userId)
          .where('last_step', '<', step)
          .returning('user_id'),
      )
    },
    /** Removes a recovery code and forgets the attempts; false when there is none. */
    useRecoveryCode: (userId: number, codeHash: string): Promise<boolean> =>
      transaction(async ({ db: tx }) => {
        const used = await tx
          .deleteFrom('recovery_codes')
          .where('user_id', '=', userId)
          .where('code_hash', '=', codeHash)
          .returning('user_id')
          .executeTakeFirst()
        if (used === undefined) return false
        await tx.updateTable('second_factors').set({ tries: 0 }).where('user_id', '=', userId).execute()
        return true
      }),
    /** Replaces the earlier codes. */
    replaceRecoveryCodes: (account: VerifiedAccount, codeHashes: readonly string[]): Promise<void> =>
      replaceCodes(account.idIn(db), codeHashes),
    async countRecoveryCodes(userId: number): Promise<number> {
      const counted = await db
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('left'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(counted.left)
    },
    /** Deletes the factor with its recovery codes. */
    delete: (userId: number): Promise<void> =>
      transaction(async (tx) => {
        await raiseCredentialsVersion(tx, [userId])
        await tx.db.deleteFrom('second_factors').where('user_id', '=', userId).execute()
        await tx.db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
      }),
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    second_factors: RowOf<typeof secondFactorTable>
    recovery_codes: { user_id: number; code_hash: string }
  }
}

export type SecondFactorRepository = ReturnType<typeof createSecondFactorRepository>
