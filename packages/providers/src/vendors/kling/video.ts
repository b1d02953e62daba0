import { isObject, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import type { OpenTask, TaskReport, TaskRequest, VideoOrder, VideoService, VideoTerms } from '../../task.ts'
import { refuseCharged, soundOf, withSound } from '../../video/charged-fields.ts'
import {
  aspectRatioOf,
  base64Of,
  isAddress,
  type Lengths,
  lengthsBetween,
  linesOf,
  ownFields,
  refuseFields,
  refuseImages,
  secondsOf,
  wordOf,
} from '../../video/order.ts'
import {
  gatewayStates,
  gatewayTask,
  getRequest,
  isGatewayKey,
  pollEach,
  postRequest,
  reportOf,
  type StateWords,
  taskId,
  timeMs,
} from '../../video/report.ts'

type Mode = 'std' | 'pro' | '4k'

interface KlingModel {
  /** Absent for a model of which nothing is known. */
  readonly lengths?: Lengths
  /** Absent: the model has one resolution. */
  readonly modes: readonly Mode[]
  readonly resolution?: string
}

interface KlingTerms extends VideoTerms {
  readonly mode: Mode | undefined
  readonly ratio: string | undefined
}

const ratios = ['16:9', '9:16', '1:1']
const resolutions: Readonly<Record<Mode, string>> = { std: '720p', pro: '1080p', '4k': '4k' }
const defaultSeconds = 5

/** https://app.klingai.com/global/dev/document-api/apiReference/model/skillsMap */
const models: readonly (readonly [RegExp, KlingModel])[] = [
  [/^kling-v2-master/, { lengths: [5, 10], modes: [], resolution: '720p' }],
  [/^kling-v2-1-master/, { lengths: [5, 10], modes: [], resolution: '1080p' }],
  [/^kling-v3.*-turbo/, { lengths: lengthsBetween(3, 15), modes: ['std', 'pro'] }],
  [/^kling-v3/, { lengths: lengthsBetween(3, 15), modes: ['std', 'pro', '4k'] }],
  [/^kling-v[12](-|$)/, { lengths: [5, 10], modes: ['std', 'pro'] }],
]

const unknownModel: KlingModel = { modes: ['std', 'pro', '4k'] }

/**
 * Reads an order's terms, with Kling's defaults where it leaves them open.
 * @throws RequestFault for what the model does not make
 */
function klingTerms(order: VideoOrder, model: string): KlingTerms {
  const known = models.find(([name]) => name.test(model))?.[1] ?? unknownModel
  const hasModes = known.modes.length > 0
  refuseImages(order, 2)
  refuseFields(order, 'seed')
  // The lengths of shots add up to the video's length.
  refuseCharged(order.metadata, ['duration', 'sound', 'multi_prompt', ...(hasModes ? ['mode'] : [])])
  if (!hasModes) refuseFields(order, 'mode')
  const mode = hasModes ? modeOf(order, known.modes) : undefined
  const terms = {
    seconds: secondsOf(order, 'duration', known.lengths, defaultSeconds),
    resolution: (mode && resolutions[mode]) ?? known.resolution ?? resolutions.std,
    mode,
    ratio: order.images.length === 0 ? aspectRatioOf(order, ratios) : undefined,
  }
  return withSound(terms, soundOf(order.metadata, 'sound', false))
}

/** Returns the mode of an order; one of as many lines as only the better mode makes means that mode. */
function modeOf(order: VideoOrder, modes: readonly Mode[]): Mode {
  const stated = wordOf(order, 'mode', modes, { field: 'mode', value: order.mode })
  return stated ?? ((linesOf(order) ?? 0) >= 1080 ? 'pro' : 'std')
}

/** A task is asked about where it was ordered, so that its reference says the kind: `image2video/{id}`. */
type Kind = 'text2video' | 'image2video'

const states: StateWords = new Map([
  ...gatewayStates,
  ['submitted', 'SUBMITTED'],
  ['processing', 'IN_PROGRESS'],
  ['succeed', 'SUCCESS'],
  ['failed', 'FAILURE'],
])

/** https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo */
export const klingVideo: VideoService = {
  submit(order, target) {
    const kind = kindOf(order)
    return postRequest(addressOf(kind, target), encodeOrder(order, target.upstreamModel, kind))
  },
  terms(order, { upstreamModel }) {
    const { seconds, resolution, sound } = klingTerms(order, upstreamModel)
    return withSound({ seconds, resolution }, sound)
  },
  reference: referenceIn,
  polling: pollEach(({ reference }, target) => {
    const [kind = '', id = ''] = reference.split(/\/(.*)/s)
    return getRequest(addressOf(`${kind}/${pathSegment(id)}`, target))
  }, readTask),
}

function kindOf({ images, metadata }: VideoOrder): Kind {
  return images.length > 0 || 'image' in metadata || 'image_tail' in metadata ? 'image2video' : 'text2video'
}

function addressOf(path: string, { baseUrl, key }: ChannelTarget): string {
  const root = isGatewayKey(key) ? '/kling/v1' : '/v1'
  return endpointUrl(baseUrl, root, `/videos/${path}`)
}

function encodeOrder(order: VideoOrder, model: string, kind: Kind): JsonObject {
  const { seconds, mode, ratio } = klingTerms(order, model)
  const [image, tail] = order.images
  return {
    prompt: order.prompt,
    duration: String(seconds),
    ...(mode !== undefined && { mode }),
    // A video of an image has the image's.
    ...(ratio !== undefined && kind === 'text2video' && { aspect_ratio: ratio }),
    ...(image !== undefined && { image: pictureOf(image) }),
    ...(tail !== undefined && { image_tail: pictureOf(tail) }),
    ...(order.negativePrompt !== undefined && { negative_prompt: order.negativePrompt }),
    ...ownFields(order),
    model_name: model,
  }
}

/** Data URLs are refused: it is base64 alone. */
function pictureOf(image: string): string {
  return isAddress(image) ? image : base64Of(image)
}

function referenceIn(body: unknown, { url }: TaskRequest): string | undefined {
  if (!isObject(body) || isRefusal(body)) return undefined
  const id = taskId(objectOf(body.data).task_id) ?? gatewayTask(body).id
  return id && `${url.endsWith('/image2video') ? 'image2video' : 'text2video'}/${id}`
}

/** Codes of gateways are words. */
function isRefusal({ code, error }: JsonObject): boolean {
  return (typeof code === 'number' && code !== 0) || isObject(error)
}

function readTask(response: JsonObject, _task: OpenTask): TaskReport | undefined {
  if (typeof response.code === 'number' && response.code !== 0) return undefined
  const task = objectOf(response.data)
  const relayed = gatewayTask(response)
  const [video] = listOf(objectOf(task.task_result).videos)
  const report = reportOf(states.get(textOf(task.task_status) || relayed.status), {
    video: objectOf(video).url ?? relayed.url,
    reason: textOf(task.task_status_msg) || relayed.reason,
    result: isObject(response.data) ? task : response,
  })
  const finishedMs = report?.progress === 100 ? timeMs(task.updated_at) : undefined
  return report && { ...report, ...(finishedMs !== undefined && { finishedMs }) }
}
