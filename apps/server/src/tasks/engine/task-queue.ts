import type { TaskPolling } from '@tollgate/providers'
import type { OpenTaskRow } from '../../store/repositories/tasks.ts'

/** An open task, and how asking about it has gone. */
export interface PolledTask {
  row: OpenTaskRow
  /** Questions in a row that failed because of it. */
  failures: number
  /** Answers in a row that did not know it. */
  timesMissing: number
  /** Not asked about before, by the monotonic clock. */
  dueMs: number
  /** What was said of it last, as a hash: what is said again is not written again. */
  lastReportHash: number | bigint | undefined
}

export function polledTask(row: OpenTaskRow): PolledTask {
  return { row, failures: 0, timesMissing: 0, dueMs: 0, lastReportHash: undefined }
}

/** Answers in a row that do not know a task, before it is gone; a list may be short by mistake. */
const absencesOfOne = 2
const absencesInList = 4
const absencesInLateList = 16

/** Whether its upstream does not know a task, or no longer. */
export function isGone(
  { timesMissing, lastReportHash }: PolledTask,
  { batch, listsNewTasksLate }: Pick<TaskPolling, 'batch' | 'listsNewTasksLate'>,
): boolean {
  if (batch === 1) return timesMissing >= absencesOfOne
  return (
    timesMissing >= (listsNewTasksLate && lastReportHash === undefined ? absencesInLateList : absencesInList)
  )
}

/**
 * Tasks that take turns at being asked about. A question that fails names fewer tasks the next time, until it names the one
 * that it fails for; each question that is answered lets the next one name more again.
 */
export class TaskQueue {
  /** The least recently asked one first. */
  readonly tasks = new Map<number, PolledTask>()
  /** No question before, by the monotonic clock. */
  dueMs: number
  #most = Number.POSITIVE_INFINITY

  constructor(dueMs: number) {
    this.dueMs = dueMs
  }

  /** How many tasks the next question names at most. */
  batch(most: number): number {
    return Math.min(this.#most, most)
  }

  /** Those whose turn it is. */
  next(most: number, nowMs: number): readonly PolledTask[] {
    const found: PolledTask[] = []
    const limit = this.batch(most)
    for (const task of this.tasks.values()) {
      if (found.length >= limit) break
      if (task.dueMs <= nowMs) found.push(task)
    }
    return found
  }

  /** When the first of them may be asked about, by the monotonic clock. */
  firstDueMs(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { dueMs } of this.tasks.values()) first = Math.min(first, dueMs)
    return first
  }

  /** Puts a task behind all others. */
  add(task: PolledTask): void {
    this.tasks.delete(task.row.id)
    this.tasks.set(task.row.id, task)
  }

  split(count: number): void {
    this.#most = Math.ceil(count / 2)
  }

  grow(): void {
    this.#most *= 2
  }
}
