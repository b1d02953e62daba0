import type { TaskPlatform } from '@tollgate/api'
import type { TaskPolling, TaskService } from '@tollgate/providers'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { OpenTaskRow } from '../../../store/work/tasks.ts'
import { serviceOf } from './poll-account.ts'

/** An open task, with the history of its polls. */
export interface PolledTask {
  row: OpenTaskRow
  /** Consecutive polls that failed because of it. */
  failures: number
  /** Consecutive responses that lacked it. */
  timesMissing: number
  /** Earliest next poll, by the monotonic clock. */
  dueMs: number
  /** Hash of its last report: a repeated report is not written again. */
  lastReportHash: number | bigint | undefined
}

export function polledTask(row: OpenTaskRow): PolledTask {
  return { row, failures: 0, timesMissing: 0, dueMs: 0, lastReportHash: undefined }
}

/** Consecutive responses without a task before it counts as gone; a list may be incomplete by mistake. */
const absencesOfOne = 2
const absencesInList = 4
const absencesInLateList = 16

/** Decides whether the upstream does not know the task (any more). */
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
 * Tasks that are polled in turn. After a failed poll the next one names fewer tasks, until it names the one that fails alone;
 * after each successful poll the next one names more again.
 */
export class TaskQueue {
  /** The least recently polled one first. */
  readonly tasks = new Map<number, PolledTask>()
  /** Earliest next poll, by the monotonic clock. */
  dueMs: number
  #maxBatch = Number.POSITIVE_INFINITY

  constructor(dueMs: number) {
    this.dueMs = dueMs
  }

  /** The most tasks that the next poll names. */
  batch(max: number): number {
    return Math.min(this.#maxBatch, max)
  }

  /** The tasks whose turn it is. */
  next(max: number, nowMs: number): readonly PolledTask[] {
    const found: PolledTask[] = []
    const limit = this.batch(max)
    for (const task of this.tasks.values()) {
      if (found.length >= limit) break
      if (task.dueMs <= nowMs) found.push(task)
    }
    return found
  }

  /** Earliest next poll of any of them, by the monotonic clock. */
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
    this.#maxBatch = Math.ceil(count / 2)
  }

  grow(): void {
    this.#maxBatch *= 2
  }
}

/** The open tasks of an account: those that are polled in turn, and those that polls fail for. */
export class PolledTasks {
  readonly healthy: TaskQueue
  readonly failing: TaskQueue

  /** @param dueMs earliest first poll, by the monotonic clock */
  constructor(dueMs: number) {
    this.healthy = new TaskQueue(dueMs)
    this.failing = new TaskQueue(dueMs)
  }

  get queues(): readonly TaskQueue[] {
    return [this.healthy, this.failing]
  }

  all(): readonly PolledTask[] {
    return this.queues.flatMap(({ tasks }) => [...tasks.values()])
  }

  /** Takes over all tasks that are open now, and preserves the history of known ones. */
  replace(rows: readonly OpenTaskRow[]): void {
    const open = new Set(rows.map(({ id }) => id))
    for (const { tasks } of this.queues) for (const id of tasks.keys()) if (!open.has(id)) tasks.delete(id)
    for (const row of rows) if (!this.#has(row)) this.healthy.add(polledTask(row))
  }

  /** Records a successful poll of the task. */
  responded(task: PolledTask, isKnown: boolean): void {
    task.failures = 0
    task.timesMissing = isKnown ? 0 : task.timesMissing + 1
    task.dueMs = 0
    this.failing.tasks.delete(task.row.id)
    this.healthy.add(task)
  }

  /** Records that a poll failed because of the task. */
  quarantine(task: PolledTask): void {
    task.failures += 1
    task.timesMissing = 0
    this.healthy.tasks.delete(task.row.id)
    this.failing.add(task)
  }

  remove({ row }: PolledTask): void {
    for (const { tasks } of this.queues) tasks.delete(row.id)
  }

  #has({ id }: OpenTaskRow): boolean {
    return this.queues.some(({ tasks }) => tasks.has(id))
  }
}

/** The tasks of one poll. */
export interface Question {
  readonly tasks: readonly PolledTask[]
  /** `undefined` where the channel no longer offers such tasks. */
  readonly service: TaskService | undefined
  /** The most tasks that the service takes. */
  readonly batch: number
}

/**
 * The due tasks of a lane, as far as one poll can name them: models of a channel may have services of their own.
 * `undefined` when no task is due.
 */
export function questionOf(
  queue: TaskQueue,
  { channel, platform }: { readonly channel: RoutedChannel; readonly platform: TaskPlatform },
  nowMs: number,
): Question | undefined {
  const serviceFor = ({ row }: PolledTask) => serviceOf(channel, platform, row.upstreamModel)
  const [first] = queue.next(1, nowMs)
  if (first === undefined) return undefined
  const service = serviceFor(first)
  const batch = service?.polling.batch ?? 1
  if (batch === 1) return { tasks: [first], service, batch }
  return { tasks: queue.next(batch, nowMs).filter((task) => serviceFor(task) === service), service, batch }
}
