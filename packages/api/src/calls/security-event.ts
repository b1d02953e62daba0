import { z } from 'zod'
import { securityAlerts } from '../call.ts'
import {
  oneBasedPage,
  pageOf,
  pageSize,
  queryChoice,
  queryInteger,
  queryText,
  readerClock,
  unixSeconds,
} from '../wire.ts'
import { get } from './define.ts'

/** Kinds of what happens to the ways into an account, beside the changes that its owner hears of by mail. */
export const securityEventKinds = [
  'login',
  'login-failed',
  'second-factor-failed',
  'logout',
  'sessions-ended',
  'access-token-removed',
  'viewed',
  ...securityAlerts,
] as const
/** One thing that happened to an account. */
export type SecurityEventKind = (typeof securityEventKinds)[number]

/** One thing that happened to an account. */
export const securityEvent = z.object({
  id: z.number().int(),
  created_at: unixSeconds,
  /** One of `securityEventKinds`; a newer node may write others. */
  kind: z.string(),
  user_id: z.number().int(),
  /** The user's name at that time. */
  username: z.string(),
  /** Subject of the event: the way of a log-in, the name of a passkey, the administrator; empty where the kind says it all. */
  detail: z.string(),
  /** Address of the client. */
  address: z.string(),
  user_agent: z.string(),
})
/** A security event on the wire. */
export type SecurityEventRow = z.output<typeof securityEvent>

const filters = {
  kind: queryChoice(securityEventKinds),
  /** Complete current username. */
  username: queryText,
  address: queryText,
  /** Both inclusive. */
  start_timestamp: queryInteger,
  end_timestamp: queryInteger,
}
const paging = { p: oneBasedPage, page_size: pageSize }

export const securityEventQuery = z.object({ ...filters, ...paging })
/** Page and filters of security events. */
export type SecurityEventQuery = z.output<typeof securityEventQuery>

export const securityEvents = {
  /** Lists those of the caller's own account, newest first. */
  listSelf: get('user', '/api/user/self/security_events', {
    recentProof: 'reads',
    sessionOnly: true,
    query: z.object({ kind: filters.kind, ...paging }),
    data: pageOf(securityEvent),
  }),
  /** Lists those of all accounts, newest first. */
  list: get('root', '/api/security_event/', {
    recentProof: 'reads',
    query: securityEventQuery,
    data: pageOf(securityEvent),
  }),
  /** The filtered events as CSV, newest first. */
  export: get('root', '/api/security_event/export', {
    // The audit log records who took it along.
    recentProof: 'operates',
    query: z.object({ ...filters, ...readerClock }),
    response: 'stream',
  }),
}
