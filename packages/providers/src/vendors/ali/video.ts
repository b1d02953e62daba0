import { type JsonObject, objectOf, RequestFault, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import type { TaskRequest, VideoOrder, VideoService, VideoTerms } from '../../task.ts'
import { refuseCharged, soundOf, withSound } from '../../video/charged-fields.ts'
import {
  aspectRatioOf,
  type Lengths,
  lengthsBetween,
  refusedValue,
  refuseFields,
  refuseImages,
  resolutionOf,
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

/** Resolutions and lengths of a generation of models; the first resolution is the default. */
interface Makes {
  readonly resolutions: readonly string[]
  readonly lengths: Lengths
}

/** https://www.alibabacloud.com/help/en/model-studio/text-to-video-api-reference, and image-to-video beside it */
const generations: readonly (readonly [name: RegExp, makes: Makes])[] = [
  [/^wanx?2\.1-i2v-turbo/, { resolutions: ['720P', '480P'], lengths: [3, 4, 5] }],
  [/^wanx?2\.1-t2v-turbo/, { resolutions: ['720P', '480P'], lengths: [5] }],
  [/^wanx?2\.1-/, { resolutions: ['720P'], lengths: [5] }],
  [/^wan2\.2-.*-flash/, { resolutions: ['720P', '480P', '1080P'], lengths: [5] }],
  [/^wan2\.2-/, { resolutions: ['1080P', '480P'], lengths: [5] }],
  [/^wan2\.5-/, { resolutions: ['1080P', '720P', '480P'], lengths: [5, 10] }],
  [/^wan2\.[67]-/, { resolutions: ['1080P', '720P'], lengths: lengthsBetween(2, 15) }],
]
const newest: Makes = { resolutions: ['720P', '1080P', '480P'], lengths: lengthsBetween(2, 30) }
const defaultSeconds = 5

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4'] as const

/** Members of `metadata` that belong to `input`; all others are parameters. */
const inputFields = [
  'prompt',
  'negative_prompt',
  'img_url',
  'audio_url',
  'first_frame_url',
  'last_frame_url',
  'template',
  'media',
]

const states: StateWords = statesOf({
  QUEUED: 'PENDING',
  IN_PROGRESS: 'RUNNING',
  SUCCESS: 'SUCCEEDED',
  FAILURE: 'FAILED CANCELED UNKNOWN',
})

/** Recognises models that make videos. */
export function isAliVideo(model: string): boolean {
  return /^wanx?\d/.test(model) && !/-t2i|-image/.test(model)
}

/** Wan. https://www.alibabacloud.com/help/en/model-studio/use-video-generation */
export const aliVideo: VideoService = {
  submit: orderOf,
  terms: (order, { upstreamModel }) => aliTerms(order, upstreamModel),
  reference: (body) => taskId(objectOf(objectOf(body).output).task_id),
  polling: pollEach(
    ({ reference }, target) => getRequest(addressOf(`/tasks/${pathSegment(reference)}`, target)),
    (response) => {
      const output = objectOf(response.output)
      return reportOf(states.get(output.task_status), {
        video: output.video_url,
        reason: textOf(output.message) || textOf(output.code),
        result: response,
      })
    },
  ),
}

function addressOf(path: string, { baseUrl }: ChannelTarget): string {
  return endpointUrl(baseUrl || 'https://dashscope.aliyuncs.com', '/api/v1', path)
}

function orderOf(order: VideoOrder, target: { readonly upstreamModel: string } & ChannelTarget): TaskRequest {
  const model = target.upstreamModel
  refuseFields(order, 'mode')
  const { seconds, resolution } = aliTerms(order, model)
  const own = ownFields(order)
  const request = postRequest(addressOf(pathOf(model), target), {
    model,
    input: { ...inputOf(order, model), ...fieldsOf(own, true) },
    parameters: {
      ...shapeOf(order, model, resolution.toUpperCase()),
      ...(order.seed !== undefined && { seed: order.seed }),
      ...fieldsOf(own, false),
      duration: seconds,
    },
  })
  return { ...request, headers: { ...request.headers, 'x-dashscope-async': 'enable' } }
}

/** Videos between two frames were a service of their own. */
function pathOf(model: string): string {
  const service = model.includes('kf2v') ? 'image2video' : 'video-generation'
  return `/services/aigc/${service}/video-synthesis`
}

function aliTerms(order: VideoOrder, model: string): VideoTerms {
  const { resolutions, lengths } = generations.find(([name]) => name.test(model))?.[1] ?? newest
  const own = { ...order, metadata: ownFields(order) }
  refuseCharged(own.metadata, ['duration', 'resolution', 'size', 'audio', 'audio_url'])
  const sized = { ...order, ...ownSize(own) }
  const resolution =
    wordOf(own, 'resolution', resolutions) ?? resolutionOf(sized, resolutions) ?? resolutions[0] ?? ''
  const seconds = secondsOf(own, 'duration', lengths, defaultSeconds)
  const terms = { seconds, resolution: resolution.toLowerCase() }
  return withSound(terms, soundOf(own.metadata, 'audio', !isSilent(model)))
}

/** Sound came with Wan 2.5. */
function isSilent(model: string): boolean {
  return /^wanx?2\.[1-4]/.test(model)
}

/**
 * A size as the upstream writes it: `1280*720`.
 * @throws RequestFault for another form, and beside a resolution, as one of them would not be what is paid for
 */
function ownSize({ metadata }: VideoOrder): Pick<VideoOrder, 'size'> {
  if (!('size' in metadata)) return {}
  const [, width, height] = /^([1-9]\d{1,4})\*([1-9]\d{1,4})$/.exec(textOf(metadata.size)) ?? []
  if (width && height && !('resolution' in metadata))
    return { size: { width: Number(width), height: Number(height) } }
  throw refusedValue('metadata.size', metadata.size, ['a text such as 1280*720 without a resolution'])
}

/** Fields of `metadata` may be under `input` and `parameters`, as in the body, or bare. */
function ownFields({ metadata }: VideoOrder): JsonObject {
  const { input, parameters, ...bare } = metadata
  return { ...objectOf(input), ...objectOf(parameters), ...bare }
}

function fieldsOf(own: JsonObject, ofInput: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => name !== 'model' && inputFields.includes(name) === ofInput),
  )
}

