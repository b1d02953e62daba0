import { indexOfStep } from '@tollgate/api/calendar'
import type { LogType, logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { eachPosition, everyPosition } from './bitmap.ts'
import { chunks, numbersOf, readColumn } from './block.ts'
import { lastSealedId } from './dimensions.ts'
import { newestFailures } from './failures.ts'
import { rowCondition } from './filter.ts'
import type { HistogramStep, LogFilter } from './log-row.ts'
import { type Stretches, stretchesOf } from './spans/stretches.ts'

/** Beginnings of steps, in their order. */
type Starts = readonly Seconds[]
type Counts = Map<number, { calls: number; errors: number }>

/**
 * Charged and failed calls of the filter in steps of time, in their order; steps without a call are left out. Spans and
 * blocks whose rows lie in one step are counted without being read.
 * @param steps their starts, of which the first is not after the first row of the filter
 */
export function* readHistogram(filter: LogFilter, steps: Starts): Program<HistogramStep[]> {
  const counts: Counts = new Map()
  if (filter.reason !== undefined) {
    for (const { created_at } of (yield* newestFailures(filter)).failures)
      add(counts, startOf(created_at, steps), 'errors', 1)
    return inOrder(counts)
  }
  for (const [type, name] of counted)
    if (filter.type === undefined || [filter.type].flat().includes(type)) {
      const ofType = { ...filter, type }
      yield* countUnsealed(ofType, steps, (at, count) => add(counts, at, name, count))
      yield* countSealed(yield* stretchesOf(ofType), steps, (at, count) => add(counts, at, name, count))
    }
  return inOrder(counts)
}

const counted = [
  ['consumption', 'calls'],
  ['error', 'errors'],
] as const satisfies readonly (readonly [LogType & keyof typeof logTypes, 'calls' | 'errors'])[]

function startOf(at: Seconds, starts: Starts): Seconds {
  return starts[indexOfStep(starts, at)] ?? at
}

function add(counts: Counts, at: number, name: 'calls' | 'errors', count: number): void {
  const step = counts.get(at) ?? { calls: 0, errors: 0 }
  step[name] += count
  counts.set(at, step)
}

function inOrder(counts: Counts): HistogramStep[] {
  return [...counts].map(([at, step]) => ({ at, ...step })).sort((a, b) => a.at - b.at)
}

type Count = (at: number, count: number) => void

function* countUnsealed(filter: LogFilter, steps: Starts, count: Count): Program<void> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const condition = rowCondition(filter)
  const rows = yield* query<{ at: number; count: number }>(
    `select created_at - created_at % ${grainOf(steps)} as at, count(*) as count
      from logs where id > ? and ${condition.sql} group by 1`,
    [sealed?.id ?? 0, ...condition.parameters],
  )
  for (const row of rows) count(startOf(row.at, steps), row.count)
}

/** The longest time of which every step has whole ones. */
function grainOf(starts: Starts): number {
  return starts.reduce(commonDivisor, 0) || 1
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

function* countSealed(stretches: Stretches, steps: Starts, count: Count): Program<void> {
  const isInOneStep = (rows: { readonly min_at: number; readonly max_at: number }) =>
    startOf(rows.min_at, steps) === startOf(rows.max_at, steps)
  for (const stretch of stretches.all)
    if (isInOneStep(stretch)) count(startOf(stretch.min_at, steps), stretch.count)
  const matches = yield* stretches.matchesOf(stretches.all.filter((stretch) => !isInOneStep(stretch)))
  for (const { block, count: rows } of matches)
    if (isInOneStep(block)) count(startOf(block.min_at, steps), rows)
  for (const chunk of chunks(matches.filter(({ block }) => !isInOneStep(block)))) {
    const times = yield* readColumn('created_at', chunk)
    for (const { block, bits } of chunk) {
      const timeAt = numbersOf(times, block)
      eachPosition(bits?.() ?? everyPosition(block.count), (position) =>
        count(startOf(timeAt(position), steps), 1),
      )
    }
  }
}
