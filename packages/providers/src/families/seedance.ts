import { isObject, type JsonObject, listOf, objectOf, RequestFault, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../channel-target.ts'
import { endpointUrl, pathSegment } from '../endpoint-url.ts'
import type { VideoOrder, VideoService, VideoTerms } from '../task.ts'
import { refuseCharged, soundOf, withSound } from '../video/charged-fields.ts'
import {
  aspectRatioOf,
  type Lengths,
  lengthsBetween,
  refusedValue,
  refuseFields,
  resolutionOf,
  secondsOf,
  wordOf,
} from '../video/order.ts'
import {
  getRequest,
  pollEach,
  postRequest,
  reportOf,
  type StateWords,
  statesOf,
  taskId,
  timeMs,
} from '../video/report.ts'

/** Resolutions and lengths of a generation of models; the first resolution is the default. */
interface Makes {
  readonly resolutions: readonly string[]
  readonly lengths: Lengths
}

const generations: readonly (readonly [name: RegExp, makes: Makes])[] = [
  [/seedance-1-0-lite/, { resolutions: ['720p', '480p', '1080p'], lengths: lengthsBetween(2, 12) }],
  [/seedance-1-0-pro/, { resolutions: ['1080p', '720p', '480p'], lengths: lengthsBetween(2, 12) }],
  [/seedance-1-5/, { resolutions: ['720p', '480p', '1080p'], lengths: lengthsBetween(4, 12) }],
]
const newest: Makes = { resolutions: ['720p', '480p', '1080p'], lengths: lengthsBetween(2, 15) }
const defaultSeconds = 5
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const

const framesPerSecond = 24
const maxFrames = 289
const maxReferences = 9

/** Options that a text may hold, which would decide the price behind our back. https://www.volcengine.com/docs/82379/1366799 */
const textOption = /(^|\s)--(rs|resolution|dur|duration|frames|fps|framespersecond)\b/i

const states: StateWords = statesOf({
  QUEUED: 'queued',
  IN_PROGRESS: 'running',
  SUCCESS: 'succeeded',
  FAILURE: 'failed cancelled expired',
})

/** Videos at Volcengine Ark. https://www.volcengine.com/docs/82379/1520757 */
export const seedance: VideoService = {
  submit(order, target) {
    const body = { ...bodyOf(order, target.upstreamModel), model: target.upstreamModel }
    refuseTextOptions(body)
    return postRequest(addressOf('', target), body)
  },
  terms: (order, { upstreamModel }) => seedanceTerms(order, upstreamModel),
  reference: (body) => (isObject(body) ? taskId(body.id) : undefined),
  polling: pollEach(
    ({ reference }, target) => getRequest(addressOf(`/${pathSegment(reference)}`, target)),
    (response) => {
      const { message, code } = objectOf(response.error)
      const report = reportOf(states.get(response.status), {
        video: objectOf(response.content).video_url,
        reason: textOf(message) || textOf(code) || endWithoutReason(response.status),
        result: response,
      })
      const finishedMs = timeMs(response.updated_at)
      const hasEnded = report?.state === 'SUCCESS' || report?.state === 'FAILURE'
      return report && hasEnded && finishedMs !== undefined ? { ...report, finishedMs } : report
    },
  ),
}

function endWithoutReason(status: unknown): string {
  return status === 'cancelled' || status === 'expired' ? `the upstream’s task was ${status}` : ''
}

function addressOf(path: string, { baseUrl }: ChannelTarget): string {
  return endpointUrl(baseUrl, '/api/v3', `/contents/generations/tasks${path}`)
}

function bodyOf(order: VideoOrder, model: string): JsonObject {
  refuseFields(order, 'mode', 'negativePrompt')
  const { seconds, resolution } = seedanceTerms(order, model)
  const ratio = aspectRatioOf(order, ratios)
  return {
    content: [{ type: 'text', text: order.prompt }, ...picturesOf(order)],
    ...(ratio !== undefined && { ratio }),
    ...(order.seed !== undefined && { seed: order.seed }),
    ...order.metadata,
    resolution,
    // The upstream takes one of the two.
    ...('frames' in order.metadata ? {} : { duration: seconds }),
  }
}

function seedanceTerms(order: VideoOrder, model: string): VideoTerms {
  const { resolutions, lengths } = generations.find(([name]) => name.test(model))?.[1] ?? newest
  refuseCharged(order.metadata, ['duration', 'frames', 'resolution', 'generate_audio'])
  const terms = {
    seconds: secondsByFrames(order) ?? secondsOf(order, 'duration', lengths, defaultSeconds),
    resolution:
      wordOf(order, 'resolution', resolutions) ?? resolutionOf(order, resolutions) ?? resolutions[0] ?? '',
  }
  return withSound(terms, soundOf(order.metadata, 'generate_audio', !model.includes('seedance-1-0')))
}

function secondsByFrames({ metadata }: VideoOrder): number | undefined {
  if (!('frames' in metadata)) return undefined
  const frames = metadata.frames
  if (typeof frames === 'number' && Number.isInteger(frames) && frames > 0 && frames <= maxFrames)
    return Math.ceil(frames / framesPerSecond)
  throw refusedValue('metadata.frames', frames, [`a whole number from 29 to ${maxFrames}`])
}

function picturesOf({ images }: VideoOrder): readonly JsonObject[] {
  if (images.length > maxReferences)
    throw refusedValue('input_reference', '', [`at most ${maxReferences} images`])
  const roles = images.length > 2 ? images.map(() => 'reference_image') : ['first_frame', 'last_frame']
  return images.map((url, index) => ({ type: 'image_url', image_url: { url }, role: roles[index] }))
}

function refuseTextOptions({ content }: JsonObject): void {
  const texts = listOf(content).map((part) => textOf(objectOf(part).text))
  const [, , option] = texts.map((text) => textOption.exec(text)).find((found) => found !== null) ?? []
  if (option === undefined) return
  throw new RequestFault(
    `prompt has the option --${option}, which is not supported there: use seconds and size`,
    'prompt',
    'invalid_value',
  )
}
