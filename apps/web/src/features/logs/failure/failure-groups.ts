import { type FailureGroup, logTypes } from '@tollgate/api'
import type { LogFilter } from '../log-filter.ts'

/** Dimensions by which failed calls are listed. */
export const failureDimensions = ['reason', 'model', 'user', 'channel'] as const
export type FailureDimension = (typeof failureDimensions)[number]

/** A reason, a model, a user or a channel. */
export interface FailureSubject {
  readonly dimension: FailureDimension
  /** The reason's code, a name, or the number of a channel. */
  readonly key: string
  /** The channel's name. */
  readonly name: string
  /** Id of a user or a channel; 0 for others. */
  readonly id: number
}

/** Failed calls with one thing in common. */
export interface FailureCause extends FailureSubject {
  readonly count: number
  /** Subject that nearly all of them have in common beside it. */
  readonly beside: FailureSubject | undefined
  /** Set when others failed by the same reason: `beside` then distinguishes these calls from those. */
  readonly isPart: boolean
}

const keyOf: Readonly<Record<FailureDimension, (group: FailureGroup) => string>> = {
  reason: ({ reason }) => reason,
  model: ({ model_name }) => model_name,
  user: ({ username }) => username,
  channel: ({ channel }) => (channel === 0 ? '' : String(channel)),
}

function subjectOf(dimension: FailureDimension, group: FailureGroup): FailureSubject {
  const key = keyOf[dimension](group)
  const { user_id, channel, channel_name } = group
  return {
    dimension,
    key,
    name: dimension === 'channel' ? channel_name || key : key,
    id: dimension === 'user' ? user_id : dimension === 'channel' ? channel : 0,
  }
}

/** Returns the dimension whose matter a reason is. */
function concernOf(reason: string): FailureDimension {
  if (reason.startsWith('upstream') || reason.startsWith('channel')) return 'channel'
  return /model|price|unpriced|endpoint|available/.test(reason) ? 'model' : 'user'
}

/** A share from which on all are said to have it in common. */
const nearlyAll = 0.8

/** A reason that concerns a few alone is listed for each of them. */
const maxParts = 3

/** The failed calls by one dimension, most first; calls that have none of it are left out. */
export function causesOf(
  groups: readonly FailureGroup[],
  dimension: FailureDimension,
): readonly FailureCause[] {
  return [...groupedBy(dimension, groups)]
    .filter(([key]) => key !== '' || dimension === 'reason')
    .flatMap(([key, those]) =>
      dimension === 'reason' ? causesOfReason(key, those) : causeOf(dimension, those),
    )
    .sort((a, b) => b.count - a.count)
}

function groupedBy(dimension: FailureDimension, groups: readonly FailureGroup[]) {
  const byKey = new Map<string, FailureGroup[]>()
  for (const group of groups) {
    const key = keyOf[dimension](group)
    byKey.set(key, [...(byKey.get(key) ?? []), group])
  }
  return byKey
}

/** One cause, or one for each of a few whom it concerns. */
function causesOfReason(reason: string, groups: readonly FailureGroup[]): readonly FailureCause[] {
  const concern = concernOf(reason)
  const whole = causeOf('reason', groups, concern)
  const parts = groupedBy(concern, groups)
  if (whole.some(({ beside }) => beside) || parts.size > maxParts || parts.has('')) return whole
  return [...parts.values()].flatMap((part) =>
    causeOf('reason', part, concern).map((cause) => ({ ...cause, isPart: true })),
  )
}

function causeOf(
  dimension: FailureDimension,
  groups: readonly FailureGroup[],
  besideOf: FailureDimension = 'reason',
): readonly FailureCause[] {
  return groups.slice(0, 1).map((first) => ({
    ...subjectOf(dimension, first),
    count: sumOf(groups),
    beside: commonest(groups, besideOf),
    isPart: false,
  }))
}

function sumOf(groups: readonly FailureGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}

function commonest(groups: readonly FailureGroup[], dimension: FailureDimension): FailureSubject | undefined {
  const max = [...groupedBy(dimension, groups)].sort(([, a], [, b]) => sumOf(b) - sumOf(a))[0]
  const named = max?.[1][0]
  if (!max?.[0] || named === undefined || sumOf(max[1]) < sumOf(groups) * nearlyAll) return undefined
  return subjectOf(dimension, named)
}

/** Remedy of a cause of failures, with its subject. */
export interface FailureRemedy {
  readonly kind: 'addBalance' | 'topUp' | 'setPrice' | 'openChannel'
  /** Of the user or channel; 0 for a price and for one's own balance. */
  readonly id: number
  /** The one without a price, where it is one. */
  readonly model?: string
}

/** Returns the remedy of an administrator for a cause; `undefined` where it is the caller's matter. */
export function remedyOf(cause: FailureCause): FailureRemedy | undefined {
  const { beside } = cause
  const [reason, subject] = cause.dimension === 'reason' ? [cause, beside] : [beside, cause]
  if (subject?.dimension === 'channel') return { kind: 'openChannel', id: subject.id }
  if (subject?.dimension === 'user' && reason?.key === 'insufficient_user_quota')
    return { kind: 'addBalance', id: subject.id }
  if (reason?.key !== 'model_price_error') return undefined
  return { kind: 'setPrice', id: 0, ...(subject?.dimension === 'model' && { model: subject.key }) }
}

/** What a caller can do about a cause of their own calls. */
export function ownRemedyOf({ dimension, key, beside }: FailureCause): FailureRemedy | undefined {
  const reason = dimension === 'reason' ? key : beside?.key
  return reason === 'insufficient_user_quota' ? { kind: 'topUp', id: 0 } : undefined
}

/** The log under a filter, narrowed to a cause. */
export function withCause(
  filter: LogFilter,
  cause: Pick<FailureCause, keyof FailureSubject | 'beside' | 'isPart'>,
): LogFilter {
  const { beside, isPart } = cause
  const narrowed = withSubject(filter, cause)
  return isPart && beside ? withSubject(narrowed, beside) : narrowed
}

function withSubject(filter: LogFilter, { dimension, key }: FailureSubject): LogFilter {
  if (dimension === 'reason') return { ...filter, type: undefined, reason: key }
  const failed = { ...filter, type: filter.reason === undefined ? logTypes.error : undefined }
  if (dimension === 'channel') return { ...failed, channel: Number(key) }
  return { ...failed, [dimension]: key }
}
