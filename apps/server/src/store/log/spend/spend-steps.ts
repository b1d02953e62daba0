import { hourSeconds } from '@tollgate/api/calendar'
import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../../program.ts'
import type { SpendTimes } from './spend-rows.ts'

/**
 * Calls whose sums one statement reads: some six seconds of a busy server, which ends a statement after fifteen. Each step has most users
 * again, whose figures are added up here, so that smaller steps cost more than they save.
 */
const maxCalls = 4_000_000

/** A shorter time is one step, whatever it has. */
const daySeconds = 24 * hourSeconds

interface HourCalls {
  readonly hour: number
  readonly calls: number
}

/** Cuts a time into steps that one statement each reads in a time that does not grow with the log. */
export function* stepsOf(times: SpendTimes): Program<readonly SpendTimes[]> {
  if (times.end - times.from <= daySeconds) return [times]
  const hours = yield* query<HourCalls>(
    `select hour, cast(sum(count) as bigint) as calls from usage_by_model
      where type = ${logTypes.consumption} and hour >= ? and hour < ? group by hour order by hour`,
    [times.from, times.end],
  )
  return cutAt(times, hours, maxCalls)
}

/** Cuts a time at whole hours where a step would have more calls; an hour is never cut. @param hours in order */
export function cutAt(times: SpendTimes, hours: readonly HourCalls[], limit: number): readonly SpendTimes[] {
  const cuts: number[] = []
  let calls = 0
  for (const { hour, calls: ofHour } of hours) {
    if (calls > 0 && calls + ofHour > limit && hour > times.from) {
      cuts.push(hour)
      calls = 0
    }
    calls += ofHour
  }
  return [times.from, ...cuts].map((from, index) => ({ from, end: cuts[index] ?? times.end }))
}
