import { type FailureGroup, logTypes } from '@tollgate/api'
import type { LogFilter } from '../log-filter.ts'

/** What failed calls are listed by. */
export const failureDimensions = ['reason', 'model', 'user', 'channel'] as const
export type FailureDimension = (typeof failureDimensions)[number]

/** A reason, a model, a user or a channel. */
export interface FailureSubject {
  readonly dimension: FailureDimension
  /** The reason's code, a name, or the number of a channel. */
  readonly key: string
  /** The channel's name. */
  readonly name: string
  /** Of a user or a channel; 0 for others. */
  readonly id: number
}

/** Failed calls with one thing in common. */
export interface FailureCause extends FailureSubject {
  readonly count: number
  /** What nearly all of them have in common beside it. */
  readonly beside: FailureSubject | undefined
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

/** Whose matter a reason is. */
function concernOf(reason: string): FailureDimension {
  if (reason.startsWith('upstream') || reason.startsWith('channel')) return 'channel'
  return /model|price|unpriced|endpoint|available/.test(reason) ? 'model' : 'user'
}

/** A share from which on all are said to have it in common. */
const nearlyAll = 0.8

/** The failed calls by one dimension, most first; calls that have none of it are left out. */
export function causesOf(
  groups: readonly FailureGroup[],
  dimension: FailureDimension,
): readonly FailureCause[] {
  const byKey = new Map<string, FailureGroup[]>()
  for (const group of groups) {
    const key = keyOf[dimension](group)
    if (key === '' && dimension !== 'reason') continue
    const those = byKey.get(key)
    if (those === undefined) byKey.set(key, [group])
    else those.push(group)
  }
  return [...byKey]
    .flatMap(([key, those]) =>
      those.slice(0, 1).map((first) => ({
        ...subjectOf(dimension, first),
        count: sumOf(those),
        beside: commonest(those, dimension === 'reason' ? concernOf(key) : 'reason'),
      })),
    )
    .sort((a, b) => b.count - a.count)
}

function sumOf(groups: readonly FailureGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}

function commonest(groups: readonly FailureGroup[], dimension: FailureDimension): FailureSubject | undefined {
  const counts = new Map<string, number>()
  for (const group of groups) {
    const key = keyOf[dimension](group)
    counts.set(key, (counts.get(key) ?? 0) + group.count)
  }
  const [key, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['', 0]
  const named = groups.find((group) => keyOf[dimension](group) === key)
  if (key === '' || named === undefined || count < sumOf(groups) * nearlyAll) return undefined
  return subjectOf(dimension, named)
}

/** What ends a cause of failures, and of whom or which. */
export interface FailureRemedy {
  readonly kind: 'addBalance' | 'setPrice' | 'openChannel'
  /** Of the user or channel; 0 for a price. */
  readonly id: number
  /** The one without a price, where it is one. */
  readonly model?: string
}

/** What an administrator can do about a cause; `undefined` where that is the caller's matter. */
export function remedyOf(cause: FailureCause): FailureRemedy | undefined {
  const { beside } = cause
  const [reason, subject] = cause.dimension === 'reason' ? [cause, beside] : [beside, cause]
  if (subject?.dimension === 'channel') return { kind: 'openChannel', id: subject.id }
  if (subject?.dimension === 'user' && reason?.key === 'insufficient_user_quota')
    return { kind: 'addBalance', id: subject.id }
  if (reason?.key !== 'model_price_error') return undefined
  return { kind: 'setPrice', id: 0, ...(subject?.dimension === 'model' && { model: subject.key }) }
}

/** The log under a filter, narrowed to a cause. */
export function withCause(filter: LogFilter, dimension: FailureDimension, key: string): LogFilter {
  if (dimension === 'reason') return { ...filter, type: undefined, reason: key }
  const failed = { ...filter, type: filter.reason === undefined ? logTypes.error : undefined }
  if (dimension === 'channel') return { ...failed, channel: Number(key) }
  return { ...failed, [dimension]: key }
}
