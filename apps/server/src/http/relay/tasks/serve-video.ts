import { roles } from '@tollgate/api'
import {
  dataUrl,
  encodeVideo,
  noUsage,
  RequestFault,
  readVideoRequest,
  type VideoRequest,
  videoFields,
} from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { DirectoryUser } from '../../../accounts/users/user-directory.ts'
import { costOf } from '../../../billing/pricing/charge.ts'
import { isVideoPriced, videoPrice } from '../../../billing/pricing/media-price.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import { pricedName } from '../../../billing/pricing/price-table.ts'
import { type AdmissionDependencies, admitToken, type RelayCaller } from '../../../gateway/relay/admission.ts'
import { mediaTypeOf } from '../../../gateway/relay/attempts/call-media.ts'
import { replyHeaders } from '../../../gateway/relay/call.ts'
import { readJson, refusalOf } from '../../../gateway/relay/dialects/chat-dialect.ts'
import type { FormPart } from '../../../gateway/relay/forms/received-form.ts'
import { RelayError } from '../../../gateway/relay/relay-error.ts'
import { ownTask, type TaskLookup } from '../../../gateway/tasks/own-tasks.ts'
import { submitTask, type TaskDependencies } from '../../../gateway/tasks/submit-task.ts'
import { offeredTerms, type VideoOrdering, videoOrder, videoState } from '../../../gateway/tasks/video.ts'
import type { Task } from '../../../store/work/tasks.ts'
import type { CallBodies } from '../call-bodies.ts'
import { keyOf } from '../caller-key.ts'
import { pathNeeds } from '../path-needs.ts'
import type { RelayContext } from '../relay-context.ts'
import type { VideoRoute } from '../task-paths.ts'
import { type ReceivedTask, type TaskCallDependencies, taskCallOf } from './task-call.ts'
import type { VideoContents } from './video-contents.ts'

interface VideoDependencies extends TaskCallDependencies, OrderReading {
  readonly admission: AdmissionDependencies
  readonly tasks: TaskDependencies
  readonly taskLookup: TaskLookup
  readonly contents: VideoContents
  readonly newVideoId: () => string
}

/** Everything under `/v1/videos`. https://platform.openai.com/docs/api-reference/videos */
export async function serveVideo(
  context: RelayContext,
  route: VideoRoute,
  deps: VideoDependencies,
): Promise<Reply> {
  const caller = await admitToken(
    keyOf(context, 'openai'),
    pathNeeds.video[route.name],
    context,
    deps.admission,
  )
  if (route.name === 'create')
    return createVideo(context, caller, await readOrder(context, caller.user.id, deps), deps)
  const task = await ownTask('video', route.id, caller, deps.taskLookup)
  if (task === undefined) throw notFound(route.id)
  return route.name === 'show' ? visible(context, task, deps) : deps.contents.send(context, task)
}

/** Orders a video with a body of the console. Throws `RelayError`. */
export function submitVideo(
  context: RelayContext,
  { caller, body }: ReceivedTask,
  deps: VideoDependencies,
): Promise<Reply> {
  return createVideo(context, caller, readVideoRequest(readJson(body, deps.maxJsonDepth).body), deps)
}

/** Reader of a video with a session. */
interface VideoReader {
  readonly user: DirectoryUser
  /** Rejects unless the user may act as an administrator now. */
  readonly proveAdmin: () => Promise<unknown>
}

/** Sends the bytes of a video that the user has; an administrator gets those of every user. */
export async function sendOwnVideo(
  context: RelayContext,
  id: string,
  { user, proveAdmin }: VideoReader,
  deps: VideoDependencies,
): Promise<Reply> {
  const isAdmin = roles[user.role] >= roles.admin
  const task = (await deps.taskLookup.findByUpstreamIds('video', [id], isAdmin ? undefined : user.id)).get(id)
  if (task === undefined) throw notFound(id)
  if (task.userId !== user.id) await proveAdmin()
  return deps.contents.send(context, task)
}

