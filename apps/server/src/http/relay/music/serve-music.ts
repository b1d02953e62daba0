import {
  encodeSunoAnswer,
  encodeSunoTask,
  parseJson,
  readSunoSubmission,
  readTaskIds,
  SunoFault,
} from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import {
  type AdmissionDependencies,
  admitToken,
  type RelayCaller,
} from '../../../relay/admission/admission.ts'
import { answerHeaders } from '../../../relay/call.ts'
import { RelayError } from '../../../relay/relay-error.ts'
import { musicOrder } from '../../../relay/tasks/music/music-order.ts'
import { ownTask, ownTasks, type SavedTasks } from '../../../relay/tasks/own-tasks.ts'
import { submitTask, type TaskDependencies } from '../../../relay/tasks/submit-task.ts'
import type { Task } from '../../../store/entities.ts'
import type { CallBodies } from '../call-bodies.ts'
import { keyOf } from '../caller-dialect.ts'
import { jsonAnswer } from '../error-answer.ts'
import { type TaskCallDependencies, taskCallOf } from '../task-call.ts'
import type { MusicRoute } from '../task-paths.ts'
import type { Visit } from '../visit.ts'

export interface MusicDependencies extends TaskCallDependencies {
  readonly admission: AdmissionDependencies
  readonly tasks: TaskDependencies
  readonly saved: SavedTasks
  readonly maxJsonDepth: number
  readonly bodies: CallBodies
}

/** Most tasks that one question may name. */
const maxListed = 1000

/** Everything under `/suno`. */
export async function serveMusic(visit: Visit, route: MusicRoute, deps: MusicDependencies): Promise<Reply> {
  const caller = await admitToken(keyOf(visit, 'openai'), visit, deps.admission)
  switch (route.name) {
    case 'submit':
      return submit(visit, route.action, caller, deps)
    case 'list':
      return list(visit, caller, deps)
    case 'fetch': {
      const task = await ownTask('suno', route.id, caller, deps.saved)
      if (task === undefined) throw new SunoFault('task_not_exist', 'task_not_exist')
      return jsonAnswer(visit, encodeSunoAnswer(musicObject(task)))
    }
  }
}

async function list(visit: Visit, caller: RelayCaller, deps: MusicDependencies): Promise<Reply> {
  const ids = readTaskIds(parseJson(await deps.bodies.text(visit.request, caller.user.id)))
  if (ids === undefined) throw new SunoFault('invalid_request', 'ids must be a list of task ids')
  if (ids.length > maxListed)
    throw new SunoFault('invalid_request', `ids may name ${maxListed} tasks at most`)
  const tasks = await ownTasks('suno', ids, caller, deps.saved)
  const found = ids.flatMap((id) => tasks.get(id) ?? [])
  return jsonAnswer(visit, encodeSunoAnswer(found.map(musicObject)))
}

async function submit(
  visit: Visit,
  action: string,
  caller: RelayCaller,
  deps: MusicDependencies,
): Promise<Reply> {
  const submission = readSunoSubmission(
    action,
    await deps.bodies.text(visit.request, caller.user.id),
    deps.maxJsonDepth,
  )
  const { model, texts, originId } = submission
  const origin = originId === '' ? undefined : await originOf(originId, caller, deps)
  const call = taskCallOf(visit, caller, { mode: 'music', format: 'suno', model, texts }, deps)
  const { reply } = await submitTask(call, musicOrder(submission, origin), deps.tasks)
  return { status: reply.status, headers: answerHeaders('application/json', visit), body: reply.body }
}

async function originOf(id: string, caller: RelayCaller, { saved, tasks }: MusicDependencies): Promise<Task> {
  const task = await ownTask('suno', id, caller, saved)
  if (task === undefined) throw new SunoFault('task_not_exist', 'task_origin_not_exist')
  const channel = tasks.channels.snapshot.channel(task.channelId)
  if (channel === undefined)
    throw new SunoFault('channel_not_found', 'The channel that has the task is gone.')
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', 'The channel that has the task is disabled. Begin a new one.')
  return task
}

function musicObject(task: Task) {
  return encodeSunoTask({ ...task, id: task.upstreamId, data: parseJson(task.result) ?? null })
}
