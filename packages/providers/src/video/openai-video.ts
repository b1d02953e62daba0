import { isObject, type JsonObject, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget, UpstreamEndpoint } from '../channel-target.ts'
import { pathSegment } from '../endpoint-url.ts'
import type { OpenTask, TaskReport, VideoOrder, VideoService, VideoTerms } from '../task.ts'
import { refuseCharged } from './charged-fields.ts'
import {
  linesOf,
  ownFields,
  refusedValue,
  refuseFields,
  refuseImages,
  resolutionName,
  secondsOf,
} from './order.ts'
import { pollEach, postRequest, reportOf, type StateWords, statesOf, taskId, timeMs } from './report.ts'

/** https://platform.openai.com/docs/guides/video-generation; the longer ones came later. */
const soraLengths = [4, 8, 12, 16, 20]
const soraSizes = ['720x1280', '1280x720']
const proSizes = [...soraSizes, '1024x1792', '1792x1024', '1080x1920', '1920x1080']
const defaultSeconds = 4
const defaultResolution = '720p'

const states: StateWords = statesOf({
  QUEUED: 'queued',
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
})

/** Endpoint of a path under `/videos`, which may be empty. */
type EndpointUnder = (path: string, target: ChannelTarget) => Pick<UpstreamEndpoint, 'url' | 'headers'>

/**
 * Videos in OpenAI's format, at OpenAI or a compatible upstream. The gateway has no facts about models of others, and passes
 * their orders on unchecked.
 */
export function openAiVideo(endpointUnder: EndpointUnder): VideoService {
  const get = ({ reference }: OpenTask, target: ChannelTarget, part = '') =>
    ({ method: 'GET', ...endpointUnder(`/${pathSegment(reference)}${part}`, target) }) as const
  return {
    submit: (order, target) => {
      const { url, headers } = endpointUnder('', target)
      const request = postRequest(url, {
        ...orderOf(order, target.upstreamModel),
        model: target.upstreamModel,
      })
      return { ...request, headers: { ...request.headers, ...headers } }
    },
    terms: (order, { upstreamModel }) => termsOf(order, upstreamModel),
    reference: (body) => (isObject(body) && !isObject(body.error) ? taskId(body.id) : undefined),
    content: (task, _url, target) => get(task, target, '/content'),
    polling: pollEach(
      (task, target) => ({ ...get(task, target), body: '' }),
      (response, task, target) => readTask(response, get(task, target, '/content').url),
    ),
  }
}

function orderOf(order: VideoOrder, model: string): JsonObject {
  refuseImages(order, 1)
  refuseFields(order, 'mode', 'seed', 'negativePrompt')
  const { seconds } = termsOf(order, model)
  const [image] = order.images
  const size = sizeOf(order, model)
  return {
    prompt: order.prompt,
    // Texts, both: https://platform.openai.com/docs/api-reference/videos/create
    ...(order.seconds !== undefined && { seconds: String(seconds) }),
    ...(size !== undefined && { size }),
    ...(image !== undefined && { input_reference: { image_url: image } }),
    ...ownFields(order),
  }
}

function termsOf(order: VideoOrder, model: string): VideoTerms {
  refuseCharged(order.metadata, ['seconds', 'size'])
  const seconds = secondsOf(order, 'seconds', isSora(model) ? soraLengths : undefined, defaultSeconds)
  const size = sizeOf(order, model)
  const [width, height] = size?.split('x').map(Number) ?? []
  const lines = linesOf({ ...order, ...(width && height && { size: { width, height } }) })
  return { seconds, resolution: lines === undefined ? defaultResolution : resolutionName(lines) }
}

function isSora(model: string): boolean {
  return model.startsWith('sora-2')
}

/** Returns the size that `metadata` has, or the order. */
function sizeOf({ size, metadata }: VideoOrder, model: string): string | undefined {
  const isOwn = 'size' in metadata
  const stated = isOwn ? metadata.size : size && `${size.width}x${size.height}`
  if (stated === undefined) return undefined
  const takes = isSora(model) ? (model.includes('pro') ? proSizes : soraSizes) : undefined
  const isKnown =
    typeof stated === 'string' && (takes?.includes(stated) ?? /^[1-9]\d{1,4}x[1-9]\d{1,4}$/.test(stated))
  if (!isKnown)
    throw refusedValue(isOwn ? 'metadata.size' : 'size', stated, takes ?? ['1280x720', '720x1280'])
  return stated
}

function readTask(response: JsonObject, contentUrl: string): TaskReport | undefined {
  const report = reportOf(states.get(response.status), {
    video: contentUrl,
    reason: textOf(objectOf(response.error).message) || textOf(objectOf(response.error).code),
    result: response,
  })
  if (report === undefined) return undefined
  const { progress, completed_at } = response
  const finishedMs = timeMs(completed_at)
  return {
    ...report,
    ...(report.progress === undefined && isPercent(progress) && { progress }),
    ...(report.state === 'SUCCESS' && finishedMs !== undefined && { finishedMs }),
  }
}

function isPercent(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100
}
