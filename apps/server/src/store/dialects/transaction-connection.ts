import { CompiledQuery, type Kysely } from 'kysely'
import type { Connection } from '../database.ts'
import { BatchRefusedError } from '../errors.ts'
import { flushInProcess } from '../flush/flush-over.ts'
import { type Row, runProgramAsync, type Statement } from '../program.ts'
import { readProgram } from '../programs.ts'
import type { Tables } from '../schema/tables.ts'

/** The connection within a transaction: every query, a scanning read too, goes over its one connection. */
export function transactionConnection(connection: Connection, db: Kysely<Tables>): Connection {
  const execute = async ({ sql, parameters }: Statement) =>
    await db.executeQuery<Row>(CompiledQuery.raw(connection.dialect.placeholders(sql), [...parameters]))
  const joined: Connection = {
    ...connection,
    db,
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
    read: async (name, ...args) =>
      await runProgramAsync(readProgram(name, args), async (statement) => (await execute(statement)).rows),
    async clearLogRows() {
      throw new Error('the log is cleared in transactions of its own')
    },
  }
  return joined
}
