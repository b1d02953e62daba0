import type { LogFailures, LogHistogram } from '@tollgate/api'
import { type ReaderClock, type StepLength, stepsOf, type TimeSteps, zoneOf } from '@tollgate/api/calendar'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { FailureGroup, HistogramStep, LogFilter } from '../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { filtersOf } from './filters-of.ts'
import { type AdminLogQuery, type LogQuery, toLogFilter } from './log-filter.ts'

export interface LogOverviewDeps {
  readonly usage: Pick<UsageRepository, 'histogram' | 'failures'>
  readonly users: Pick<UserRepository, 'idsByUsername'>
  /** Empty for a channel that no longer exists. */
  readonly channelName: (id: number) => string
  readonly clock: Clock
}

/** Figures of the log under a filter: everyone's for administrators, one's own for everyone. */
export interface LogOverview {
  histogram(query: AdminLogQuery & ReaderClock): Promise<LogHistogram>
  histogramOwn(userId: number, query: LogQuery & ReaderClock): Promise<LogHistogram>
  failures(query: AdminLogQuery): Promise<LogFailures>
  failuresOwn(userId: number, query: LogQuery): Promise<LogFailures>
}

export function createLogOverview({ usage, users, channelName, clock }: LogOverviewDeps): LogOverview {
  async function histogramOf(filters: readonly LogFilter[], query: LogQuery & ReaderClock) {
    const range = rangeOf(query, unixSeconds(clock))
    const length = stepLengthOf(range)
    const steps = stepsOf(range, length, zoneOf(query))
    const parts = await Promise.all(
      filters.map((filter) => usage.histogram({ ...filter, ...range }, steps.starts)),
    )
    return { step_seconds: length.seconds, steps: withEmptySteps(parts.flat(), steps) }
  }

  async function failuresOf(filters: readonly LogFilter[], visible: (group: FailureGroup) => FailureGroup) {
    const parts = await Promise.all(filters.map((filter) => usage.failures(filter)))
    const groups = merged(parts.flatMap((part) => part.groups.map(visible)))
    return {
      groups: groups.slice(0, maxGroups).map((group) => toWire(group, channelName)),
      total: groups.reduce((sum, { count }) => sum + count, 0),
      complete: parts.every(({ complete }) => complete),
    }
  }

  return {
    histogram: async (query) => histogramOf(await filtersOf(users, query), query),
    histogramOwn: async (userId, query) => histogramOf(own(userId, query), query),
    failures: async (query) => failuresOf(await filtersOf(users, query), (group) => group),
    failuresOwn: async (userId, query) =>
      failuresOf(own(userId, query), (group) => ({ ...group, channelId: 0 })),
  }
}

function own(userId: number, query: LogQuery): readonly LogFilter[] {
  const filter = toLogFilter(query)
  return filter === undefined ? [] : [{ ...filter, userId }]
}

const day = 86_400
const maxRange = 366 * day
const maxGroups = 200

interface Range {
  readonly from: number
  readonly to: number
}

/** Returns the range of a query: no step lies ahead of now, and at most a year is counted. */
function rangeOf({ start_timestamp, end_timestamp }: LogQuery, now: number): Range {
  const to = Math.max(0, Math.min(end_timestamp || now, now))
  return { from: Math.max(start_timestamp || to - day, to - maxRange), to }
}

const maxSteps = 100
const stepLengths = [
  10,
  30,
  60,
  300,
  900,
  1800,
  3600,
  7200,
  10_800,
  21_600,
  43_200,
  day,
  2 * day,
  4 * day,
] as const

/** The shortest step that divides a range into few enough. */
function stepLengthOf({ from, to }: Range): StepLength {
  return { seconds: stepLengths.find((length) => (to - from) / length <= maxSteps) ?? 4 * day }
}

function withEmptySteps(found: readonly HistogramStep[], { starts }: TimeSteps): HistogramStep[] {
  return starts.map((at) => {
    const those = found.filter((step) => step.at === at)
    return {
      at,
      calls: those.reduce((sum, { calls }) => sum + calls, 0),
      errors: those.reduce((sum, { errors }) => sum + errors, 0),
    }
  })
}

/** Groups of several users and channels together, most failures first. */
function merged(groups: readonly FailureGroup[]): FailureGroup[] {
  const byKey = new Map<string, FailureGroup>()
  for (const group of groups) {
    const key = JSON.stringify([group.reason, group.model, group.userId, group.channelId])
    const known = byKey.get(key)
    byKey.set(
      key,
      known === undefined
        ? group
        : {
            ...known,
            count: known.count + group.count,
            firstAt: Math.min(known.firstAt, group.firstAt),
            lastAt: Math.max(known.lastAt, group.lastAt),
          },
    )
  }
  return [...byKey.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt)
}

function toWire(
  { reason, model, userId, username, channelId, count, lastAt }: FailureGroup,
  channelName: (id: number) => string,
): LogFailures['groups'][number] {
  return {
    reason,
    model_name: model,
    user_id: userId,
    username,
    channel: channelId,
    channel_name: channelId === 0 ? '' : channelName(channelId),
    count,
    last_at: lastAt,
  }
}
