import { calls, type Drawing, type TaskEntry } from '@tollgate/api'
import type { ChoicesQuery, ListSource } from '../../components/list/index.ts'
import { request, requestWithExtra } from '../../lib/api-client.ts'
import { type TimeRange, type Times, timesOf } from '../../lib/time-range.ts'
import type { DrawingsSearch, TasksSearch } from './search.ts'

/** What is shown at first: drawings are looked back on, tasks watched. */
export const drawingsRange: TimeRange = '30d'
export const tasksRange: TimeRange = 'today'

/** Work under way moves on while it is looked at. */
export const refreshMs = 10_000
export const pageSizeAtFirst = 10

export function drawingsSource(admin: boolean, search: Omit<DrawingsSearch, 'page'>): ListSource<Drawing> {
  const { id, channel, ...times } = search
  return {
    queryKey: ['drawings'],
    filter: { admin, ...search },
    async read({ page, pageSize }, signal) {
      const query = { mj_id: id, ...timesQuery(times, drawingsRange, 1000), p: page - 1, page_size: pageSize }
      const { data, extra } = admin
        ? await requestWithExtra(calls.drawings.list, { query: { ...query, channel_id: channel }, signal })
        : await requestWithExtra(calls.drawings.listSelf, { query, signal })
      return { rows: data, total: extra.total }
    },
  }
}

export function tasksSource(admin: boolean, search: Omit<TasksSearch, 'page'>): ListSource<TaskEntry> {
  const { id, channel, platform, action, status, ...times } = search
  return {
    queryKey: ['tasks'],
    filter: { admin, ...search },
    async read({ page, pageSize }, signal) {
      const filter = { task_id: id, platform, action, status, ...timesQuery(times, tasksRange, 1) }
      const query = { ...filter, p: page - 1, page_size: pageSize }
      const { data, extra } = admin
        ? await requestWithExtra(calls.tasks.list, { query: { ...query, channel_id: channel }, signal })
        : await requestWithExtra(calls.tasks.listSelf, { query, signal })
      return { rows: data, total: extra.total }
    },
  }
}

/** @param unit what the call counts in: 1 for seconds, 1000 for milliseconds */
function timesQuery(times: Times, fallback: TimeRange, unit: number) {
  const { from, to } = timesOf(times, new Date(), fallback)
  return {
    start_timestamp: from === undefined ? undefined : from * unit,
    end_timestamp: to === undefined ? undefined : to * unit,
  }
}

export const channelChoicesQuery: ChoicesQuery = {
  queryKey: ['tasks', 'choices', 'channels'],
  queryFn: async ({ signal }) => {
    const channels = await request(calls.channels.list, { query: { p: 0, page_size: 100 }, signal })
    return channels.map(({ id, name }) => ({ value: String(id), label: name, hint: `#${id}` }))
  },
}
