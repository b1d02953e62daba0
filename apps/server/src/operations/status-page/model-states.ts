import type { ModelState } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { CallsInStep } from '../../store/channels/read-attempt-counts.ts'
import { addServed, availabilityOf, type ServedCalls } from '../../telemetry/statistics/availability.ts'

/** A share of fewer calls says more of a caller than of a model, and could be read as a number of calls. */
const minDayCalls = 20
const minRecentCalls = 5
/** Shares of successful calls from which on a model works, or works at all. */
const operationalShare = 0.95
const degradedShare = 0.5

/** Calls by model and step. */
export type CallsByModel = ReadonlyMap<string, readonly ServedCalls[]>

/** Sums up calls by model, with an entry for each of the steps. */
export function callsByModel(rows: readonly CallsInStep[], steps: number): CallsByModel {
  const byModel = new Map<string, ServedCalls[]>()
  for (const { step, model, outcome, count } of rows) {
    const served = getOrInsert(byModel, model, () => emptySteps(steps))[step]
    if (served !== undefined) addServed(served, outcome, count)
  }
  return byModel
}

function emptySteps(steps: number): ServedCalls[] {
  return Array.from({ length: steps }, () => ({ ok: 0, failed: 0 }))
}

/** Returns the share of successful calls for each of the days; `null` where there were too few. */
export function daysOf(calls: readonly ServedCalls[] | undefined, days: number): (number | null)[] {
  const known = calls ?? emptySteps(days)
  return known.map((served) => availabilityOf(served, minDayCalls) ?? null)
}

/** Facts that decide the state of a model. */
export interface StateFacts {
  /** Calls of the last minutes. */
  readonly recent: ServedCalls | undefined
  /** Any call of the last two days succeeded. */
  readonly hasSucceeded: boolean
  /** No channel would take a call now. */
  readonly isOut: boolean
}

/** Returns the state of a model. One that has not responded lately is never called operational. */
export function stateOf({ recent, hasSucceeded, isOut }: StateFacts): ModelState {
  if (isOut) return 'outage'
  const share = recent && availabilityOf(recent, minRecentCalls)
  if (share === undefined) return hasSucceeded ? 'operational' : 'unknown'
  if (share >= operationalShare) return 'operational'
  return share >= degradedShare ? 'degraded' : 'outage'
}
