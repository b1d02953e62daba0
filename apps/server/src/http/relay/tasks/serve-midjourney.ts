import { randomUUID } from 'node:crypto'
import {
  MidjourneyFault,
  type MidjourneySubmission,
  midjourneyBody,
  parseJson,
  readMidjourneySubmission,
  readTaskIds,
} from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken, type RelayCaller } from '../../../gateway/relay/admission.ts'
import { replyHeaders } from '../../../gateway/relay/call.ts'
import { callersHook, isHookAddress } from '../../../gateway/tasks/midjourney/midjourney-hooks.ts'
import { type ImageAddresses, midjourneyObject } from '../../../gateway/tasks/midjourney/midjourney-object.ts'
import {
  midjourneyOrder,
  midjourneyOrigin,
  readSeed,
  type SeedDependencies,
} from '../../../gateway/tasks/midjourney/midjourney-order.ts'
import { ownTask, ownTasks, type TaskLookup } from '../../../gateway/tasks/own-tasks.ts'
import { submitTask, type TaskDependencies } from '../../../gateway/tasks/submit-task.ts'
import type { TaskListener } from '../../../gateway/tasks/task-store.ts'
import { siteAddress } from '../../../lib/site-address.ts'
import type { CallBodies } from '../call-bodies.ts'
import { midjourneyKeyOf } from '../caller-key.ts'
import { jsonReply } from '../error-reply.ts'
import { pathNeeds } from '../path-needs.ts'
import type { RelayContext } from '../relay-context.ts'
import type { MidjourneyRoute } from '../task-paths.ts'
import type { ImageProxy } from './image-proxy.ts'
import { type NotificationDependencies, receiveNotification, secretHash } from './receive-notification.ts'
import { type ReceivedTask, received, type TaskCallDependencies, taskCallOf } from './task-call.ts'

export interface MidjourneyDependencies
  extends TaskCallDependencies,
    SeedDependencies,
    NotificationDependencies {
  readonly admission: AdmissionDependencies
  readonly tasks: TaskDependencies
  readonly taskLookup: TaskLookup
  readonly pictures: ImageProxy
  readonly notifyCaller: TaskListener
  readonly maxJsonDepth: number
  readonly bodies: CallBodies
}

/** Most tasks that one question may name. */
const maxListed = 1000

/** Everything under `/mj`. */
export async function serveMidjourney(
  context: RelayContext,
  route: MidjourneyRoute,
  deps: MidjourneyDependencies,
): Promise<Reply> {
  if (route.name === 'image') return deps.pictures.show(context.request, route.id)
  if (route.name === 'notify') return receiveNotification(context, route.secret, deps)
  const caller = await admitToken(
    midjourneyKeyOf(context),
    pathNeeds.drawing[route.name],
    context,
    deps.admission,
  )
  switch (route.name) {
    case 'submit':
      return submitMidjourney(context, route, await received(context, caller, deps), deps)
    case 'fetch': {
      const task = await ownTask('mj', route.id, caller, deps.taskLookup)
      if (task === undefined) throw new MidjourneyFault('task_no_found')
      return jsonReply(
        context,
        midjourneyObject(task, imageAddressesFor(context, deps), deps.wallClock.now()),
      )
    }
    case 'list':
      return list(context, caller, deps)
    case 'seed': {
      const origin = await midjourneyOrigin(route.id, caller, true, { ...deps, relay: deps.tasks })
      const { status, body } = await readSeed(origin, route.upstreamPath + context.query, deps)
      return { status, headers: replyHeaders('application/json', context), body }
    }
  }
}

async function list(
  context: RelayContext,
  caller: RelayCaller,
  deps: MidjourneyDependencies,
): Promise<Reply> {
  const ids = readTaskIds(parseJson(await deps.bodies.text(context.request, caller.user.id)))
  if (ids === undefined || ids.length > maxListed) throw new MidjourneyFault('bind_request_body_failed')
  const tasks = await ownTasks('mj', ids, caller, deps.taskLookup)
  const pictures = imageAddressesFor(context, deps)
  const now = deps.wallClock.now()
  return jsonReply(
    context,
    ids.flatMap((id) => {
      const task = tasks.get(id)
      return task === undefined ? [] : [midjourneyObject(task, pictures, now)]
    }),
  )
}

type SubmitRoute = Extract<MidjourneyRoute, { name: 'submit' }>

/** Orders an image. Throws `MidjourneyFault` and `RelayError`. */
export async function submitMidjourney(
  context: RelayContext,
  { action, upstreamPath }: SubmitRoute,
  { caller, body }: ReceivedTask,
  deps: MidjourneyDependencies,
): Promise<Reply> {
  const submission = readMidjourneySubmission(action, body, deps.maxJsonDepth)
  const { model, originId, needsFinishedOrigin, prompt } = submission
  const origin =
    originId === ''
      ? undefined
      : await midjourneyOrigin(originId, caller, needsFinishedOrigin, { ...deps, relay: deps.tasks })
  const { hook, retained } = hooksOf(submission, caller, deps)
  const { MjAccountFilterEnabled: keepsAccountFilter, MjModeClearEnabled: clearsMode } =
    deps.tasks.settings.current
  const call = taskCallOf(
    context,
    caller,
    { mode: 'drawing', format: 'midjourney', model, texts: [prompt] },
    deps,
  )
  const order = midjourneyOrder({
    submission,
    origin: origin?.task,
    upstreamPath: upstreamPath + context.query,
    body: midjourneyBody(submission.fields, { notifyHook: hook, keepsAccountFilter, clearsMode }),
    hooks: retained,
    noAccount: ({ channel, keyIndex, model: requestedModel }, error) => {
      const ms = Math.round(deps.tasks.clock.now() - call.startedAt)
      deps.tasks.autoDisable.considerDisabling({
        channelId: channel.id,
        keyIndex,
        model: requestedModel,
        ms,
        error,
      })
    },
  })
  const { reply, task } = await submitTask(call, order, deps.tasks)
  // The caller has already received the reply that the task goes on.
  if (task.finishedMs !== 0 && task.upstreamId !== '') deps.notifyCaller(task)
  return { status: reply.status, headers: replyHeaders('application/json', context), body: reply.body }
}

/** The upstream's notification address, and what the task stores of it: only upstream and gateway know the address. */
function hooksOf(
  { notifyHook }: MidjourneySubmission,
  { user }: RelayCaller,
  { tasks }: MidjourneyDependencies,
) {
  const { MjNotifyEnabled, ServerAddress } = tasks.settings.current
  if (!MjNotifyEnabled) return { hook: '', retained: {} }
  const own = isHookAddress(notifyHook) ? notifyHook : ''
  // Without a public address the gateway gets no notifications, and polls.
  if (ServerAddress === '') return { hook: '', retained: { [callersHook]: own } }
  const secret = `${user.id.toString(36)}-${randomUUID()}`
  const hook = `${ServerAddress.replace(/\/+$/, '')}/mj/notify/${secret}`
  return { hook, retained: { [callersHook]: own, [secretHash]: tasks.hashKey(secret) } }
}

function imageAddressesFor({ request }: RelayContext, { tasks }: MidjourneyDependencies): ImageAddresses {
  const { ServerAddress, MjForwardUrlEnabled: forwards } = tasks.settings.current
  const host = request.headers.get('host') ?? ''
  const site = ServerAddress === '' && host === '' ? '' : siteAddress(ServerAddress, { host, secure: false })
  return { site, forwards }
}
