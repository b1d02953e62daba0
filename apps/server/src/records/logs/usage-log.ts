import { type Language, type LogEntry, type LogTop, logTypes, nameOf } from '@tollgate/api'
import type { LogReader } from '@tollgate/api/log-events'
import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { LogFilter, LogRow, LogSearchResult } from '../../store/log/index/log-row.ts'
import type { TopFigure, TopRows } from '../../store/log/index/top.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { type AdminLogQuery, type LogQuery, toLogFilter } from './log-filter.ts'
import { type DisplaySettings, logReader } from './log-reader.ts'
import { adminView, ownView } from './log-view.ts'

export interface UsageLogDeps {
  readonly usage: UsageRepository
  readonly users: Pick<UserRepository, 'idsByUsername'>
  /** Empty for a channel that no longer exists. */
  readonly channelName: (id: number) => string
  readonly clock: Clock
  readonly settings: DisplaySettings
}

export interface LogPage {
  readonly items: LogEntry[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

/** `quota` under the whole filter; `rpm` and `tpm` over the last minute, whatever its times. */
export interface LogStat {
  readonly quota: number
  readonly rpm: number
  readonly tpm: number
}

interface Paging {
  readonly p: number
  readonly page_size: number
}

export interface Ranking {
  readonly by?: TopFigure | undefined
  readonly size?: number | undefined
}

interface KeyPaging extends Pick<Paging, 'p'> {
  readonly page_size?: number | undefined
}

/** Reading the usage log: everyone's for administrators, one's own for everyone. Rows that are no calls are sentences in the language. */
export interface UsageLog {
  list(query: AdminLogQuery & Paging, language: Language): Promise<LogPage>
  listOwn(userId: number, query: LogQuery & Paging, language: Language): Promise<LogPage>
  /** The rows of the query with the largest figures, over 31 days at most: the last day without times. */
  top(query: AdminLogQuery & Ranking, language: Language): Promise<LogTop>
  topOwn(userId: number, query: LogQuery & Ranking, language: Language): Promise<LogTop>
  stat(query: AdminLogQuery): Promise<LogStat>
  statOwn(userId: number, query: LogQuery): Promise<LogStat>
  /** The calls of one key, as its owner sees them. */
  listOfKey(tokenId: number, query: LogQuery & KeyPaging, language: Language): Promise<LogPage>
  search(keyword: string, language: Language): Promise<LogsFound>
  searchOwn(userId: number, keyword: string, language: Language): Promise<LogsFound>
}

/** The newest hundred rows of a search. */
export interface LogsFound {
  readonly items: LogEntry[]
  readonly total: number
  /** Set when `total` covers the complete log: a search for contents reads only its newest rows. */
  readonly complete: boolean
}

/** Rows of a ranking, and its span where none is named, and at most. */
const maxRanked = 100
const rankedSeconds = 86_400
const maxRankedSeconds = 31 * 86_400 + 7200
const statWindowSeconds = 60
/** Rows of a key in one response, where no size is named. */
const maxOfKey = 1000

export function createUsageLog(deps: UsageLogDeps): UsageLog {
  const { usage, users, channelName, clock } = deps
  const readerIn = (language: Language) => logReader(deps.settings, language)

  /** The people a query is about: `undefined` for everyone. By id, so that a later rename loses no rows. */
  async function idsOf(username: string | undefined): Promise<readonly number[] | undefined> {
    return username ? (await users.idsByUsername(username)).toSorted((a, b) => b - a) : undefined
  }

  async function rowsOf(
    filter: LogFilter | undefined,
    ids: readonly number[] | undefined,
    { p, page_size }: Paging,
  ): Promise<{ rows: LogRow[]; total: number }> {
    if (filter === undefined) return { rows: [], total: 0 }
    return ids === undefined
      ? usage.page(filter, p, page_size)
      : pageAcrossUsers(usage, filter, ids, p, page_size)
  }

  async function topOf(query: AdminLogQuery & Ranking, ids: readonly number[] | undefined): Promise<TopRows> {
    const { by = 'quota', size = maxRanked } = query
    const now = unixSeconds(clock)
    const to = Math.max(0, Math.min(query.end_timestamp || now, now))
    const from = query.start_timestamp || Math.max(0, to - rankedSeconds)
    if (to - from > maxRankedSeconds) throw new Refusal('log_range_over_month')
    const filter = toLogFilter({ ...query, type: query.type || logTypes.consumption })
    if (filter === undefined || ids?.length === 0) return { rows: [], complete: true, since: 0 }
    const within = { ...filter, from, to }
    // A name that several users had is that of the newest of them.
    const [userId] = ids ?? []
    return await usage.top(
      userId === undefined ? within : { ...within, userId },
      by,
      Math.min(size, maxRanked),
    )
  }

  async function statOf(filter: LogFilter): Promise<LogStat> {
    const [quota, recent] = await Promise.all([
      usage.sumQuota(filter),
      usage.recent(filter, unixSeconds(clock) - statWindowSeconds),
    ])
    return { quota, rpm: recent.requests, tpm: recent.tokens }
  }

  return {
    async list(query, language) {
      const reader = readerIn(language)
      const { rows, total } = await rowsOf(toLogFilter(query), await idsOf(query.username), query)
      return pageOf(
        rows.map((row) => adminView(row, channelName, reader)),
        total,
        query,
      )
    },
    async listOwn(userId, query, language) {
      const { rows, total } = await rowsOf(toLogFilter(query), [userId], query)
      return pageOf(ownViews(rows, readerIn(language)), total, query)
    },
    async top(query, language) {
      const reader = readerIn(language)
      const { rows, ...found } = await topOf(query, await idsOf(query.username))
      return { ...found, items: rows.map((row) => adminView(row, channelName, reader)) }
    },
    async topOwn(userId, query, language) {
      const { rows, ...found } = await topOf(query, [userId])
      return { ...found, items: ownViews(rows, readerIn(language)) }
    },
    async stat(query) {
      const filter = toLogFilter(query)
      if (filter === undefined) return nothing
      const ids = await idsOf(query.username)
      if (ids === undefined) return statOf(filter)
      const parts = await Promise.all(ids.map((userId) => statOf({ ...filter, userId })))
      return parts.reduce(sum, nothing)
    },
    async statOwn(userId, query) {
      const filter = toLogFilter(query)
      return filter === undefined ? nothing : statOf({ ...filter, userId })
    },
    async listOfKey(tokenId, { page_size = maxOfKey, ...rest }, language) {
      const query = { ...rest, page_size }
      const filter = toLogFilter(query)
      const { rows, total } =
        filter === undefined
          ? { rows: [], total: 0 }
          : await usage.page({ ...filter, tokenId }, query.p, query.page_size)
      return pageOf(ownViews(rows, readerIn(language)), total, query)
    },
    async search(keyword, language) {
      const reader = readerIn(language)
      const { rows, ...found } = await searchLog(usage, { keyword, reader }, {})
      return { ...found, items: rows.map((row) => adminView(row, channelName, reader)) }
    },
    async searchOwn(userId, keyword, language) {
      const reader = readerIn(language)
      const { rows, ...found } = await searchLog(usage, { keyword, reader }, { userId })
      return { ...found, items: ownViews(rows, reader) }
    },
  }
}

function ownViews(rows: readonly LogRow[], reader: LogReader): LogEntry[] {
  return rows.map((row) => ownView(row, reader))
}

const nothing: LogStat = { quota: 0, rpm: 0, tpm: 0 }

function sum(a: LogStat, b: LogStat): LogStat {
  return { quota: a.quota + b.quota, rpm: a.rpm + b.rpm, tpm: a.tpm + b.tpm }
}

function pageOf(items: LogEntry[], total: number, { p, page_size }: Paging): LogPage {
  return { items, total, page: p, page_size }
}

const limit = 100
/** Most rows whose contents are searched: no index has them, and a search must not read a log of millions. */
const maxScanned = 2000

/** Contents of charged calls are not searched: their details are in `other`. */
const typesWithContent = ['top-up', 'management', 'system', 'error'] as const

/** The newest rows of a type, by its number; or those other than charges whose content begins with the keyword. */
async function searchLog(
  usage: Pick<UsageRepository, 'page' | 'search'>,
  { keyword, reader }: { readonly keyword: string; readonly reader: LogReader },
  within: Pick<LogFilter, 'userId'>,
): Promise<LogSearchResult> {
  const type = /^\d+$/.test(keyword) ? nameOf(logTypes, Number(keyword)) : undefined
  if (type !== undefined) return { ...(await usage.page({ ...within, type }, 1, limit)), complete: true }
  const filter = { ...within, type: typesWithContent }
  return usage.search({ filter, content: keyword, reader, limit, maxScanned })
}

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
