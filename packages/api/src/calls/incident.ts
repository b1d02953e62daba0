import { z } from 'zod'
import { incidentKindNames } from '../incidents.ts'
import { idParams, oneBasedPage, pageOf, pageSize, queryChoice, quota, unixSeconds } from '../wire.ts'
import { get, post } from './define.ts'

export const incidentStates = ['open', 'quiet', 'ended'] as const
/** `quiet`: open, and accepted or snoozed by an administrator. */
export type IncidentState = (typeof incidentStates)[number]

const some = <Item extends z.ZodType>(item: Item) =>
  z.object({
    /** The first of them, at most five. */
    first: z.array(item),
    count: z.number().int(),
  })
const named = z.object({ id: z.number().int(), name: z.string() })

/** A cause of problems, from its beginning to its end. */
export const incident = z.object({
  id: z.number().int(),
  /** One of `incidentKinds`; a newer node may write others. */
  kind: z.string(),
  state: z.enum(incidentStates),
  /** 0: to look at; 1 and 2: some calls are concerned; 3 and more: calls fail. */
  level: z.number().int(),
  opened_at: unixSeconds,
  /** 0 while it lasts. */
  ended_at: unixSeconds,
  /** Calls that failed for their callers by this cause. */
  calls_lost: z.number().int(),
  /** Charges that these calls would have brought, by the week's mean of their models; of `below-cost` what its models cost beyond their charges. */
  money_lost: quota,
  /** Provider and address of `provider` and `account`; empty otherwise. */
  name: z.string(),
  /** Channels or users, by id; models have the id 0. */
  members: some(named),
  /** Groups that pay less than the cost. */
  groups: z.array(z.string()),
  /** Models and users of the calls that were lost. */
  models: some(z.string()),
  users: some(named),
  /** Reason of a channel's failure, as `channelReasonTexts` have it; empty where there is none. */
  reason_code: z.string(),
  reason_params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Acceptance by an administrator; `null` when nobody has, or its end has passed. */
  accepted: z
    .object({
      at: unixSeconds,
      by: z.string(),
      /** 0: until it ends or gets worse. */
      until: unixSeconds,
      note: z.string(),
    })
    .nullable(),
})
/** A cause of problems on the wire. */
export type Incident = z.output<typeof incident>

const listQuery = z.object({
  state: queryChoice(incidentStates),
  kind: queryChoice(incidentKindNames),
  p: oneBasedPage,
  page_size: pageSize,
})
/** Page and filters of the incidents. */
export type IncidentQuery = z.output<typeof listQuery>

export const incidents = {
  /** Lists those of the caller's parts: open ones first, the worst before the others, then the newest. */
  list: get('admin', '/api/incident/', {
    part: 'any',
    recentProof: 'reads',
    query: listQuery,
    data: pageOf(incident).extend({
      /** Counts the quiet ones of these kinds, whatever the state under which the page was read. */
      quiet: z.number().int(),
    }),
  }),
  /** Accepts an open incident for all administrators, until a time or until it ends. One that gets worse is open again. */
  accept: post('admin', '/api/incident/:id/accept', {
    part: 'any',
    recentProof: 'operates',
    params: idParams,
    body: z.object({
      /** 0: until it ends. */
      until: unixSeconds.min(0).default(0),
      note: z.string().trim().max(200).default(''),
    }),
    data: incident,
  }),
  /** Takes an acceptance back. */
  wake: post('admin', '/api/incident/:id/wake', {
    part: 'any',
    recentProof: 'operates',
    params: idParams,
    data: incident,
  }),
}
