import type { TaskPlatform } from '@tollgate/api'
import type { RelayCaller } from '../relay/admission.ts'
import { RelayError } from '../relay/relay-error.ts'
import type { Task, TaskRepository } from '../store/repositories/tasks.ts'

/** Where tasks are found by the ids by which callers know them. */
export type TaskLookup = Pick<TaskRepository, 'findByUpstreamIds'>

/** A caller's own tasks of those that are named, by id. Throws `RelayError` when the store cannot tell. */
export async function ownTasks(
  platform: TaskPlatform,
  ids: readonly string[],
  { user }: Pick<RelayCaller, 'user'>,
  tasks: TaskLookup,
): Promise<ReadonlyMap<string, Task>> {
  if (ids.length === 0) return new Map()
  try {
    return await tasks.findByUpstreamIds(platform, ids, user.id)
  } catch (cause) {
    const message = 'Tasks cannot be looked up right now. Try again shortly.'
    throw new RelayError('database_unavailable', message, { cause })
  }
}

/** One of them; `undefined` where the caller has none of the name. */
export async function ownTask(
  platform: TaskPlatform,
  id: string,
  caller: Pick<RelayCaller, 'user'>,
  tasks: TaskLookup,
): Promise<Task | undefined> {
  return (await ownTasks(platform, [id], caller, tasks)).get(id)
}
