import { timingSafeEqual } from 'node:crypto'
import { DrawingFault, isObject, parseJson, textOf } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { TaskReport } from '@tollgate/providers'
import { answerHeaders } from '../../../relay/call.ts'
import type { SavedTasks } from '../../../relay/tasks/own-tasks.ts'
import type { TaskDependencies } from '../../../relay/tasks/submit-task.ts'
import type { Task } from '../../../store/entities.ts'
import { keptText } from '../../../tasks/drawing/drawing-object.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'
import { type CallBodies, noAccount } from '../call-bodies.ts'
import type { Visit } from '../visit.ts'

export interface NoticeDependencies {
  readonly tasks: Pick<TaskDependencies, 'book' | 'hashKey' | 'channels'>
  readonly saved: SavedTasks
  readonly bodies: CallBodies
}

/** Name under which a drawing keeps what the secret of its address hashes to. */
export const secretHash = 'notify_secret'

/**
 * An upstream tells of a task, at an address that was made for this one alone. What it says counts as what it answers when it
 * is asked. Whether there is a task of another secret is not told.
 */
export async function takeNotice(visit: Visit, secret: string, deps: NoticeDependencies): Promise<Reply> {
  const notice = parseJson(await deps.bodies.text(visit.request, noAccount))
  const task = await notifiedTask(notice, secret, deps)
  if (task === undefined) throw new DrawingFault('midjourney_task_not_found')
  const report = reportIn(notice, task, deps)
  if (report !== undefined) await deps.tasks.book.report(task.id, report)
  return { status: 200, headers: answerHeaders('application/json', visit), body: '' }
}

async function notifiedTask(
  notice: unknown,
  secret: string,
  { saved, tasks }: NoticeDependencies,
): Promise<Task | undefined> {
  const [, owner = ''] = /^([0-9a-z]{1,11})-[0-9a-f-]{36}$/.exec(secret) ?? []
  const id = isObject(notice) ? textOf(notice.id) : ''
  if (owner === '' || id === '') return undefined
  const found = await saved.findByUpstreamIds('mj', [id], Number.parseInt(owner, 36))
  const task = found.get(id)
  return task !== undefined && isEqual(keptText(task, secretHash), tasks.hashKey(secret)) ? task : undefined
}

function isEqual(kept: string, hash: string): boolean {
  return kept.length === hash.length && timingSafeEqual(Buffer.from(kept), Buffer.from(hash))
}

function reportIn(notice: unknown, task: Task, { tasks }: NoticeDependencies): TaskReport | undefined {
  const channel = tasks.channels.snapshot.channel(task.channelId)
  const service = channel?.provider.tasks?.drawing
  if (channel === undefined || service === undefined) return undefined
  const { reference, upstreamModel: model } = task
  const answer = service.polling.read([notice], [{ reference, model }], channelTarget(channel, 0))
  return answer !== undefined && 'reports' in answer ? answer.reports.get(reference) : undefined
}
