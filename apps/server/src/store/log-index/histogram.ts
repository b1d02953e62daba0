import type { LogType, logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../program.ts'
import { eachPosition, everyPosition } from './bitmap.ts'
import { chunks, type Match, numbersOf, readColumn } from './block.ts'
import { lastSealedId } from './dimensions.ts'
import { newestFailures } from './failures.ts'
import { rowCondition } from './filter.ts'
import type { HistogramStep, LogFilter, Steps } from './log-row.ts'
import { matchBlocks } from './match.ts'

type Counts = Map<number, { calls: number; errors: number }>

/**
 * Charged and failed calls of the filter in steps of time, in their order; steps without a call are left out. Blocks
 * whose rows lie in one step are counted without being read.
 */
export function* readHistogram(filter: LogFilter, steps: Steps): Program<HistogramStep[]> {
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
      yield* countSealed(yield* matchBlocks(ofType), steps, (at, count) => add(counts, at, name, count))
    }
  return inOrder(counts)
}

const counted = [
  ['consumption', 'calls'],
  ['error', 'errors'],
] as const satisfies readonly (readonly [LogType & keyof typeof logTypes, 'calls' | 'errors'])[]

function startOf(at: number, { stepSeconds, shiftSeconds }: Steps): number {
  return at - ((at + shiftSeconds) % stepSeconds)
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

function* countUnsealed(
  filter: LogFilter,
  { stepSeconds, shiftSeconds }: Steps,
  count: Count,
): Program<void> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const condition = rowCondition(filter)
  const rows = yield* query<{ at: number; count: number }>(
    `select created_at - (created_at + ${shiftSeconds}) % ${stepSeconds} as at, count(*) as count
      from logs where id > ? and ${condition.sql} group by 1`,
    [sealed?.id ?? 0, ...condition.parameters],
  )
  for (const row of rows) count(row.at, row.count)
}

function* countSealed(matches: readonly Match[], steps: Steps, count: Count): Program<void> {
  const isInOneStep = ({ block }: Match) => startOf(block.min_at, steps) === startOf(block.max_at, steps)
  for (const match of matches) if (isInOneStep(match)) count(startOf(match.block.min_at, steps), match.count)
  for (const chunk of chunks(matches.filter((match) => !isInOneStep(match)))) {
    const times = yield* readColumn('created_at', chunk)
    for (const { block, bits } of chunk) {
      const timeAt = numbersOf(times, block)
      eachPosition(bits?.() ?? everyPosition(block.count), (position) =>
        count(startOf(timeAt(position), steps), 1),
      )
    }
  }
}
