import type { TaskReport } from '@tollgate/providers'
import type { Logger } from '../../../lib/logger.ts'
import type { OpenTaskRow, TaskAccount, TaskRepository } from '../../../store/work/tasks.ts'
import { isEnd } from '../task-row.ts'
import type { TaskStore } from '../task-store.ts'
import type { PolledTask, PolledTasks } from './polled-tasks.ts'

interface Dependencies {
  readonly taskStore: Pick<TaskStore, 'reportAll'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Writes reports of an account's tasks into the task store, and stops following tasks that have ended. */
export class TaskReporter {
  /** Consecutive polls without a change. */
  unchangedPolls = 0
  readonly #tasks: PolledTasks
  readonly #deps: Dependencies

  constructor(tasks: PolledTasks, deps: Dependencies) {
    this.#tasks = tasks
    this.#deps = deps
  }

  /** A report that cannot be written does not block the others, and is tried again. */
  async report(updates: ReadonlyMap<PolledTask, TaskReport>): Promise<void> {
    const { taskStore, logger } = this.#deps
    this.unchangedPolls += 1
    if (updates.size === 0) return
    const reports = new Map([...updates].map(([{ row }, report]) => [row.id, report]))
    const { changed, failed } = await taskStore.reportAll(reports)
    for (const [taskId, err] of failed)
      logger.warn(
        { err, taskId },
        'the end of this task was not written, and is tried again at the next poll: check the database',
      )
    for (const [task, report] of updates) {
      if (failed.has(task.row.id)) continue
      task.lastReportHash = hashOf(report)
      if (isEnd(report.state)) this.#tasks.remove(task)
    }
    if (changed > 0) this.unchangedPolls = 0
  }

  async fail(tasks: readonly PolledTask[], failReason: string): Promise<void> {
    if (tasks.length > 0) await this.report(new Map(tasks.map((task) => [task, failure(failReason)])))
  }
}

export function failure(failReason: string): TaskReport {
  return { state: 'FAILURE', failReason }
}

export function hashOf(report: TaskReport): number | bigint {
  return Bun.hash(JSON.stringify(report))
}

/** Rows of one read from the store. */
const pageSize = 10_000

/** All tasks of an account that have not ended, oldest first. */
export async function openRows(
  account: TaskAccount,
  tasks: Pick<TaskRepository, 'listOpen'>,
): Promise<readonly OpenTaskRow[]> {
  const rows: OpenTaskRow[] = []
  for (let count = pageSize; count === pageSize; ) {
    const page = await tasks.listOpen(account, { afterId: rows.at(-1)?.id ?? 0, limit: pageSize })
    for (const row of page) rows.push(row)
    count = page.length
  }
  return rows
}
