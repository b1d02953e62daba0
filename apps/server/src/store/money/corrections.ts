import type { Connection } from '../database.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { ChargeSums } from '../log/rows/charge-sums.ts'
import { RollupSums } from '../log/rows/rollup-sums.ts'
import type { BatchStatement } from '../program.ts'
import { hasRow, type Page, type PageOf, readPage } from '../queries.ts'
import {
  defineTable,
  type EntityOf,
  flag,
  generatedId,
  integer,
  json,
  type RowOf,
  text,
} from '../schema/table.ts'
import type { Quota, Seconds } from '../units.ts'
import { chargeStatements } from './flush/charge-statements.ts'
import { ledgerEntryTable } from './ledger.ts'

/**
 * `preparing`: its calls are written down, no money has moved. `applying` and `taking-back`: money moves user by user, and goes on after
 * a crash.
 */
export type CorrectionState = 'preparing' | 'applying' | 'applied' | 'taking-back' | 'taken-back'

/** Charges that were made at a wrong price, and what they are by the right one. */
export const correctionTable = defineTable('corrections', {
  id: generatedId(),
  createdAt: integer(),
  actorId: integer(),
  actorName: text(),
  /** The users read it. */
  reason: text(),
  /** Selection of calls and terms, as it was requested. */
  selection: json<object>(),
  state: text<CorrectionState>(),
  /** Calls whose charge changes. */
  calls: integer(),
  users: integer(),
  /** Additional charge; below zero for a credit to users. */
  amount: integer(),
  /** 0 until all of it is applied. */
  endedAt: integer(),
  /** 0 unless it was taken back. */
  takenBackAt: integer(),
  takenBackId: integer(),
  takenBackBy: text(),
  takenBackReason: text(),
})
export type Correction = EntityOf<typeof correctionTable>

/** Addition of a correction to the charges of one user in a quarter hour, by model, key and channel. */
export const correctionSumTable = defineTable('correction_sums', {
  correctionId: integer(),
  userId: integer(),
  /** Beginning of the quarter; of the hour in corrections from before there were quarters. */
  hour: integer(),
  model: text(),
  tokenId: integer(),
  channelId: integer(),
  calls: integer(),
  amount: integer(),
  /** Addition for calls whose cost is known. */
  costedQuota: integer(),
  applied: flag(),
})
export type CorrectionSum = Omit<EntityOf<typeof correctionSumTable>, 'correctionId' | 'applied'>

/** Addition of a correction to the charge of one call. */
export const correctedChargeTable = defineTable('corrected_charges', {
  logId: integer(),
  correctionId: integer(),
  amount: integer(),
})
export type CorrectedCharge = Omit<EntityOf<typeof correctedChargeTable>, 'correctionId'>

/** One step of a correction: the charges of some users change, in every book. */
export interface CorrectionStep {
  readonly id: number
  readonly userIds: readonly number[]
  /** Set for a step that takes back what was applied. */
  readonly isTakingBack: boolean
  readonly at: Seconds
  readonly actorId: number
}

