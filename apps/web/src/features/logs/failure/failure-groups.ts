import { type FailureGroup, logTypes } from '@tollgate/api'
import type { LogFilter } from '../log-filter.ts'

/** What failed calls are listed by. */
export const failureDimensions = ['reason', 'model', 'user', 'channel'] as const
export type FailureDimension = (typeof failureDimensions)[number]

/** Failed calls with one thing in common. */
export interface FailureCause {
  /** The reason's code, a name, or the number of a channel. */
  readonly key: string
  /** The channel's name. */
  readonly name: string
  readonly count: number
  /** What nearly all of them have in common beside it; the rest is in how many values. */
  readonly beside:
    | { readonly dimension: FailureDimension; readonly key: string; readonly name: string }
    | undefined
}

const keyOf: Readonly<Record<FailureDimension, (group: FailureGroup) => string>> = {
  reason: ({ reason }) => reason,
  model: ({ model_name }) => model_name,
  user: ({ username }) => username,
  channel: ({ channel }) => (channel === 0 ? '' : String(channel)),
}

const nameOf = (dimension: FailureDimension, group: FailureGroup) =>
  dimension === 'channel' ? group.channel_name || keyOf.channel(group) : keyOf[dimension](group)

/** Whose matter a reason is. */
function subjectOf(reason: string): FailureDimension {
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
    .map(([key, those]) => ({
      key,
      name: those[0] ? nameOf(dimension, those[0]) : key,
      count: sumOf(those),
      beside: commonest(those, dimension === 'reason' ? subjectOf(key) : 'reason'),
    }))
    .sort((a, b) => b.count - a.count)
}

function sumOf(groups: readonly FailureGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}

function commonest(groups: readonly FailureGroup[], dimension: FailureDimension): FailureCause['beside'] {
  const counts = new Map<string, number>()
  for (const group of groups) {
    const key = keyOf[dimension](group)
    counts.set(key, (counts.get(key) ?? 0) + group.count)
  }
  const [key, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['', 0]
  const named = groups.find((group) => keyOf[dimension](group) === key)
  if (key === '' || named === undefined || count < sumOf(groups) * nearlyAll) return undefined
  return { dimension, key, name: nameOf(dimension, named) }
}

/** The log under a filter, narrowed to a cause. */
export function withCause(filter: LogFilter, dimension: FailureDimension, key: string): LogFilter {
  if (dimension === 'reason') return { ...filter, type: undefined, reason: key }
  const failed = { ...filter, type: filter.reason === undefined ? logTypes.error : undefined }
  if (dimension === 'channel') return { ...failed, channel: Number(key) }
  return { ...failed, [dimension]: key }
}
