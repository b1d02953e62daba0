import { queryOptions } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import type { ListSource } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api/api-client.ts'
import { timesOf } from '../../lib/format/range-times.ts'
import type { TimeRange, Times } from '../../lib/format/time-range.ts'
import { dateNow } from '../../lib/server-clock.ts'
import { type Job, jobKey } from './job.ts'
import type { JobSearch } from './search.ts'

/** Default ranges of the lists: drawings are looked back on, tasks watched. */
export const drawingsRange: TimeRange = '30d'
export const tasksRange: TimeRange = 'today'

/** Work under way moves on while it is looked at. */
export const refreshMs = 5_000
export const pageSizeAtFirst = 50

type JobFilter = Omit<JobSearch, 'page' | 'open'>

/** Source of a list's rows, and the search for one of them. */
export interface JobSource {
  readonly list: (admin: boolean, filter: JobFilter) => ListSource<Job>
  /** Jobs with this id of the upstream's, of any time. */
  readonly withId: (admin: boolean, id: string, signal: AbortSignal) => Promise<readonly Job[]>
}

export const drawingsSource: JobSource = {
  list: (admin, filter) => ({
    queryKey: ['drawings'],
    filter: { admin, ...filter },
    async read({ page, pageSize }, signal) {
      const { id, channel, user, ...times } = filter
      const query = { mj_id: id, ...timesQuery(times, drawingsRange, 1000), p: page - 1, page_size: pageSize }
      const { data, extra } = admin
        ? await requestWithExtra(calls.drawings.list, {
            query: { ...query, channel_id: channel, username: user },
            signal,
          })
        : await requestWithExtra(calls.drawings.listSelf, { query, signal })
      return { rows: data, total: extra.total }
    },
  }),
  withId: (admin, mj_id, signal) =>
    request(admin ? calls.drawings.list : calls.drawings.listSelf, { query: { mj_id }, signal }),
}

export const tasksSource: JobSource = {
  list: (admin, search) => ({
    queryKey: ['tasks'],
    filter: { admin, ...search },
    async read({ page, pageSize }, signal) {
      const { id, channel, user, platform, action, status, ...times } = search
      const filter = { task_id: id, platform, action, status, ...timesQuery(times, tasksRange, 1) }
      const query = { ...filter, p: page - 1, page_size: pageSize }
      const { data, extra } = admin
        ? await requestWithExtra(calls.tasks.list, {
            query: { ...query, channel_id: channel, username: user },
            signal,
          })
        : await requestWithExtra(calls.tasks.listSelf, { query, signal })
      return { rows: data, total: extra.total }
    },
  }),
  withId: (admin, task_id, signal) =>
    request(admin ? calls.tasks.list : calls.tasks.listSelf, { query: { task_id }, signal }),
}

/** The job that an address names, when it is not on screen. */
export function jobQuery(source: JobSource, admin: boolean, key: string) {
  const { queryKey } = source.list(admin, {})
  return queryOptions({
    queryKey: [...queryKey, 'one', { admin, key }],
    queryFn: async ({ signal }) =>
      (await source.withId(admin, key, signal)).find((job) => jobKey(job) === key) ?? null,
  })
}

/** @param unit what the call counts in: 1 for seconds, 1000 for milliseconds */
function timesQuery(times: Times, fallback: TimeRange, unit: number) {
  const { from, to } = timesOf(times, dateNow(), fallback)
  return {
    start_timestamp: from === undefined ? undefined : from * unit,
    end_timestamp: to === undefined ? undefined : to * unit,
  }
}
