import type { TaskPlatform } from '@tollgate/api'
import type { Task, TaskRepository } from '../../store/work/tasks.ts'
import type { RelayCaller } from '../relay/admission.ts'
import { RelayError } from '../relay/relay-error.ts'

/** Finds tasks by their public ids. */
export type TaskLookup = Pick<TaskRepository, 'findByUpstreamIds'>

/** Returns those of the named tasks that belong to the caller, by id. Throws `RelayError` when the store fails. */
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

/** Returns one task; `undefined` when the caller has no task of that id. */
export async function ownTask(
  platform: TaskPlatform,
  id: string,
  caller: Pick<RelayCaller, 'user'>,
  tasks: TaskLookup,
): Promise<Task | undefined> {
  return (await ownTasks(platform, [id], caller, tasks)).get(id)
}
