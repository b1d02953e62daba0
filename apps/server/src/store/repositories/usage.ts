import type { Connection } from '../database.ts'
import type { Seconds } from '../entities.ts'
import { logRowStatements } from '../flush/log-rows.ts'
import type { UsageRepository } from '../usage-repository.ts'

export function createUsageRepository(connection: Connection): UsageRepository {
  return {
    async append(rows) {
      if (rows.length === 0) return
      await connection.beforeLogRows(rows)
      const locks = connection.dialect.beforeLogRows.map((sql) => ({ sql, parameters: [] }))
      await connection.batch([...locks, ...logRowStatements(rows, connection.dialect)])
      connection.afterLogRows(rows.length)
    },
    page: (filter, page, size) => connection.read('readPage', filter, page, size),
    sumQuota: (filter) => connection.read('readQuota', filter),
    batch: (filter, before, size) => connection.read('readBatch', filter, before, size),
    search: (search) => connection.read('readSearch', search),
    async clearBefore(before, progress, signal) {
      // First, so that the audit never misses a row that it still expects.
      await moveBoundary(connection, before)
      let total = 0
      const deleted = (rows: number) => {
        total += rows
        progress?.(total)
      }
      await connection.clearLogRows(before, deleted, signal)
      return total
    },
    recent: (filter, since) => connection.read('readRecent', filter, since),
  }
}

/** The log may lack rows older than this from now on; never goes back. */
async function moveBoundary({ db }: Connection, before: Seconds): Promise<void> {
  await db
    .insertInto('log_clearing')
    .values({ id: 1, cleared_before: before })
    .onConflict((known) =>
      known
        .column('id')
        .doUpdateSet({ cleared_before: before })
        .where('log_clearing.cleared_before', '<', before),
    )
    .execute()
}
