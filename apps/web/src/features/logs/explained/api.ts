import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ChargeLinkRow, calls, type LogEntry } from '@tollgate/api'
import { request } from '../../../lib/api/api-client.ts'
import { formatDay } from '../../../lib/format/format.ts'
import { clockHere } from '../../../lib/format/reader-clock.ts'

/** Charge or day that a link shows. */
export interface LinkChoice {
  readonly subject: 'charge' | 'day'
  readonly days: number
}

const linksKey = ['charge-links'] as const

/** Reads the links of a user that open; the reader's own unless an administrator looks. */
export function linksQuery(admin: boolean, userId: number) {
  return queryOptions({
    queryKey: [...linksKey, admin ? userId : 'own'],
    queryFn: ({ signal }) =>
      admin
        ? request(calls.chargeLinks.list, { query: { user_id: userId }, signal })
        : request(calls.chargeLinks.listSelf, { signal }),
  })
}

/** Makes a link to a charge, or to those of its day by the clock of this device. */
export async function makeLink(
  client: QueryClient,
  admin: boolean,
  { id, created_at: at, user_id }: LogEntry,
  { subject, days }: LinkChoice,
): Promise<ChargeLinkRow> {
  const chosen =
    subject === 'charge' ? { log_id: id, at } : { day: formatDay(new Date(at * 1000)), ...clockHere() }
  const body = { ...chosen, days }
  const link = admin
    ? await request(calls.chargeLinks.create, { body: { ...body, user_id } })
    : await request(calls.chargeLinks.createSelf, { body })
  await client.invalidateQueries({ queryKey: linksKey })
  return link
}

export async function revokeLink(client: QueryClient, admin: boolean, id: number): Promise<void> {
  const params = { id }
  await (admin
    ? request(calls.chargeLinks.revoke, { params })
    : request(calls.chargeLinks.revokeSelf, { params }))
  await client.invalidateQueries({ queryKey: linksKey })
}

/** Credits the whole charge of a call, or takes that back. Log, balance and spend may all show it. */
export async function moveGoodwill(client: QueryClient, entry: LogEntry): Promise<void> {
  const { id: log_id, created_at: at, credited: before } = entry
  const { credited } = await (before === undefined
    ? request(calls.goodwill.give, { body: { log_id, at } })
    : request(calls.goodwill.takeBack, { body: { log_id } }))
  const { credited: _before, ...plain } = entry
  const changed = credited > 0 ? { ...plain, credited } : plain
  // The sheet finds its row on the page that is on screen, which is read anew only now.
  for (const name of ['entry', 'request'])
    client.setQueriesData<LogEntry | null>({ queryKey: ['logs', name] }, (row) =>
      row?.id === log_id ? changed : row,
    )
  await client.invalidateQueries({
    predicate: ({ queryKey: [first, second] }) =>
      !(first === 'logs' && (second === 'entry' || second === 'request')),
  })
}

/** Reads the content of a link, for whoever has it. */
export function linkedQuery(token: string) {
  return queryOptions({
    queryKey: ['charge', token],
    queryFn: ({ signal }) => request(calls.chargeLinks.open, { params: { token }, signal }),
    retry: false,
  })
}
