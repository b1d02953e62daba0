import { isObject, type JsonObject, objectOf, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { defineProvider } from '../../define-provider.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import type { TaskReport, TaskRequest, VideoOrder, VideoService, VideoTerms } from '../../task.ts'
import { refuseCharged, soundOf, withSound } from '../../video/charged-fields.ts'
import {
  aspectRatioOf,
  linesOf,
  ownFields,
  refusedValue,
  refuseImages,
  resolutionName,
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
  timeMs,
} from '../../video/report.ts'

/** Every model has names of its own for its frames. */
interface FrameNames {
  readonly first: string
  readonly last: string
}

/** Members for first and last images, by the pages of the models, such as https://replicate.com/kwaivgi/kling-v2.1/api/schema */
const frameNames: readonly (readonly [RegExp, FrameNames])[] = [
  [/^kwaivgi\//, { first: 'start_image', last: 'end_image' }],
  [/^luma\//, { first: 'start_image', last: 'end_image' }],
  [/^minimax\//, { first: 'first_frame_image', last: 'last_frame_image' }],
  [/^google\//, { first: 'image', last: 'last_frame' }],
  [/^wan-video\//, { first: 'image', last: 'last_image' }],
  [/^openai\//, { first: 'input_reference', last: 'last_frame_image' }],
]
const defaultNames: FrameNames = { first: 'image', last: 'last_frame_image' }

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '9:21']
const defaultSeconds = 5
const defaultResolution = '720p'

/** An order as the input of a model, of whose values nothing is known. */
function inputOf(order: VideoOrder, model: string): JsonObject {
  refuseImages(order, 2)
  replicateTerms(order, model)
  const { first, last } = frameNames.find(([name]) => name.test(model))?.[1] ?? defaultNames
  const [image, tail] = order.images
  const ratio = aspectRatioOf(order, ratios)
  const lines = linesOf(order)
  return {
    prompt: order.prompt,
    ...(order.seconds !== undefined && { duration: order.seconds }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(lines !== undefined && { resolution: resolutionName(lines) }),
    ...(image !== undefined && { [first]: image }),
    ...(tail !== undefined && { [last]: tail }),
    ...(order.mode !== undefined && { mode: order.mode }),
    ...(order.seed !== undefined && { seed: order.seed }),
    ...(order.negativePrompt !== undefined && { negative_prompt: order.negativePrompt }),
    ...ownFields(order),
  }
}

/** @throws RequestFault for what says no price */
function replicateTerms(order: VideoOrder, model: string): VideoTerms {
  refuseCharged(order.metadata, ['duration', 'resolution', 'mode', 'generate_audio'])
  const terms = {
    seconds: secondsOf(order, 'duration', undefined, defaultSeconds),
    resolution: resolutionByMode(order) ?? orderedResolution(order),
  }
  return withSound(terms, soundOf(order.metadata, 'generate_audio', /^google\/veo-3/.test(model)))
}

/** Modes that are resolutions by another name: of Kling's models, where they decide the price. */
function resolutionByMode(order: VideoOrder): string | undefined {
  const mode = wordOf(order, 'mode', ['standard', 'std', 'pro'], { field: 'mode', value: order.mode })
  if (mode === undefined) return undefined
  if (order.size !== undefined || 'resolution' in order.metadata)
    throw refusedValue('mode', mode, ['either a mode', 'a resolution alone'])
  return mode === 'pro' ? '1080p' : defaultResolution
}

function orderedResolution(order: VideoOrder): string {
  const lines = linesOf(order)
  if (!('resolution' in order.metadata))
    return lines === undefined ? defaultResolution : resolutionName(lines)
  const { resolution } = order.metadata
  if (typeof resolution === 'string' && /^([1-9]\d{2,3}p|[2-8]k)$/i.test(resolution))
    return resolution.toLowerCase()
  throw refusedValue('metadata.resolution', resolution, ['480p', '720p', '1080p', 'the like'])
}

/** https://replicate.com/docs/topics/predictions/lifecycle */
const states: StateWords = statesOf({
  QUEUED: 'starting',
  IN_PROGRESS: 'processing',
  SUCCESS: 'succeeded',
  FAILURE: 'failed canceled aborted',
})

/** Never waits (`Prefer: wait`): a submission that is held open for a minute is one that can be lost. */
const replicateVideo: VideoService = {
  submit,
  terms: (order, { upstreamModel }) => replicateTerms(order, upstreamModel),
  reference: (body) => (isObject(body) && states.has(body.status) ? taskId(body.id) : undefined),
  polling: pollEach(
    // The address in the response is not followed: the key goes to the channel's host alone.
    ({ reference }, target) => getRequest(addressOf(`/predictions/${pathSegment(reference)}`, target)),
    readPrediction,
  ),
}

/** A model by its name runs where it is official; a version of one, where all are. */
function submit(order: VideoOrder, target: { readonly upstreamModel: string } & ChannelTarget): TaskRequest {
  const { upstreamModel: model } = target
  const input = inputOf(order, model)
  const [, owner, name, version] = /^([^/:]+)\/([^/:]+)(?::(.+))?$/.exec(model) ?? []
  if (owner === undefined || name === undefined || version !== undefined)
    return postRequest(addressOf('/predictions', target), { version: version ?? model, input })
  const path = `/models/${pathSegment(owner)}/${pathSegment(name)}/predictions`
  return postRequest(addressOf(path, target), { input })
}

function addressOf(path: string, { baseUrl }: ChannelTarget): string {
  return endpointUrl(baseUrl, '/v1', path)
}

function readPrediction(prediction: JsonObject): TaskReport | undefined {
  const { status, output, error, started_at, completed_at } = prediction
  const report = reportOf(states.get(status), {
    video: videoIn(output),
    reason: textOf(error) || textOf(objectOf(error).message) || `the prediction was ${textOf(status)}`,
    result: visible(prediction),
  })
  const startedMs = timeMs(started_at)
  const finishedMs = report?.progress === 100 ? timeMs(completed_at) : undefined
  return (
    report && {
      ...report,
      ...(startedMs !== undefined && { startedMs }),
      ...(finishedMs !== undefined && { finishedMs }),
    }
  )
}

/** One file, the first of several, or one under a name. */
function videoIn(output: unknown): unknown {
  if (Array.isArray(output)) return output.find((file) => typeof file === 'string')
  return isObject(output) ? (output.video ?? output.url) : output
}

/** Leaves out the order, which may hold images, the account's URLs, and logs. */
function visible({ id, model, version, status, output, error, metrics }: JsonObject): JsonObject {
  return { id, model, version, status, output, error, metrics }
}

/** https://replicate.com/docs/reference/http */
export const replicate = defineProvider({ tasks: { video: () => replicateVideo } })