async function createVideo(
  context: RelayContext,
  caller: RelayCaller,
  { model, order }: VideoRequest,
  deps: VideoDependencies,
): Promise<Reply> {
  const texts = [order.prompt, order.negativePrompt ?? '']
  const call = taskCallOf(context, caller, { mode: 'video', format: 'openai-videos', model, texts }, deps)
  const ordering = { order, id: deps.newVideoId(), ...pricing(order, model, deps) }
  const { task } = await submitTask(call, videoOrder(ordering), deps.tasks)
  return visible(context, task, deps)
}

function pricing(
  order: VideoOrdering['order'],
  model: string,
  { tasks }: VideoDependencies,
): Pick<VideoOrdering, 'isPriced' | 'priceOf' | 'reservedPrice'> {
  const rules = tasks.settings.current.VideoPrice
  const name = pricedName(model)
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  const priceOf: VideoOrdering['priceOf'] = (price, terms) => videoPrice(price, rule, terms)
  return {
    isPriced: (terms) => isVideoPriced(rule, terms),
    priceOf,
    reservedPrice: (price, channels) =>
      worstCase(offeredTerms(order, model, channels).map((terms) => priceOf(price, terms))) ?? price,
  }
}

function worstCase(prices: readonly Price[]): Price | undefined {
  return prices.toSorted((a, b) => costOf(noUsage, b) - costOf(noUsage, a))[0]
}

function visible(context: RelayContext, task: Task, { contents }: VideoDependencies): Reply {
  const body = encodeVideo(videoState(task, contents.isPublic(task)))
  return { status: 200, headers: replyHeaders('application/json', context), body }
}

const visibleLength = 128

function notFound(id: string): RelayError {
  const message = `Video with id '${id.slice(0, visibleLength)}' not found.`
  return new RelayError('video_not_found', message, { param: 'video_id' })
}

interface OrderReading {
  readonly bodies: CallBodies
  readonly maxJsonDepth: number
}

/** Pictures of an order go out as text within JSON, which is held in memory. */
const maxFileBytes = 20 * 1024 * 1024

/** An order as its caller wrote it, as JSON or as a form. Throws `RelayError`. */
async function readOrder(
  { request }: RelayContext,
  account: number,
  deps: OrderReading,
): Promise<VideoRequest> {
  const type = request.headers.get('content-type')?.toLowerCase() ?? ''
  try {
    if (!type.startsWith('multipart/form-data'))
      return readVideoRequest(readJson(await deps.bodies.text(request, account), deps.maxJsonDepth).body)
    const form = await deps.bodies.form(request, account)
    try {
      return readVideoRequest(videoFields(await fieldsOf(form.parts)))
    } finally {
      await form.discard()
    }
  } catch (error) {
    if (error instanceof RequestFault) throw refusalOf(error)
    throw error
  }
}

async function fieldsOf(parts: readonly FormPart[]) {
  let left = maxFileBytes
  const fields = []
  for (const part of parts) {
    const { name } = part.head
    if (part.kind === 'file') left -= part.file.size
    if (left < 0) throw unusable(name, `the files of an order may have ${maxFileBytes} bytes together`)
    fields.push({ name, text: part.kind === 'field' ? part.text : await pictureOf(part) })
  }
  return fields
}

async function pictureOf({ head, file }: Extract<FormPart, { kind: 'file' }>): Promise<string> {
  const pieces: Buffer[] = []
  // A piece holds until the next one is asked for.
  for await (const piece of file.read()) pieces.push(Buffer.from(piece))
  const bytes = Buffer.concat(pieces)
  const type = mediaTypeOf(bytes)
  if (type?.startsWith('image/') === true) return dataUrl({ mediaType: type, data: bytes.toString('base64') })
  throw unusable(head.name, 'send a PNG, JPEG, GIF or WebP image')
}

function unusable(field: string, reason: string): RequestFault {
  return new RequestFault(`${field} is a file that cannot be used: ${reason}`, field, 'invalid_value')
}
