import {
  type CallTotals,
  type Channel,
  type ChannelCondition,
  type IncidentKind,
  incidentOfReason,
  type ModelChannelCost,
  operatorFaults,
  type RefusedModel,
  type RefusedUser,
} from '@tollgate/api'
import { findChannelType } from '@tollgate/api/channel-types'
import type { IncidentDetail } from '../../store/work/incidents.ts'

/** What makes calls fail or lose money now. */
export interface Cause {
  readonly kind: IncidentKind
  /** Key within the kind, the same at every look. */
  readonly subject: string
  readonly name: string
  readonly level: number
  readonly members: readonly string[]
  readonly detail: IncidentDetail
  /** Beginning, in seconds; the time of the look where nothing tells. */
  readonly since: number
}

export type ProblemChannel = Pick<Channel, 'id' | 'type' | 'base_url' | 'other_info' | 'health'>

export interface Observed {
  /** Channels that are not healthy. */
  readonly channels: readonly ProblemChannel[]
  readonly unpriced: readonly RefusedModel[]
  readonly losing: readonly ModelChannelCost[]
  readonly refusedUsers: readonly RefusedUser[]
  /** Addresses (`addressOf`) of channels that are healthy. */
  readonly respondingAt: ReadonlySet<string>
  /** Seconds. */
  readonly now: number
}

/** Most members that are stored of one cause; its detail counts all of them. */
const maxMembers = 500
/** Users with a cause of their own; the others share one. */
const maxOwnUsers = 30

/** Folds what was observed into causes, apart from failures that none of them explains. */
export function causesOf(observed: Observed): readonly Cause[] {
  const { unpriced, losing, refusedUsers, now } = observed
  const names = unpriced.map((model) => model.model_name)
  const below = losing.map((cost) => cost.model_name)
  const groups = distinct(losing.flatMap(({ losing_groups }) => losing_groups))
  return [
    ...channelCauses(observed),
    ...(names.length > 0 ? [folded('unpriced', 3, names, now)] : []),
    ...(below.length > 0 ? [withDetail(folded('below-cost', 2, below, now), { groups })] : []),
    ...balanceCauses(
      refusedUsers.map(({ user_id }) => user_id),
      now,
    ),
  ]
}

/** Users in the order of their ids, which is the same at every look: their causes neither end nor begin as others call more. */
function balanceCauses(userIds: readonly number[], now: number): readonly Cause[] {
  const members = userIds.toSorted((a, b) => a - b).map(String)
  const shared = members.slice(maxOwnUsers)
  return [
    ...members
      .slice(0, maxOwnUsers)
      .map((member) => ({ ...folded('balance', 2, [member], now), subject: member })),
    ...(shared.length > 0 ? [folded('balance', 2, shared, now)] : []),
  ]
}

function withDetail(cause: Cause, detail: IncidentDetail): Cause {
  return { ...cause, detail: { ...cause.detail, ...detail } }
}

const minErrors = 3
const worrying = 0.05
const worstLevel = 3

/** Returns the cause of failures that nothing else explains, where there are more than by accident. */
export function unexplainedCause(failed: number, calls: CallTotals, since: number): Cause | undefined {
  const all = operatorFaults.reduce((sum, fault) => sum + calls.faults[fault], calls.ok + calls.broken)
  const share = failed / Math.max(all, failed, 1)
  if (failed < minErrors || share < worrying) return undefined
  // Each ten points more are worse.
  const level = worstLevel + Math.floor(share * 10)
  return { kind: 'errors', subject: '', name: '', level, members: [], detail: {}, since }
}

