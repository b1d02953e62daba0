import type { OpenTaskRow } from '../../store/task-repository.ts'
import { type FollowedTask, followedTask, TaskLane } from './task-lane.ts'

/** The open tasks of an account: those that are asked about in turn, and those that questions fail for. */
export class FollowedTasks {
  readonly healthy: TaskLane
  readonly odd: TaskLane

  /** @param dueMs no question before, by the monotonic clock */
  constructor(dueMs: number) {
    this.healthy = new TaskLane(dueMs)
    this.odd = new TaskLane(dueMs)
  }

  get lanes(): readonly TaskLane[] {
    return [this.healthy, this.odd]
  }

  all(): readonly FollowedTask[] {
    return this.lanes.flatMap(({ tasks }) => [...tasks.values()])
  }

  /** Takes over all tasks that are open now; what is known of one stays. */
  replace(rows: readonly OpenTaskRow[]): void {
    const open = new Set(rows.map(({ id }) => id))
    for (const { tasks } of this.lanes) for (const id of tasks.keys()) if (!open.has(id)) tasks.delete(id)
    for (const row of rows) if (!this.#has(row)) this.healthy.add(followedTask(row))
  }

  /** An answer was of use. */
  answered(task: FollowedTask, isKnown: boolean): void {
    task.failures = 0
    task.absences = isKnown ? 0 : task.absences + 1
    task.dueMs = 0
    this.odd.tasks.delete(task.row.id)
    this.healthy.add(task)
  }

  /** A question failed because of the task. */
  putAside(task: FollowedTask): void {
    task.failures += 1
    task.absences = 0
    this.healthy.tasks.delete(task.row.id)
    this.odd.add(task)
  }

  remove({ row }: FollowedTask): void {
    for (const { tasks } of this.lanes) tasks.delete(row.id)
  }

  #has({ id }: OpenTaskRow): boolean {
    return this.lanes.some(({ tasks }) => tasks.has(id))
  }
}
