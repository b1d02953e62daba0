import { timingSafeEqual } from 'node:crypto'
import { isObject, MidjourneyFault, parseJson, textOf } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { TaskReport } from '@tollgate/providers'
import { replyHeaders } from '../../../relay/call.ts'
import type { Task } from '../../../store/repositories/tasks.ts'
import { keptText } from '../../../tasks/midjourney/midjourney-object.ts'
import type { TaskLookup } from '../../../tasks/own-tasks.ts'
import type { TaskDependencies } from '../../../tasks/submit-task.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import { type CallBodies, noAccount } from '../call-bodies.ts'
import type { RelayContext } from '../relay-context.ts'

export interface NotificationDependencies {
  readonly tasks: Pick<TaskDependencies, 'taskStore' | 'hashKey' | 'channels'>
  readonly taskLookup: TaskLookup
  readonly bodies: CallBodies
}

/** Name under which a drawing keeps what the secret of its address hashes to. */
export const secretHash = 'notify_secret'

/**
 * An upstream tells of a task, at an address that was made for this one alone. What it says counts as what it answers when it
 * is asked. Whether there is a task of another secret is not told.
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
  return task !== undefined && isEqual(keptText(task, secretHash), tasks.hashKey(secret)) ? task : undefined
}

function isEqual(kept: string, hash: string): boolean {
  return kept.length === hash.length && timingSafeEqual(Buffer.from(kept), Buffer.from(hash))
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
