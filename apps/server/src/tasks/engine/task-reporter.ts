import type { TaskReport } from '@tollgate/providers'
import type { Logger } from '../../lib/logger.ts'
import type { FollowedTasks } from './followed-tasks.ts'
import type { TaskBook } from './task-book.ts'
import { isEnd } from './task-change.ts'
import type { FollowedTask } from './task-lane.ts'

interface Dependencies {
  readonly book: Pick<TaskBook, 'reportAll'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Tells the book what becomes of the tasks of an account, and follows those no more that have ended. */
export class TaskReporter {
  /** Answers in a row that told nothing new. */
  quiet = 0
  readonly #tasks: FollowedTasks
  readonly #deps: Dependencies

  constructor(tasks: FollowedTasks, deps: Dependencies) {
    this.#tasks = tasks
    this.#deps = deps
  }

  /** What cannot be written of one task keeps no other from being written, and is tried again. */
  async report(news: ReadonlyMap<FollowedTask, TaskReport>): Promise<void> {
    const { book, logger } = this.#deps
    this.quiet += 1
    if (news.size === 0) return
    const reports = new Map([...news].map(([{ row }, report]) => [row.id, report]))
    const { changed, failed } = await book.reportAll(reports)
    for (const [taskId, err] of failed) logger.warn({ err, taskId }, 'the end of a task cannot be written')
    for (const [task, report] of news) {
      if (failed.has(task.row.id)) continue
      task.said = hashOf(report)
      if (isEnd(report.state)) this.#tasks.remove(task)
    }
    if (changed > 0) this.quiet = 0
  }

  async fail(tasks: readonly FollowedTask[], failReason: string): Promise<void> {
    if (tasks.length > 0) await this.report(new Map(tasks.map((task) => [task, failure(failReason)])))
  }
}

export function failure(failReason: string): TaskReport {
  return { state: 'FAILURE', failReason }
}

export function hashOf(report: TaskReport): number | bigint {
  return Bun.hash(JSON.stringify(report))
}
