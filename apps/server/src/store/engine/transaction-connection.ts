import { CompiledQuery, type Kysely } from 'kysely'
import type { Connection } from '../database.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import { BatchRefusedError } from '../errors.ts'
import { flushInProcess } from '../money/flush/flush-over.ts'
import { type Program, type Row, runProgramAsync, type Statement } from '../program.ts'
import { createReadMemory, readProgram } from '../programs.ts'
import type { Tables } from '../schema/tables.ts'

/** The connection within a transaction: every query, a scanning read too, goes over its one connection. */
export function transactionConnection(
  { dialect, damage, afterLogRows }: Pick<Connection, 'dialect' | 'damage' | 'afterLogRows'>,
  db: Kysely<Tables>,
): Connection {
  const execute = executorOf(db, dialect)
  const joined: Connection = {
    db,
    dialect,
    damage,
    afterLogRows,
    transaction: (work) => work(joined),
    async batch(statements) {
      for (const { sql, parameters, expectedChanges, rows } of statements) {
        let changes = 0
        for (const row of rows ?? [parameters])
          changes += Number((await execute({ sql, parameters: row })).numAffectedRows)
        if (expectedChanges !== undefined && changes !== expectedChanges)
          throw new BatchRefusedError(`${changes} rows changed, not ${expectedChanges}`)
      }
    },
    flush: (request) => flushInProcess(joined, request),
    read: async (name, ...args) => await runOver(db, dialect, readProgram(name, args, createReadMemory())),
    async coverLogTimes() {
      throw new Error('partitions are added in transactions of their own')
    },
    async rewriteLogRows() {
      throw new Error('the log is rewritten in transactions of its own')
    },
    async clearLogRows() {
      throw new Error('the log is cleared in transactions of its own')
    },
  }
  return joined
}

/** Runs a program over an event loop's own connection. */
export async function runOver<Result>(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  program: Program<Result>,
): Promise<Result> {
  const execute = executorOf(db, dialect)
  return await runProgramAsync(program, async (statement) => (await execute(statement)).rows)
}

function executorOf(db: Kysely<Tables>, dialect: SqlDialect) {
  return async ({ sql, parameters }: Statement) =>
    await db.executeQuery<Row>(CompiledQuery.raw(dialect.placeholders(sql), [...parameters]))
}
