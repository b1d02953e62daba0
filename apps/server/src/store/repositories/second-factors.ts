import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { SecondFactor, SecondFactorRepository } from '../second-factor-repository.ts'
import type { SecondFactorRow } from '../tables.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<SecondFactor> = {
  userId: integer('user_id'),
  secretSealed: text('secret_sealed'),
  lastStep: integer('last_step'),
  createdAt: integer('created_at'),
}

export function createSecondFactorRepository({ db, transaction }: Connection): SecondFactorRepository {
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
    async find(userId) {
      const row = await db
        .selectFrom('second_factors')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    create: (factor, codeHashes) =>
      transaction(async ({ db: tx }) => {
        const row = writeColumns<SecondFactor, SecondFactorRow>(fields, factor)
        await tx
          .insertInto('second_factors')
          .values({ ...row, tries: 0, tries_since: 0 })
          .execute()
        await tx.deleteFrom('recovery_codes').where('user_id', '=', factor.userId).execute()
        await addCodes(tx, factor.userId, codeHashes)
      }),
    async countAttempt(userId, now, { maximum, windowSeconds }) {
      const windowStart = now - windowSeconds
      const row = await db
        .updateTable('second_factors')
        .set({
          tries: sql`case when tries_since <= ${windowStart} then 1 else tries + 1 end`,
          tries_since: sql`case when tries_since <= ${windowStart} then ${now} else tries_since end`,
        })
        .where('user_id', '=', userId)
        .where(({ or, eb }) => or([eb('tries', '<', maximum), eb('tries_since', '<=', windowStart)]))
        .returningAll()
        .executeTakeFirst()
      return row && readEntity(fields, row)
    },
    async useStep(userId, step) {
      const used = await db
        .updateTable('second_factors')
        .set({ last_step: step, tries: 0 })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .returning('user_id')
        .executeTakeFirst()
      return used !== undefined
    },
    useRecoveryCode: (userId, codeHash) =>
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
    replaceRecoveryCodes: (userId, codeHashes) =>
      transaction(async ({ db: tx }) => {
        await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
        await addCodes(tx, userId, codeHashes)
      }),
    async countRecoveryCodes(userId) {
      const counted = await db
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('left'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(counted.left)
    },
    delete: (userId) =>
      transaction(async ({ db: tx }) => {
        await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
        await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
      }),
  }
}
