import { isObject, type JsonObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import { withSound } from '../charged-fields.ts'
import { endpointUrl } from '../endpoint-url.ts'
import { gatewayStates, gatewayTask, isGatewayKey } from '../gateway-task.ts'
import type { OpenTask, TaskReport, TaskRequest, VideoOrder, VideoService } from '../task.ts'
import { base64Of, isAddress, ownFields } from '../video-order.ts'
import {
  getRequest,
  pollEach,
  postRequest,
  reportOf,
  type StateWords,
  taskId,
  timeMs,
} from '../video-report.ts'
import { klingTerms } from './terms.ts'

export const defaultBaseUrl = 'https://api.klingai.com'

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
    return getRequest(addressOf(`${kind}/${encodeURIComponent(id)}`, target))
  }, readTask),
}

function kindOf({ images, metadata }: VideoOrder): Kind {
  return images.length > 0 || 'image' in metadata || 'image_tail' in metadata ? 'image2video' : 'text2video'
}

function addressOf(path: string, { baseUrl, key }: ChannelTarget): string {
  const root = isGatewayKey(key) ? '/kling/v1' : '/v1'
  return endpointUrl(baseUrl || defaultBaseUrl, root, `/videos/${path}`)
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
