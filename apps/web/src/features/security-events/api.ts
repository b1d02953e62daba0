import { calls, type SecurityEventRow } from '@tollgate/api'
import type { ListSource } from '../../components/list/index.ts'
import { knownEventKind } from '../../components/security-events/event-words.tsx'
import { request, requestContent } from '../../lib/api/api-client.ts'
import { saveResponse } from '../../lib/browser/save-file.ts'
import { timesOf } from '../../lib/format/range-times.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import { dateNow } from '../../lib/server-clock.ts'
import type { SecurityEventSearch } from './search.ts'

export type SecurityEventFilter = Omit<SecurityEventSearch, 'page'>

/** Returns the source of events about all accounts, newest first. */
export function securityEventSource(filter: SecurityEventFilter): ListSource<SecurityEventRow> {
  return {
    queryKey: ['security-events'],
    filter,
    async read({ page, pageSize }, signal) {
      const query = { ...queryOf(filter), p: page, page_size: pageSize }
      const { items, total } = await request(calls.securityEvents.list, { query, signal })
      return { rows: items, total }
    },
  }
}

/** Saves the filtered events as a file of CSV. */
export async function exportSecurityEvents(filter: SecurityEventFilter): Promise<void> {
  const query = { ...queryOf(filter), ...clockHere() }
  await saveResponse(await requestContent(calls.securityEvents.export, { query }))
}

function queryOf({ user, kind, address, ...times }: SecurityEventFilter) {
  const { from, to } = timesOf(times, dateNow(), 'all')
  return {
    username: user,
    kind: knownEventKind(kind),
    address,
    start_timestamp: from,
    end_timestamp: to,
  }
}
