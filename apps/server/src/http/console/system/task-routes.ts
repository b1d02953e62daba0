import { drawings, tasks } from '@tollgate/api'
import type { TaskLists } from '../../../gateway/tasks/task-lists.ts'
import { type ConsoleRoute, route } from '../route.ts'

/** Drawings and other tasks, for administrators and for oneself. */
export function taskRoutes({ taskLists }: { readonly taskLists: TaskLists }): ConsoleRoute[] {
  return [
    route(drawings.list, async ({ query }) => listed(await taskLists.drawings(query))),
    route(drawings.listSelf, async ({ query }, { caller }) =>
      listed(await taskLists.drawings(query, caller.userId)),
    ),
    route(tasks.list, async ({ query }) => listed(await taskLists.others(query))),
    route(tasks.listSelf, async ({ query }, { caller }) =>
      listed(await taskLists.others(query, caller.userId)),
    ),
  ]
}

function listed<Row>({ rows, total }: { readonly rows: Row[]; readonly total: number }) {
  return { data: rows, extra: { total } }
}
