import { spareNumbers } from './shared-bytes.ts'
import type { WorkerProcess } from './worker-process.ts'

/** One of the queues of connections, and the worker that accepts from it. */
export interface Slot {
  readonly index: number
  current: WorkerProcess | undefined
  /** Number of the worker that is started again in a while: its folder waits for it. */
  awaited: number | undefined
  /** Times in a row that its worker ended by itself. */
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Makes as many slots as there are queues. */
export function createSlots(count: number): readonly Slot[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    current: undefined,
    awaited: undefined,
    failures: 0,
    timer: undefined,
  }))
}

/**
 * Lists the slots whose queues get new connections: of workers that take calls, else of all that listen and run, so that callers get the
 * reason, else of all that listen.
 */
export function openSlots(slots: readonly Slot[]): readonly Slot[] {
  const open = slots.filter(({ current }) => current?.isOpen)
  const running = open.filter(({ current }) => current?.pulse.isSlow === false)
  const fit = running.filter(({ current }) => current?.isFit)
  return [fit, running, open].find(({ length }) => length > 0) ?? []
}

/** A worker that has served for so long has not failed at its start. */
const healthyMs = 60_000

/** Counts that the worker of a slot ended by itself; returns the times in a row that it did before. */
export function countFailure(slot: Slot, lifeMs: number): number {
  const before = lifeMs > healthyMs ? 0 : slot.failures
  slot.failures = before + 1
  return before
}

/**
 * Returns the number of a folder that no worker uses, or will use.
 * @param last the number behind which it is looked for, in turn
 */
export function freeNumber(slots: readonly Slot[], workers: Iterable<WorkerProcess>, last: number): number {
  const used = new Set([...slots.map(({ awaited }) => awaited), ...[...workers].map(({ number }) => number)])
  const total = slots.length + spareNumbers
  const numbers = Array.from({ length: total }, (_, step) => ((last + step) % total) + 1)
  return numbers.find((number) => !used.has(number)) ?? total
}

const delaysMs = [0, 500, 1000, 2000, 5000, 10_000, 30_000] as const

/** Returns how long a slot stays empty when its worker has ended by itself, by the times in a row that this happened before. */
export function restartDelayMs(failures: number): number {
  return delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0
}
