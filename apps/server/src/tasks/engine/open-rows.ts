import type { OpenTaskRow, TaskAccount, TaskRepository } from '../../store/repositories/tasks.ts'

/** Rows that are read from the store at once. */
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