function folded(kind: IncidentKind, level: number, members: readonly string[], since: number): Cause {
  return { kind, subject: '', name: '', level, ...membersOf(distinct(members)), since }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

/** Bounds the stored members; their number is of all. */
function membersOf(all: readonly string[]): Pick<Cause, 'members' | 'detail'> {
  const isCut = all.length > maxMembers
  return { members: all.slice(0, maxMembers), detail: isCut ? { memberCount: all.length } : {} }
}

/** Extent of each condition: `untested` is only to look at. */
const levels = {
  untested: 0,
  healthy: 0,
  disabled: 0,
  degraded: 1,
  retrying: 2,
  failing: 3,
  'auto-disabled': 4,
} as const satisfies Record<ChannelCondition, number>

function channelCauses({ channels, respondingAt, now }: Observed): Cause[] {
  const byKey = new Map<string, Cause>()
  for (const channel of channels) {
    const cause = causeOf(channel, respondingAt, now)
    const key = `${cause.kind} ${cause.subject}`
    byKey.set(key, joined(byKey.get(key), cause))
  }
  return [...byKey.values()]
}

function joined(known: Cause | undefined, cause: Cause): Cause {
  if (known === undefined) return cause
  const worst = cause.level > known.level ? cause : known
  return {
    ...worst,
    members: distinct([...known.members, ...cause.members]),
    since: Math.min(known.since, cause.since),
  }
}

function causeOf(channel: ProblemChannel, respondingAt: Observed['respondingAt'], now: number): Cause {
  const { condition } = channel.health
  const level = levels[condition]
  const members = [String(channel.id)]
  if (condition === 'untested') return folded('untested', level, members, now)
  const reason = reasonOf(channel)
  const { cause } = reason?.params ?? {}
  const address = addressOf(channel)
  // Where others respond at the same address, neither it nor its account is the cause.
  const kind = respondingAt.has(address)
    ? 'channel'
    : incidentOfReason(reason?.code ?? '', typeof cause === 'string' ? cause : undefined)
  const name = kind === 'channel' ? '' : address
  return {
    kind,
    subject: kind === 'channel' ? String(channel.id) : name,
    name,
    level,
    members,
    detail: reason === undefined ? {} : { reason },
    since: beginningOf(channel, now),
  }
}

/** Provider and address of a channel: an account there, as far as a gateway can know. */
export function addressOf({ type, base_url }: Pick<ProblemChannel, 'type' | 'base_url'>): string {
  const known = findChannelType(type)
  const address = base_url || known?.defaultBaseUrl || ''
  const host = URL.canParse(address) ? new URL(address).host : address
  return [known?.name ?? String(type), host].filter((part) => part !== '').join(' · ')
}

const hour = 3600

/** A channel fails since the gateway took it out, or since it worked last if that is not long ago. */
function beginningOf({ other_info, health }: ProblemChannel, now: number): number {
  if (health.condition === 'auto-disabled') return Math.min(storedReason(other_info)?.at || now, now)
  const { last_success_time: worked } = health
  return worked > now - hour && worked <= now ? worked : now
}

type Reason = NonNullable<IncidentDetail['reason']>

/** The reason of a condition: of the channel, of a key that is out, or the last failure. */
function reasonOf({ other_info, health }: ProblemChannel): Reason | undefined {
  const out = health.keys.find(({ status }) => status === 'resting' || status === 'auto-disabled')
  const candidates = [
    health.condition === 'auto-disabled' ? storedReason(other_info) : undefined,
    { code: health.reason_code, params: health.reason_params },
    out && { code: out.reason_code, params: out.reason_params },
    { code: health.last_failure_code, params: health.last_failure_params },
  ]
  const found = candidates.find((reason) => reason !== undefined && reason.code !== '')
  return found && { code: found.code, params: { ...found.params } }
}

/** The reason that the gateway stored when it took the channel out. */
function storedReason(otherInfo: string): (Reason & { readonly at: number }) | undefined {
  if (otherInfo === '') return undefined
  const { status_time, reason_code, reason_params } = JSON.parse(otherInfo) as {
    status_time?: number
    reason_code?: string
    reason_params?: Reason['params']
  }
  return { at: status_time ?? 0, code: reason_code ?? '', params: reason_params ?? {} }
}
