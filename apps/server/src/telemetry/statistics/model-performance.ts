import type { LogOther, ModelPerformance } from '@tollgate/api'
import { type Clock, getOrInsert, unixSeconds } from '@tollgate/base'
import type { AttemptCountRepository } from '../../store/channels/attempt-counts.ts'
import type { CallsOfModel } from '../../store/channels/read-attempt-counts.ts'
import type { LogRow } from '../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { addServed, availabilityOf, type ServedCalls } from './availability.ts'

interface Dependencies {
  readonly attemptCounts: Pick<AttemptCountRepository, 'calls'>
  readonly usage: Pick<UsageRepository, 'batch'>
  /** Writes what this node has counted. */
  readonly writeAttempts: () => Promise<void>
  readonly clock: Clock
}

const daySeconds = 86_400
const hourSeconds = 3600
const cacheSeconds = 600
/** The newest calls that speeds are read from: one read of the log, whatever its length. */
const maxRows = 2000
/** A figure of fewer calls says more of a caller than of a model. */
const minCalls = 5

/**
 * Reads what callers of each model received in the last 24 hours: the share of calls that succeeded, and the medians of the newest
 * streams. Worked out again after ten minutes at the earliest; readers that meet share one read.
 */
export function createModelPerformance({ attemptCounts, usage, writeAttempts, clock }: Dependencies) {
  let known: { readonly at: number; readonly rows: Promise<readonly ModelPerformance[]> } | undefined

  async function read(now: number): Promise<readonly ModelPerformance[]> {
    await writeAttempts()
    const from = now - daySeconds
    const hour = from - (from % hourSeconds)
    const [calls, { rows }] = await Promise.all([
      attemptCounts.calls(hour, hour),
      usage.batch({ type: 'consumption', from }, undefined, maxRows),
    ])
    return performanceOf(calls, rows)
  }

  return (): Promise<readonly ModelPerformance[]> => {
    const now = unixSeconds(clock)
    if (known !== undefined && now - known.at < cacheSeconds) return known.rows
    const rows = read(now)
    known = { at: now, rows }
    // A read that failed is tried again by the next reader.
    rows.catch(() => {
      known = undefined
    })
    return rows
  }
}

/** Returns the figures of models with enough calls, by name. */
export function performanceOf(
  calls: readonly CallsOfModel[],
  rows: readonly Pick<LogRow, 'model' | 'isStream' | 'completionTokens' | 'other'>[],
): readonly ModelPerformance[] {
  const availabilities = availabilitiesOf(calls)
  const speeds = speedsOf(rows)
  const names = [...new Set([...availabilities.keys(), ...speeds.keys()])].sort()
  return names.map((model_name) => ({
    model_name,
    ...(availabilities.has(model_name) && { availability: availabilities.get(model_name) }),
    ...speeds.get(model_name),
  }))
}

/** The share of successful calls of the models with enough of them. */
function availabilitiesOf(calls: readonly CallsOfModel[]): ReadonlyMap<string, number> {
  const counts = new Map<string, ServedCalls>()
  for (const { model, outcome, count } of calls)
    addServed(
      getOrInsert(counts, model, () => ({ ok: 0, failed: 0 })),
      outcome,
      count,
    )
  return new Map(
    [...counts].flatMap(([model, served]) => {
      const share = availabilityOf(served, minCalls)
      return share === undefined ? [] : [[model, share] as const]
    }),
  )
}

function speedsOf(rows: Parameters<typeof performanceOf>[1]) {
  const streams = new Map<string, { readonly first: number[]; readonly rates: number[] }>()
  for (const { model, isStream, completionTokens, other } of rows) {
    const timing = isStream ? timingOf(other) : undefined
    if (timing === undefined) continue
    const { first, rates } = getOrInsert(streams, model, () => ({ first: [], rates: [] }))
    first.push(timing.first_token)
    const ms = timing.done - timing.first_token
    if (ms > 0 && completionTokens > 1) rates.push(((completionTokens - 1) * 1000) / ms)
  }
  const enough = [...streams].filter(([, { first }]) => first.length >= minCalls)
  return new Map(
    enough.map(([model, { first, rates }]) => [
      model,
      {
        first_token_ms: Math.round(medianOf(first)),
        ...(rates.length >= minCalls && { tokens_per_second: Math.round(medianOf(rates) * 10) / 10 }),
      },
    ]),
  )
}

function timingOf(other: string): LogOther['timing'] | undefined {
  try {
    const { timing } = JSON.parse(other) as Partial<LogOther>
    return timing !== undefined && timing.first_token > 0 ? timing : undefined
  } catch {
    return undefined
  }
}

/** @param values at least one */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [upper = 0, lower = 0] = [sorted[middle], sorted[middle - 1]]
  return sorted.length % 2 === 1 ? upper : (upper + lower) / 2
}
