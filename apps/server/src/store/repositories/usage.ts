import type { Session } from '../database.ts'
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
    recent: (filter, since) => session.read('readRecent', filter, since),
  }
}
