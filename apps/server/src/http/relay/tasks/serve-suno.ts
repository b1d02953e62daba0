import {
  encodeSunoResponse,
  encodeSunoTask,
  parseJson,
  readSunoSubmission,
  readTaskIds,
  SunoFault,
} from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken, type RelayCaller } from '../../../gateway/relay/admission.ts'
import { replyHeaders } from '../../../gateway/relay/call.ts'
import { RelayError } from '../../../gateway/relay/relay-error.ts'
import { ownTask, ownTasks, type TaskLookup } from '../../../gateway/tasks/own-tasks.ts'
import { submitTask, type TaskDependencies } from '../../../gateway/tasks/submit-task.ts'
import { sunoOrder } from '../../../gateway/tasks/suno-order.ts'
import type { Task } from '../../../store/work/tasks.ts'
import type { CallBodies } from '../call-bodies.ts'
import { keyOf } from '../caller-key.ts'
import { jsonReply } from '../error-reply.ts'
import { pathNeeds } from '../path-needs.ts'
import type { RelayContext } from '../relay-context.ts'
import type { SunoRoute } from '../task-paths.ts'
import { type ReceivedTask, received, type TaskCallDependencies, taskCallOf } from './task-call.ts'

export interface SunoDependencies extends TaskCallDependencies {
  readonly admission: AdmissionDependencies
  readonly tasks: TaskDependencies
  readonly taskLookup: TaskLookup
  readonly maxJsonDepth: number
  readonly bodies: CallBodies
}

/** Most tasks that one question may name. */
const maxListed = 1000

/** Everything under `/suno`. */
export async function serveSuno(
  context: RelayContext,
  route: SunoRoute,
  deps: SunoDependencies,
): Promise<Reply> {
  const caller = await admitToken(
    keyOf(context, 'openai'),
    pathNeeds.music[route.name],
    context,
    deps.admission,
  )
  switch (route.name) {
    case 'submit':
      return submitSuno(context, route.action, await received(context, caller, deps), deps)
    case 'list':
      return list(context, caller, deps)
    case 'fetch': {
      const task = await ownTask('suno', route.id, caller, deps.taskLookup)
      if (task === undefined) throw new SunoFault('task_not_exist', 'task_not_exist')
      return jsonReply(context, encodeSunoResponse(sunoObject(task)))
    }
  }
}

async function list(context: RelayContext, caller: RelayCaller, deps: SunoDependencies): Promise<Reply> {
  const ids = readTaskIds(parseJson(await deps.bodies.text(context.request, caller.user.id)))
  if (ids === undefined) throw new SunoFault('invalid_request', 'ids must be a list of task ids')
  if (ids.length > maxListed)
    throw new SunoFault('invalid_request', `ids may name ${maxListed} tasks at most`)
  const tasks = await ownTasks('suno', ids, caller, deps.taskLookup)
  const found = ids.flatMap((id) => tasks.get(id) ?? [])
  return jsonReply(context, encodeSunoResponse(found.map(sunoObject)))
}

/** Orders a song or lyrics. Throws `SunoFault` and `RelayError`. */
export async function submitSuno(
  context: RelayContext,
  action: string,
  { caller, body }: ReceivedTask,
  deps: SunoDependencies,
): Promise<Reply> {
  const submission = readSunoSubmission(action, body, deps.maxJsonDepth)
  const { model, texts, originId } = submission
  const origin = originId === '' ? undefined : await originOf(originId, caller, deps)
  const call = taskCallOf(context, caller, { mode: 'music', format: 'suno', model, texts }, deps)
  const { reply } = await submitTask(call, sunoOrder(submission, origin), deps.tasks)
  return { status: reply.status, headers: replyHeaders('application/json', context), body: reply.body }
}

async function originOf(
  id: string,
  caller: RelayCaller,
  { taskLookup, tasks }: SunoDependencies,
): Promise<Task> {
  const task = await ownTask('suno', id, caller, taskLookup)
  if (task === undefined) throw new SunoFault('task_not_exist', 'task_origin_not_exist')
  const channel = tasks.channels.snapshot.channel(task.channelId)
  if (channel === undefined)
    throw new SunoFault('channel_not_found', 'The channel that has the task is gone.')
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', 'The channel that has the task is disabled. Begin a new one.')
  return task
}

function sunoObject(task: Task) {
  return encodeSunoTask({ ...task, id: task.upstreamId, data: parseJson(task.result) ?? null })
}