/** @param createStoreOn creates the store for the caller's part of a transaction */
export function createCorrectionRepository<Tx>(
  connection: Connection,
  createStoreOn: (transaction: Connection) => Tx,
) {
  const { db, dialect } = connection

  const sumsOf = async (
    { db: over }: Pick<Connection, 'db'>,
    { id, userIds, isTakingBack }: Pick<CorrectionStep, 'id' | 'userIds' | 'isTakingBack'>,
  ): Promise<readonly CorrectionSum[]> =>
    correctionSumTable.all(
      over
        .selectFrom('correction_sums')
        .selectAll()
        .where('correction_id', '=', id)
        .where('applied', '=', isTakingBack ? 1 : 0)
        .where(dialect.isOneOf('user_id', userIds))
        .orderBy('user_id'),
    )

  return {
    async create(correction: Omit<Correction, 'id'>): Promise<number> {
      const row = correctionTable.insertion(correction)
      const created = await db.insertInto('corrections').values(row).returning('id').executeTakeFirstOrThrow()
      return created.id
    },
    async find(id: number): Promise<Correction | undefined> {
      return correctionTable.first(db.selectFrom('corrections').selectAll().where('id', '=', id))
    },
    /** Newest first. */
    page: (page: Page): Promise<PageOf<Correction>> =>
      readPage(correctionTable, db.selectFrom('corrections').selectAll().orderBy('id', 'desc'), page),
    /** Those that a crash has left half done, oldest first. */
    listUnfinished: (): Promise<Correction[]> =>
      correctionTable.all(
        db
          .selectFrom('corrections')
          .selectAll()
          .where('state', 'in', ['preparing', 'applying', 'taking-back'])
          .orderBy('id'),
      ),
    /** Looks for a correction in force: without one, charges are those of their rows. */
    hasApplied: (): Promise<boolean> =>
      hasRow(db.selectFrom('corrections').select('id').where('state', '=', 'applied').limit(1)),
    /** False when it is in another state by now. */
    change: (id: number, from: CorrectionState, change: Partial<Correction>): Promise<boolean> =>
      hasRow(
        db
          .updateTable('corrections')
          .set(correctionTable.change(change))
          .where('id', '=', id)
          .where('state', '=', from)
          .returning('id'),
      ),
    ...createAdditions(connection),
    /** Forgets a correction that has moved no money. */
    discard: (id: number): Promise<void> =>
      connection.transaction(async ({ db: tx }) => {
        await tx.deleteFrom('corrected_charges').where('correction_id', '=', id).execute()
        await tx.deleteFrom('correction_sums').where('correction_id', '=', id).execute()
        await tx.deleteFrom('corrections').where('id', '=', id).where('state', '=', 'preparing').execute()
      }),
    /** Users of a correction whose step is still to come, in the order of their ids. */
    async listOpenUsers(id: number, isTakingBack: boolean, limit: number): Promise<number[]> {
      const rows = await db
        .selectFrom('correction_sums')
        .select('user_id')
        .distinct()
        .where('correction_id', '=', id)
        .where('applied', '=', isTakingBack ? 1 : 0)
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** Lists the sums that a step has to move. */
    listOpenSums: (step: Pick<CorrectionStep, 'id' | 'userIds' | 'isTakingBack'>) => sumsOf(connection, step),
    /**
     * One transaction: balances, used quota and ledger entries of users and keys, used quota of channels, hourly charges and rollups.
     * Returns `false`, and changes nothing, when the step was made before.
     * @param work runs in the same transaction
     */
    settle: (
      step: CorrectionStep,
      work: (tx: Tx, sums: readonly CorrectionSum[]) => Promise<void>,
    ): Promise<boolean> =>
      connection.transaction(async (transaction) => {
        // A flush takes its locks before those of accounts: another order here could deadlock.
        const locks = [...dialect.makeDurable, ...dialect.beforeFlush]
        await transaction.batch(locks.map((sql) => ({ sql, parameters: [] })))
        const sums = await sumsOf(transaction, step)
        if (sums.length === 0) return false
        await transaction.batch([...stepStatements(step, sums, dialect)])
        await work(createStoreOn(transaction), sums)
        return true
      }),
    /** Lists the additions of corrections in force to the charges of these rows of the log, by their ids. */
    async listChanges(logIds: readonly number[]): Promise<ReadonlyMap<number, Quota>> {
      if (logIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('corrected_charges')
        .innerJoin('corrections', 'corrections.id', 'corrected_charges.correction_id')
        .select(['log_id', 'corrected_charges.amount'])
        .where('state', '=', 'applied')
        .where(dialect.isOneOf('log_id', logIds))
        .execute()
      const changes = new Map<number, Quota>()
      for (const { log_id, amount } of rows) changes.set(log_id, (changes.get(log_id) ?? 0) + amount)
      return changes
    },
  }
}

/** Writers of a correction's changes, before any money moves. */
function createAdditions({ batch, dialect }: Connection) {
  return {
    async addCharges(correctionId: number, charges: readonly CorrectedCharge[]): Promise<void> {
      const rows = charges.map((charge) => correctedChargeTable.values({ ...charge, correctionId }))
      await batch([dialect.insertRows('corrected_charges', correctedChargeTable.columnTypes, rows, '')])
    },
    async addSums(correctionId: number, sums: readonly CorrectionSum[]): Promise<void> {
      const rows = sums.map((sum) => correctionSumTable.values({ ...sum, correctionId, applied: false }))
      await batch([dialect.insertRows('correction_sums', correctionSumTable.columnTypes, rows, '')])
    },
  }
}

/** Returns the statements of a step: a correction is a charge without a call, at the time of the calls that it corrects. */
function* stepStatements(
  step: CorrectionStep,
  sums: readonly CorrectionSum[],
  dialect: SqlDialect,
): Generator<BatchStatement, void> {
  const { id, isTakingBack } = step
  const charges = new ChargeSums()
  const rollup = new RollupSums()
  for (const { userId, tokenId, channelId, hour, model, ...sum } of sums) {
    const sign = isTakingBack ? -1 : 1
    const change = { quota: sign * sum.amount, costedQuota: sign * sum.costedQuota, at: hour }
    charges.correct('user', userId, change)
    if (tokenId !== 0) charges.correct('token', tokenId, change)
    charges.correct('channel', channelId, change)
    rollup.correct({ userId, model, ...change })
  }
  yield* chargeStatements({ charges, rollup }, dialect)
  yield insertEntries(step, charges, dialect)
  yield {
    sql: `update correction_sums set applied = ? where correction_id = ? and applied = ?
      and user_id in (${step.userIds.map(() => '?').join(', ')})`,
    parameters: [isTakingBack ? 0 : 1, id, isTakingBack ? 1 : 0, ...step.userIds],
  }
}

const { id: _generated, ...entryColumns } = ledgerEntryTable.columnTypes

function insertEntries(
  { id, at, actorId }: CorrectionStep,
  charges: ChargeSums,
  dialect: SqlDialect,
): BatchStatement {
  const total = charges.total()
  const entries = (['user', 'token'] as const).flatMap((kind) =>
    [...total[kind].values()]
      .filter(({ quota }) => quota !== 0)
      .map((charge) => [kind, charge.id, 'correction', -charge.quota, at, actorId, String(id)]),
  )
  return dialect.insertRows('ledger_entries', entryColumns, entries, '')
}

export type CorrectionRepositoryOf<Tx> = ReturnType<typeof createCorrectionRepository<Tx>>

declare module '../schema/tables.ts' {
  interface Tables {
    corrections: RowOf<typeof correctionTable>
    correction_sums: RowOf<typeof correctionSumTable>
    corrected_charges: RowOf<typeof correctedChargeTable>
  }
}
