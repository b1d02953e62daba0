import { logTypes, nameOf } from '@tollgate/api'
import type { LogFilter, LogSearchResult } from '../store/log-index/log-row.ts'
import type { UsageRepository } from '../store/repositories/usage.ts'

const limit = 100
/** Most rows whose contents are searched: no index has them, and a search must not read a log of millions. */
const maxScanned = 2000

/** Contents of charged calls are not searched: their details are in `other`. */
const typesWithContent = ['top-up', 'management', 'system', 'error'] as const

/** The newest rows of a type, by its number; or those other than charges whose content begins with the keyword. */
export async function searchLog(
  usage: Pick<UsageRepository, 'page' | 'search'>,
  keyword: string,
  within: Pick<LogFilter, 'userId'>,
): Promise<LogSearchResult> {
  const type = /^\d+$/.test(keyword) ? nameOf(logTypes, Number(keyword)) : undefined
  if (type !== undefined) return { ...(await usage.page({ ...within, type }, 1, limit)), complete: true }
  return usage.search({ filter: { ...within, type: typesWithContent }, content: keyword, limit, maxScanned })
}
