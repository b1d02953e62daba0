import { randomUUID } from 'node:crypto'
import {
  DrawingFault,
  type DrawingSubmission,
  parseJson,
  readDrawingSubmission,
  readTaskIds,
  sentDrawingBody,
} from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import { siteAddress } from '../../../lib/site-address.ts'
import {
  type AdmissionDependencies,
  admitToken,
  type RelayCaller,
} from '../../../relay/admission/admission.ts'
import { answerHeaders } from '../../../relay/call.ts'
import { drawingOrder } from '../../../relay/tasks/drawing/drawing-order.ts'
import { drawingOrigin } from '../../../relay/tasks/drawing/drawing-origin.ts'
import { readSeed, type SeedDependencies } from '../../../relay/tasks/drawing/read-seed.ts'
import { ownTask, ownTasks, type SavedTasks } from '../../../relay/tasks/own-tasks.ts'
import { submitTask, type TaskDependencies } from '../../../relay/tasks/submit-task.ts'
import { callersHook, isHookAddress } from '../../../tasks/drawing/drawing-hooks.ts'
import { drawingObject, type PictureAddresses } from '../../../tasks/drawing/drawing-object.ts'
import type { TaskListener } from '../../../tasks/engine/task-book.ts'
import type { CallBodies } from '../call-bodies.ts'
import { drawingKeyOf } from '../caller-dialect.ts'
import { jsonAnswer } from '../error-answer.ts'
import { type TaskCallDependencies, taskCallOf } from '../task-call.ts'
import type { DrawingRoute } from '../task-paths.ts'
import type { Visit } from '../visit.ts'
import type { Pictures } from './pictures.ts'
import { type NoticeDependencies, secretHash, takeNotice } from './take-notice.ts'

export interface DrawingDependencies extends TaskCallDependencies, SeedDependencies, NoticeDependencies {
  readonly admission: AdmissionDependencies
  readonly tasks: TaskDependencies
  readonly saved: SavedTasks
  readonly pictures: Pictures
  readonly tellCaller: TaskListener
  readonly maxJsonDepth: number
  readonly bodies: CallBodies
}

/** Most tasks that one question may name. */
const maxListed = 1000

/** Everything under `/mj`. */
export async function serveDrawing(
  visit: Visit,
  route: DrawingRoute,
  deps: DrawingDependencies,
): Promise<Reply> {
  if (route.name === 'image') return deps.pictures.show(visit.request, route.id)
  if (route.name === 'notify') return takeNotice(visit, route.secret, deps)
  const caller = await admitToken(drawingKeyOf(visit), visit, deps.admission)
  switch (route.name) {
    case 'submit':
      return submit(visit, route, caller, deps)
    case 'fetch': {
      const task = await ownTask('mj', route.id, caller, deps.saved)
      if (task === undefined) throw new DrawingFault('task_no_found')
      return jsonAnswer(visit, drawingObject(task, picturesFor(visit, deps), deps.wallClock.now()))
    }
    case 'list':
      return list(visit, caller, deps)
    case 'seed': {
      const origin = await drawingOrigin(route.id, caller, true, { ...deps, relay: deps.tasks })
      const { status, body } = await readSeed(origin, route.upstreamPath + visit.query, deps)
      return { status, headers: answerHeaders('application/json', visit), body }
    }
  }
}

async function list(visit: Visit, caller: RelayCaller, deps: DrawingDependencies): Promise<Reply> {
  const ids = readTaskIds(parseJson(await deps.bodies.text(visit.request, caller.user.id)))
  if (ids === undefined || ids.length > maxListed) throw new DrawingFault('bind_request_body_failed')
  const tasks = await ownTasks('mj', ids, caller, deps.saved)
  const pictures = picturesFor(visit, deps)
  const now = deps.wallClock.now()
  return jsonAnswer(
    visit,
    ids.flatMap((id) => {
      const task = tasks.get(id)
      return task === undefined ? [] : [drawingObject(task, pictures, now)]
    }),
  )
}

type SubmitRoute = Extract<DrawingRoute, { name: 'submit' }>

async function submit(
  visit: Visit,
  { action, upstreamPath }: SubmitRoute,
  caller: RelayCaller,
  deps: DrawingDependencies,
): Promise<Reply> {
  const submission = readDrawingSubmission(
    action,
    await deps.bodies.text(visit.request, caller.user.id),
    deps.maxJsonDepth,
  )
  const { model, originId, needsFinishedOrigin, prompt } = submission
  const origin =
    originId === ''
      ? undefined
      : await drawingOrigin(originId, caller, needsFinishedOrigin, { ...deps, relay: deps.tasks })
  const { hook, kept } = hooksOf(submission, caller, deps)
  const { MjAccountFilterEnabled: keepsAccountFilter, MjModeClearEnabled: clearsMode } =
    deps.tasks.settings.current
  const call = taskCallOf(
    visit,
    caller,
    { mode: 'drawing', format: 'midjourney', model, texts: [prompt] },
    deps,
  )
  const order = drawingOrder({
    submission,
    origin: origin?.task,
    upstreamPath: upstreamPath + visit.query,
    body: sentDrawingBody(submission.fields, { notifyHook: hook, keepsAccountFilter, clearsMode }),
    hooks: kept,
    noAccount: ({ channel, keyIndex, model: asked }, error) => {
      const ms = Math.round(deps.tasks.clock.now() - call.startedAt)
      deps.tasks.channelSwitch.considerDisabling({ channelId: channel.id, keyIndex, model: asked, ms, error })
    },
  })
  const { reply, task } = await submitTask(call, order, deps.tasks)
  // Its caller was told that it goes on.
  if (task.finishedMs !== 0 && task.upstreamId !== '') deps.tellCaller(task)
  return { status: reply.status, headers: answerHeaders('application/json', visit), body: reply.body }
}

/** Where the upstream tells of changes, and what is kept of it: the address is a secret between it and the gateway. */
function hooksOf({ notifyHook }: DrawingSubmission, { user }: RelayCaller, { tasks }: DrawingDependencies) {
  const { MjNotifyEnabled, ServerAddress } = tasks.settings.current
  if (!MjNotifyEnabled) return { hook: '', kept: {} }
  const own = isHookAddress(notifyHook) ? notifyHook : ''
  // Nobody can tell a gateway that does not know where it is; it asks.
  if (ServerAddress === '') return { hook: '', kept: { [callersHook]: own } }
  const secret = `${user.id.toString(36)}-${randomUUID()}`
  const hook = `${ServerAddress.replace(/\/+$/, '')}/mj/notify/${secret}`
  return { hook, kept: { [callersHook]: own, [secretHash]: tasks.hashKey(secret) } }
}

function picturesFor({ request }: Visit, { tasks }: DrawingDependencies): PictureAddresses {
  const { ServerAddress, MjForwardUrlEnabled: forwards } = tasks.settings.current
  const host = request.headers.get('host') ?? ''
  const site = ServerAddress === '' && host === '' ? '' : siteAddress(ServerAddress, { host, secure: false })
  return { site, forwards }
}
