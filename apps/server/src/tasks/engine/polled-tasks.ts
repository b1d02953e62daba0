import type { OpenTaskRow } from '../../store/repositories/tasks.ts'
import { type PolledTask, polledTask, TaskQueue } from './task-queue.ts'

/** The open tasks of an account: those that are asked about in turn, and those that questions fail for. */
export class PolledTasks {
  readonly healthy: TaskQueue
  readonly failing: TaskQueue

  /** @param dueMs no question before, by the monotonic clock */
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

  /** Takes over all tasks that are open now; what is known of one stays. */
  replace(rows: readonly OpenTaskRow[]): void {
    const open = new Set(rows.map(({ id }) => id))
    for (const { tasks } of this.queues) for (const id of tasks.keys()) if (!open.has(id)) tasks.delete(id)
    for (const row of rows) if (!this.#has(row)) this.healthy.add(polledTask(row))
  }

  /** An answer was of use. */
  responded(task: PolledTask, isKnown: boolean): void {
    task.failures = 0
    task.timesMissing = isKnown ? 0 : task.timesMissing + 1
    task.dueMs = 0
    this.failing.tasks.delete(task.row.id)
    this.healthy.add(task)
  }

  /** A question failed because of the task. */
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
