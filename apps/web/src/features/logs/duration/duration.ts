import type { LogEntry, LogOther } from '@tollgate/api'
import { isCall } from '../log-type.ts'

/** Returns the duration in milliseconds: the row has whole seconds; its explanation has more. */
export function durationMsOf(entry: Pick<LogEntry, 'use_time'>, other: LogOther): number {
  return other.timing?.done ?? entry.use_time * 1000
}

interface Timed {
  readonly entry: Pick<LogEntry, 'type' | 'model_name' | 'use_time'>
  readonly other: LogOther
}

/** Fewer calls say nothing about a model. */
const minCalls = 5

/** The median duration of each model's successful calls, in milliseconds; of models with enough of them. */
export function typicalDurations(rows: readonly Timed[]): ReadonlyMap<string, number> {
  const byModel = new Map<string, number[]>()
  for (const { entry, other } of rows) {
    if (!isCall(entry)) continue
    const durations = byModel.get(entry.model_name) ?? []
    durations.push(durationMsOf(entry, other))
    byModel.set(entry.model_name, durations)
  }
  return new Map(
    [...byModel].flatMap(([model, durations]) =>
      durations.length < minCalls ? [] : [[model, medianOf(durations)] as const],
    ),
  )
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
