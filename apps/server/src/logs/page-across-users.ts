import type { LogFilter, LogRow } from '../store/log-index/log-row.ts'
import type { UsageRepository } from '../store/repositories/usage.ts'

interface Rows {
  readonly rows: LogRow[]
  readonly total: number
}

/**
 * One page over the logs of several users, one user after the other in the order of `userIds`. A name belongs to one
 * user at a time, so the users that once had it, newest first, give the rows newest first. Unlike a merge, the cost
 * does not grow with the page number.
 */
export async function pageAcrossUsers(
  usage: UsageRepository,
  filter: LogFilter,
  userIds: readonly number[],
  page: number,
  size: number,
): Promise<Rows> {
  const rows: LogRow[] = []
  let skip = (page - 1) * size
  let total = 0
  for (const userId of userIds) {
    const part = await slice(usage, { ...filter, userId }, skip, size - rows.length)
    rows.push(...part.rows)
    total += part.total
    skip = Math.max(0, skip - part.total)
  }
  return { rows, total }
}

/** `count` rows from `offset` on, assembled from complete pages. */
async function slice(
  usage: UsageRepository,
  filter: LogFilter,
  offset: number,
  count: number,
): Promise<Rows> {
  const size = Math.max(count, 1)
  const page = Math.floor(offset / size) + 1
  const first = await usage.page(filter, page, size)
  const inside = offset % size
  const reachesNext = inside > 0 && count > 0 && page * size < first.total
  const second = reachesNext ? (await usage.page(filter, page + 1, size)).rows : []
  return { rows: [...first.rows, ...second].slice(inside, inside + count), total: first.total }
}