/**
 * Returns the shape of a video: a size for one made of text; one made of images has their shape. From Wan 2.7 on both have a
 * resolution.
 */
function shapeOf(order: VideoOrder, model: string, resolution: string): JsonObject {
  const ratio = aspectRatioOf(order, ratios)
  if (isMediaModel(model))
    return { resolution, ...(order.images.length === 0 && ratio !== undefined && { ratio }) }
  if (!model.includes('-t2v')) return { resolution }
  return { size: pixels[`${resolution} ${ratio ?? '16:9'}`] }
}

const pixels: { readonly [shape: string]: string } = {
  '480P 16:9': '832*480',
  '480P 9:16': '480*832',
  '480P 1:1': '624*624',
  '480P 4:3': '736*544',
  '480P 3:4': '544*736',
  '720P 16:9': '1280*720',
  '720P 9:16': '720*1280',
  '720P 1:1': '960*960',
  '720P 4:3': '1088*832',
  '720P 3:4': '832*1088',
  '1080P 16:9': '1920*1080',
  '1080P 9:16': '1080*1920',
  '1080P 1:1': '1440*1440',
  '1080P 4:3': '1632*1248',
  '1080P 3:4': '1248*1632',
}

function isMediaModel(model: string): boolean {
  return !/^wanx?2\.[1-6]/.test(model)
}

function inputOf(order: VideoOrder, model: string): JsonObject {
  const { prompt, negativePrompt } = order
  return {
    prompt,
    ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    ...picturesOf(order, model),
  }
}

function picturesOf(order: VideoOrder, model: string): JsonObject {
  const isOfText = model.includes('-t2v')
  const isOfFrames = model.includes('kf2v') || isMediaModel(model)
  refuseImages(order, isOfText ? 0 : isOfFrames ? 2 : 1)
  const [first, last] = order.images
  if (first === undefined) {
    if (model.includes('-i2v') && !hasPicture(order)) throw noPicture()
    return {}
  }
  if (isMediaModel(model))
    return { media: [frame('first_frame', first), ...(last ? [frame('last_frame', last)] : [])] }
  if (!isOfFrames) return { img_url: first }
  return { first_frame_url: first, ...(last && { last_frame_url: last }) }
}

function frame(type: string, url: string): JsonObject {
  return { type, url }
}

function hasPicture(order: VideoOrder): boolean {
  const own = ownFields(order)
  return ['img_url', 'media', 'first_frame_url'].some((name) => name in own)
}

function noPicture(): RequestFault {
  return new RequestFault(
    'input_reference is required: the model makes videos of an image',
    'input_reference',
    'missing_required_parameter',
  )
}
