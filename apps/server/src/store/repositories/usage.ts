import type { Session } from '../database.ts'
import type { Seconds } from '../entities.ts'
import { logRowStatements } from '../flush/log-rows.ts'
import type { UsageRepository } from '../store.ts'

export function createUsageRepository(session: Session): UsageRepository {
  return {
    async append(rows) {
      if (rows.length === 0) return
      await session.beforeLogRows(rows)
      const locks = session.words.beforeLogRows.map((sql) => ({ sql, parameters: [] }))
      await session.batch([...locks, ...logRowStatements(rows, session.words)])
      session.afterLogRows(rows.length)
    },
    page: (filter, page, size) => session.read('readPage', filter, page, size),
    sumQuota: (filter) => session.read('readQuota', filter),
    async clearBefore(before, progress) {
      // First, so that the audit never misses a row that it still expects.
      await moveBoundary(session, before)
      let total = 0
      await session.clearLogRows(before, (rows) => {
        total += rows
        progress?.(total)
      })
      return total
    },
    recent: (filter, since) => session.read('readRecent', filter, since),
  }
}

/** The log may lack rows older than this from now on; never goes back. */
async function moveBoundary({ db }: Session, before: Seconds): Promise<void> {
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
