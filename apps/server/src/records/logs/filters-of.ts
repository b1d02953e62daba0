import type { UserRepository } from '../../store/accounts/users.ts'
import type { LogFilter } from '../../store/log/index/log-row.ts'
import { type AdminLogQuery, toLogFilter } from './log-filter.ts'

/**
 * The filters of a query: one for each user that has or had its name, the newest first, and one for everyone without a
 * name. By id, so that a later rename loses no rows. None when no row can match.
 */
export async function filtersOf(
  users: Pick<UserRepository, 'idsByUsername'>,
  query: AdminLogQuery,
): Promise<LogFilter[]> {
  const filter = toLogFilter(query)
  if (filter === undefined) return []
  if (!query.username) return [filter]
  const ids = (await users.idsByUsername(query.username)).toSorted((a, b) => b - a)
  return ids.map((userId) => ({ ...filter, userId }))
}
