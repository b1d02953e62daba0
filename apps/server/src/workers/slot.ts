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

const delaysMs = [0, 500, 1000, 2000, 5000, 10_000, 30_000] as const

/** Returns how long a slot stays empty when its worker has ended by itself, by the times in a row that this happened before. */
export function restartDelayMs(failures: number): number {
  return delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0
}
