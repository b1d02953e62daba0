import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { defineProvider } from '../../define-provider.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import type { TaskReport, VideoOrder, VideoService, VideoTerms } from '../../task.ts'
import { refuseCharged, soundOf, withSound } from '../../video/charged-fields.ts'
import {
  aspectRatioOf,
  type Lengths,
  lengthsBetween,
  linesOf,
  ownFields,
  refusedValue,
  refuseFields,
  refuseImages,
  secondsOf,
  wordOf,
} from '../../video/order.ts'
import {
  getRequest,
  pollEach,
  postRequest,
  reportOf,
  type StateWords,
  statesOf,
  taskId,
} from '../../video/report.ts'
import { meaningsOf } from '../../words.ts'

interface ViduModel {
  /** Absent for a model of which nothing is known. */
  readonly lengths?: Lengths
  readonly defaultSeconds: number
  /** The first is the usual one. */
  readonly resolutions: (seconds: number) => readonly string[]
  readonly ratios: readonly string[]
  /** Set where its videos have sound by default. */
  readonly hasSound?: boolean
}

const ratios = ['16:9', '9:16', '1:1']
const moreRatios = [...ratios, '4:3', '3:4']
const modern = { resolutions: () => ['720p', '540p', '1080p'], defaultSeconds: 5, ratios: moreRatios }

/** https://platform.vidu.com/docs/text-to-video, https://platform.vidu.com/docs/image-to-video */
const models: readonly (readonly [RegExp, ViduModel])[] = [
  [/^viduq3/, { ...modern, lengths: lengthsBetween(1, 16), hasSound: true }],
  [/^viduq2/, { ...modern, lengths: lengthsBetween(1, 10) }],
  [/^viduq1/, { lengths: [5], defaultSeconds: 5, resolutions: () => ['1080p'], ratios }],
  [/^vidu(2\.0|1\.5)/, { lengths: [4, 8], defaultSeconds: 4, resolutions: earlyResolutions, ratios }],
]

const unknownModel: ViduModel = {
  ...modern,
  resolutions: () => ['720p', '360p', '540p', '1080p'],
}

function earlyResolutions(seconds: number): readonly string[] {
  return seconds === 8 ? ['720p'] : ['360p', '720p', '1080p']
}

/**
 * Reads an order's terms, with Vidu's defaults where it leaves them open.
 * @throws RequestFault for what the model does not make
 */
function viduTerms(order: VideoOrder, model: string): VideoTerms {
  const known = modelOf(model)
  refuseCharged(order.metadata, ['duration', 'resolution', 'audio'])
  const seconds = secondsOf(order, 'duration', known.lengths, known.defaultSeconds)
  const resolution = orderedResolution(order, known.resolutions(seconds))
  return withSound({ seconds, resolution }, soundOf(order.metadata, 'audio', known.hasSound === true))
}

/** Returns the aspect ratio of a video whose images do not define it. */
function viduRatio(order: VideoOrder, model: string): string | undefined {
  return aspectRatioOf(order, modelOf(model).ratios)
}

function modelOf(name: string): ViduModel {
  return models.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel
}

function orderedResolution(order: VideoOrder, takes: readonly string[]): string {
  const stated = wordOf(order, 'resolution', takes)
  const lines = linesOf(order)
  if (stated !== undefined) return stated
  if (lines === undefined) return takes[0] ?? ''
  if (takes.includes(`${lines}p`)) return `${lines}p`
  const sides = takes.map((resolution) => `a shorter side of ${resolution.slice(0, -1)}`)
  throw refusedValue('size', order.size && `${order.size.width}x${order.size.height}`, sides)
}

const maxImages = 7
/** Kinds of a video by the number of its images; more than two are references. */
const kinds = ['text2video', 'img2video', 'start-end2video'] as const
const references = 'reference2video'

const states: StateWords = statesOf({
  SUBMITTED: 'created',
  QUEUED: 'queueing',
  IN_PROGRESS: 'processing',
  SUCCESS: 'success',
  FAILURE: 'failed',
})

const viduVideo: VideoService = {
  submit(order, target) {
    const kind = kinds[order.images.length] ?? references
    return postRequest(addressOf(`/${kind}`, target), encodeOrder(order, target.upstreamModel))
  },
  terms: (order, { upstreamModel }) => viduTerms(order, upstreamModel),
  reference: (body) => (isObject(body) && body.state !== 'failed' ? taskId(body.task_id) : undefined),
  polling: pollEach(
    ({ reference }, target) => getRequest(addressOf(`/tasks/${pathSegment(reference)}/creations`, target)),
    readTask,
  ),
}

function addressOf(path: string, { baseUrl }: ChannelTarget): string {
  return endpointUrl(baseUrl, '/ent/v2', path)
}

function encodeOrder(order: VideoOrder, model: string): JsonObject {
  refuseImages(order, maxImages)
  refuseFields(order, 'mode', 'negativePrompt')
  const { seconds, resolution } = viduTerms(order, model)
  const { images } = order
  // Where an image is a frame, the video has its ratio.
  const ratio = images.length === 0 || images.length > 2 ? viduRatio(order, model) : undefined
  return {
    prompt: order.prompt,
    ...(images.length > 0 && { images }),
    duration: seconds,
    resolution,
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(order.seed !== undefined && { seed: order.seed }),
    ...ownFields(order),
    model,
  }
}

function readTask(response: JsonObject): TaskReport | undefined {
  const [creation] = listOf(response.creations)
  return reportOf(states.get(response.state), {
    video: objectOf(creation).url,
    reason: textOf(response.err_msg) || textOf(response.err_code),
    result: response,
  })
}

/** https://platform.vidu.com/docs/error-code */
const codeKinds: CodeKinds = meaningsOf({
  content_policy: 'AuditSubmitIllegal CreationPolicyViolation TaskPromptPolicyViolation',
  quota: 'CreditInsufficient',
  model_not_found: 'ModelUnavailable',
  not_found: 'TaskNotFound',
  rate_limited: 'QuotaExceeded SystemThrottling OperationInProcess',
})

/** Reads an error, whose code is a status; `reason` names it. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const body = parseJson(failure.body)
  if (!isObject(body) || typeof body.reason !== 'string') return decodeErrorBody(failure, codeKinds)
  const error = { code: body.reason, message: body.message }
  return decodeErrorBody({ ...failure, body: JSON.stringify({ error }) }, codeKinds)
}

/** https://platform.vidu.com/docs */
export const vidu = defineProvider({
  credential: { kind: 'headers', headers: ({ key }) => ({ authorization: `Token ${key}` }) },
  tasks: { video: () => viduVideo },
  decodeError,
})
