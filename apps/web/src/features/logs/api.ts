import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { calls, type LogEntry, type logTopFigures } from '@tollgate/api'
import { type ChoicesQuery, choicesOf, groupChoices, type ListSource } from '../../components/list/index.ts'
import { request } from '../../lib/api/api-client.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import { dateNow } from '../../lib/server-clock.ts'
import { findByNumber, isEntry, type ReadRows, rowsPerLookup } from './entry/find-entry.ts'
import { isOfCalls, type LogFilter, queryOf } from './log-filter.ts'
import { type LogRow, toRows } from './log-row.ts'
import { isAboutCall } from './log-type.ts'

/** Everyone's rows for administrators, one's own for everyone else. */
interface Reader {
  readonly admin: boolean
}

/** Opening the log reads it anew, except for a response that came while the page was being drawn. */
export const freshMs = 2000

export interface LogView extends Reader {
  readonly filter: LogFilter
  /** Ranks the rows by a figure; without it the newest come first. */
  readonly sort?: LogSort | undefined
}

export type LogSort = (typeof logTopFigures)[number]

/** Times that count back from now are worked out anew with every call; the key holds their name only. */
export function logsSource({ admin, filter, sort }: LogView): ListSource<LogRow> {
  return {
    queryKey: ['logs'],
    filter: { admin, sort, ...filter },
    async read({ page, pageSize }, signal) {
      if (sort !== undefined) return await readTop({ admin, filter, sort }, signal)
      const query = { ...queryOf(filter, dateNow(), admin), p: page, page_size: pageSize }
      const { items, total } = await request(admin ? calls.logs.list : calls.logs.listSelf, { query, signal })
      return { rows: toRows(items), total }
    },
  }
}

/** Reads how far a ranking was searched. */
export function logTopQuery({ admin, filter, sort }: LogView) {
  return queryOptions({
    queryKey: ['logs', 'top', { admin, filter, sort }],
    queryFn: ({ signal }) =>
      request(admin ? calls.logs.top : calls.logs.topSelf, {
        query: { ...queryOf(filter, dateNow(), admin), by: sort, size: 1 },
        signal,
      }),
    staleTime: 60_000,
  })
}

async function readTop({ admin, filter, sort }: LogView, signal: AbortSignal) {
  const query = { ...queryOf(filter, dateNow(), admin), by: sort }
  const { items } = await request(admin ? calls.logs.top : calls.logs.topSelf, { query, signal })
  return { rows: toRows(items), total: items.length }
}

/** Reads the costs of the filter's calls, and the load of the last minute under it. */
export function logStatQuery({ admin, filter }: LogView) {
  return queryOptions({
    queryKey: ['logs', 'stat', { admin, filter }],
    queryFn: ({ signal }) =>
      request(admin ? calls.logs.stat : calls.logs.statSelf, {
        query: queryOf(filter, dateNow(), admin),
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  })
}

/** Calls and errors under the filter over its times. */
export function logHistogramQuery({ admin, filter }: LogView) {
  return queryOptions({
    queryKey: ['logs', 'histogram', { admin, filter }],
    queryFn: ({ signal }) => {
      const now = dateNow()
      return request(admin ? calls.logs.histogram : calls.logs.histogramSelf, {
        query: { ...queryOf(filter, now, admin), ...clockHere(now) },
        signal,
      })
    },
    enabled: isOfCalls(filter),
    placeholderData: keepPreviousData,
    staleTime: freshMs,
  })
}

/** Failed calls under the filter by what they have in common. */
export function logFailuresQuery({ admin, filter }: LogView) {
  return queryOptions({
    queryKey: ['logs', 'failures', { admin, filter }],
    queryFn: ({ signal }) =>
      request(admin ? calls.logs.failures : calls.logs.failuresSelf, {
        query: queryOf({ ...filter, type: undefined }, dateNow(), admin),
        signal,
      }),
    staleTime: 0,
  })
}

/** The row of a call that has just ended may take a moment to be written. */
const retryLookupMs = 1000
const maxLookups = 4

/** Rows never change once written; one that is not there yet is looked for a few times. */
const retryUntilFound = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({
    state,
  }: {
    readonly state: { readonly data: unknown; readonly dataUpdateCount: number }
  }) => (state.data === null && state.dataUpdateCount < maxLookups ? retryLookupMs : false),
} as const

/** The row of a request. Other people's are not found, unless one is an administrator. */
export function requestQuery({ admin, id }: Reader & { readonly id: string }) {
  return queryOptions({
    queryKey: ['logs', 'request', { admin, id }],
    queryFn: ({ signal }) => findRequest(admin, id, signal),
    ...retryUntilFound,
  })
}

/** Finds the row of a request's charge; it may have more rows, such as what was given back later. */
async function findRequest(admin: boolean, id: string, signal: AbortSignal): Promise<LogEntry | null> {
  const { items } = await request(admin ? calls.logs.list : calls.logs.listSelf, {
    query: { request_id: id, p: 1, page_size: rowsPerLookup },
    signal,
  })
  return items.find(isAboutCall) ?? items[0] ?? null
}

/** One row by its request id or its number, from the page on screen when it is there. */
export function entryQuery(
  reader: Reader & {
    readonly entry: string
    readonly at: number | undefined
    readonly rows: readonly LogRow[] | undefined
  },
) {
  const { admin, entry, at, rows } = reader
  const known = rows?.find((row) => isEntry(row.entry, entry))?.entry
  return queryOptions({
    queryKey: ['logs', 'entry', { admin, entry, at }],
    queryFn: ({ signal }) =>
      /^\d{1,16}$/.test(entry)
        ? findByNumber(entry, at, rowReader(admin, signal))
        : findRequest(admin, entry, signal),
    ...retryUntilFound,
    ...(known && { initialData: known }),
  })
}

function rowReader(admin: boolean, signal: AbortSignal): ReadRows {
  return ({ from, to }, page) =>
    request(admin ? calls.logs.list : calls.logs.listSelf, {
      query: { start_timestamp: from, end_timestamp: to, p: page, page_size: rowsPerLookup },
      signal,
    })
}

/** A person, for the popover of a row. */
export function personQuery(id: number) {
  return queryOptions({
    queryKey: ['logs', 'person', id],
    queryFn: ({ signal }) => request(calls.userAdmin.get, { params: { id }, signal }),
  })
}

const choiceListSize = 100

export const tokenChoicesQuery: ChoicesQuery = {
  queryKey: ['logs', 'choices', 'tokens'],
  queryFn: async ({ signal }) => {
    const tokens = await request(calls.tokens.list, { query: { p: 0, size: choiceListSize }, signal })
    return choicesOf([...new Set(tokens.map(({ name }) => name))])
  },
}

export const modelChoicesQuery: ChoicesQuery = {
  queryKey: ['logs', 'choices', 'models'],
  queryFn: async ({ signal }) => choicesOf(await request(calls.users.models, { signal })),
}

/** The groups that the person may use. */
const ownGroupChoices: ChoicesQuery = {
  queryKey: ['logs', 'choices', 'groups'],
  queryFn: async ({ signal }) => {
    const groups = await request(calls.users.groups, { signal })
    return Object.entries(groups).map(([value, { desc }]) => ({ value, hint: desc }))
  },
}

export function groupChoicesFor({ admin }: Reader): ChoicesQuery {
  return admin ? groupChoices : ownGroupChoices
}
