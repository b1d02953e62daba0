import { timingSafeEqual } from 'node:crypto'
import { isObject, MidjourneyFault, parseJson, textOf } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { TaskReport } from '@tollgate/providers'
import { replyHeaders } from '../../../gateway/relay/call.ts'
import { propertyText } from '../../../gateway/tasks/midjourney/midjourney-object.ts'
import type { TaskLookup } from '../../../gateway/tasks/own-tasks.ts'
import type { TaskDependencies } from '../../../gateway/tasks/submit-task.ts'
import type { Task } from '../../../store/work/tasks.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import { type CallBodies, noAccount } from '../call-bodies.ts'
import type { RelayContext } from '../relay-context.ts'

export interface NotificationDependencies {
  readonly tasks: Pick<TaskDependencies, 'taskStore' | 'hashKey' | 'channels'>
  readonly taskLookup: TaskLookup
  readonly bodies: CallBodies
}

/** Field of a Midjourney task that stores the hash of the secret in its notification address. */
export const secretHash = 'notify_secret'

/**
 * Receives an upstream's notification about a task, at an address made for this task alone. Treats it like the upstream's
 * response to a poll. A wrong secret gets the same response as an unknown task.
 */
export async function receiveNotification(
  context: RelayContext,
  secret: string,
  deps: NotificationDependencies,
): Promise<Reply> {
  const notification = parseJson(await deps.bodies.text(context.request, noAccount))
  const task = await notifiedTask(notification, secret, deps)
  if (task === undefined) throw new MidjourneyFault('midjourney_task_not_found')
  const report = reportIn(notification, task, deps)
  if (report !== undefined) await deps.tasks.taskStore.report(task.id, report)
  return { status: 200, headers: replyHeaders('application/json', context), body: '' }
}

async function notifiedTask(
  notification: unknown,
  secret: string,
  { taskLookup, tasks }: NotificationDependencies,
): Promise<Task | undefined> {
  const [, owner = ''] = /^([0-9a-z]{1,11})-[0-9a-f-]{36}$/.exec(secret) ?? []
  const id = isObject(notification) ? textOf(notification.id) : ''
  if (owner === '' || id === '') return undefined
  const found = await taskLookup.findByUpstreamIds('mj', [id], Number.parseInt(owner, 36))
  const task = found.get(id)
  return task !== undefined && isEqual(propertyText(task, secretHash), tasks.hashKey(secret))
    ? task
    : undefined
}

function isEqual(retained: string, hash: string): boolean {
  return retained.length === hash.length && timingSafeEqual(Buffer.from(retained), Buffer.from(hash))
}

function reportIn(
  notification: unknown,
  task: Task,
  { tasks }: NotificationDependencies,
): TaskReport | undefined {
  const channel = tasks.channels.snapshot.channel(task.channelId)
  const service = channel?.provider.tasks?.drawing
  if (channel === undefined || service === undefined) return undefined
  const { reference, upstreamModel: model } = task
  const response = service.polling.read([notification], [{ reference, model }], channelTarget(channel, 0))
  return response !== undefined && 'reports' in response ? response.reports.get(reference) : undefined
}
