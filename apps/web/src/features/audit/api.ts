import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type AuditAction,
  type AuditRecordRow,
  type AuditTargetKind,
  auditActions,
  auditTargetKinds,
  calls,
  chargingOptions,
  isRevertible,
  type RevertibleAction,
} from '@tollgate/api'
import type { ListSource } from '../../components/list/index.ts'
import type { ChangeKind } from '../../components/stops/index.ts'
import { request } from '../../lib/api/api-client.ts'
import { rangeOf, timesOf } from '../../lib/format/range-times.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import { dateNow } from '../../lib/server-clock.ts'
import type { AuditSearch } from './search.ts'

export type AuditFilter = Omit<AuditSearch, 'page' | 'record'>

/** Returns the source of audited acts, newest first; nothing deletes from it. */
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
      const times = timesOf({ range, from, to }, dateNow(), 'all')
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

/** Calls and errors over the time that the list shows; of a list without bounds, over the last 30 days. */
export function callsQuery({ range, from, to }: Pick<AuditFilter, 'range' | 'from' | 'to'>) {
  return queryOptions({
    queryKey: ['audit', 'calls', { range, from, to }],
    queryFn: ({ signal }) => {
      const now = dateNow()
      const isOpen = rangeOf({ range, from, to }, 'all') === 'all'
      const times = timesOf(isOpen ? { range: '30d' } : { range, from, to }, now, 'all')
      return request(calls.logs.histogram, {
        query: {
          start_timestamp: times.from,
          end_timestamp: times.to,
          ...clockHere(now),
        },
        signal,
      })
    },
    placeholderData: keepPreviousData,
  })
}

const hour = 3600

/** Calls and errors in the hours around a change: of a channel's change its own. */
export function callsAroundQuery({ id, created_at, target_kind, target_id }: AuditRecordRow) {
  return queryOptions({
    queryKey: ['audit', 'around', id],
    queryFn: ({ signal }) =>
      request(calls.logs.histogram, {
        query: {
          start_timestamp: created_at - 2 * hour,
          end_timestamp: created_at + 2 * hour,
          ...clockHere(),
          ...(target_kind === 'channel' && { channel: target_id }),
        },
        signal,
      }),
  })
}

/** Takes a recorded change back. Anything on screen may show what it changed. */
export async function revertChange(client: QueryClient, id: number): Promise<void> {
  await request(calls.auditLog.revert, { params: { id } })
  await client.invalidateQueries()
}

/** Decides whether a record may hold a former state: the server looks closer. */
export function mayRevert({ action, before, after, reverted_by: revertedBy }: AuditRecordRow): boolean {
  // Money that a provider returned stays returned.
  if (action === 'top-up-order.refund' && !isRefundByHand(after)) return false
  return revertedBy === 0 && before !== '' && isRevertible(action)
}

function isRefundByHand(after: string): boolean {
  return after.includes('"way":"by-hand"') && !after.includes('"change_minor":-')
}

/** Reads one act, wherever in the log it is. */
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

type Act = Pick<AuditRecordRow, 'action' | 'target_name' | 'before'>

/** Kinds of changes that reverts are, or functions of the record that say so; none for one that charges nobody otherwise and stops nothing. */
const revertKinds: Readonly<
  Record<RevertibleAction, ChangeKind | undefined | ((act: Act) => ChangeKind | undefined)>
> = {
  'option.update': ofOption,
  'option.reset-model-ratio': ofOption,
  'model.price': 'price',
  'channel.update': 'channels',
  'channel.enable': 'channels',
  'channel.disable': 'channels',
  'channel.drain': 'channels',
  'channel.end-drain': 'channels',
  'channel.schedule': undefined,
  'channel.cancel-schedule': undefined,
  'group.create': 'removed-group',
  'group.update': ({ before }) => (before.includes('"is_open":false') ? 'closed-group' : 'group'),
  'group.rename': undefined,
  'group.remove': 'group',
  'user.update-many': undefined,
  'token.freeze': undefined,
  'top-up-order.refund': undefined,
  'log.goodwill': undefined,
  'status-incident.publish': undefined,
  'status-incident.update': undefined,
  'status-incident.unpublish': undefined,
}

/** Returns the kind of change that taking a record back is; `undefined` where nothing is asked before. */
export function revertKind(act: Act): ChangeKind | undefined {
  const kind = isRevertible(act.action) ? revertKinds[act.action] : undefined
  return typeof kind === 'function' ? kind(act) : kind
}

function ofOption({ target_name: name }: Act): ChangeKind | undefined {
  return chargingOptions.some((known) => known === name) ? 'price' : undefined
}
