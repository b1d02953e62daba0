import { queryOptions } from '@tanstack/react-query'
import {
  type AuditAction,
  type AuditRecordRow,
  type AuditTargetKind,
  auditActions,
  auditTargetKinds,
  calls,
} from '@tollgate/api'
import type { ListSource } from '../../components/list/index.ts'
import { request } from '../../lib/api/api-client.ts'
import { timesOf } from '../../lib/format/range-times.ts'
import type { AuditSearch } from './search.ts'

export type AuditFilter = Omit<AuditSearch, 'page' | 'record'>

/** What was done, newest first; nothing deletes from it. */
export function auditSource({
  actor,
  action,
  kind,
  target,
  range,
  from,
  to,
}: AuditFilter): ListSource<AuditRecordRow> {
  return {
    queryKey: ['audit'],
    filter: { actor, action, kind, target, range, from, to },
    async read({ page, pageSize }, signal) {
      const times = timesOf({ range, from, to }, new Date(), 'all')
      const { items, total } = await request(calls.auditLog.list, {
        query: {
          p: page,
          page_size: pageSize,
          actor,
          action: knownAction(action),
          target_kind: knownKind(kind),
          target_id: target,
          start_timestamp: times.from,
          end_timestamp: times.to,
        },
        signal,
      })
      return { rows: items, total }
    },
  }
}

/** One act, wherever in the log it stands. */
export const recordQuery = (id: number) =>
  queryOptions({
    queryKey: ['audit', 'one', id],
    queryFn: ({ signal }) => request(calls.auditLog.get, { params: { id }, signal }),
  })

/** `undefined` for a word that another version of the program wrote, or a hand in the address. */
export function knownAction(action: string | undefined): AuditAction | undefined {
  return auditActions.find((known) => known === action)
}

export function knownKind(kind: string | undefined): AuditTargetKind | undefined {
  return auditTargetKinds.find((known) => known === kind)
}
