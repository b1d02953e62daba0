import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RequestFault,
  readDataUrl,
  textOf,
} from '@tollgate/formats'
import type { TaskReport, VideoOrder, VideoTerms } from '../task.ts'
import { refuseCharged, soundOf, withSound } from '../video/charged-fields.ts'
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
} from '../video/order.ts'

/** Resolutions and lengths of a generation of Google's video models. */
interface Generation {
  readonly lengths: Lengths
  readonly resolutions: readonly string[]
}

const generations: readonly (readonly [name: RegExp, makes: Generation])[] = [
  [/^veo-2/, { lengths: lengthsBetween(5, 8), resolutions: ['720p'] }],
  [/^veo-3\.1-lite/, { lengths: [4, 6, 8], resolutions: ['720p', '1080p'] }],
  [/^veo-3(\.0)?-/, { lengths: [4, 6, 8], resolutions: ['720p', '1080p'] }],
]
const newest: Generation = { lengths: [4, 6, 8], resolutions: ['720p', '1080p', '4k'] }

const ratios = ['16:9', '9:16'] as const
const defaultSeconds = 8
const defaultResolution = '720p'
const maxReferences = 3
/** Members of `metadata` that describe the video itself; all others control how it is made. */
const instanceFields = ['image', 'lastFrame', 'referenceImages', 'video', 'mask', 'cameraControl']

/**
 * Members that change the price and are refused: one sample is made at a time, and a video to continue is charged by the result.
 */
const ownTerms = ['durationSeconds', 'resolution', 'generateAudio', 'sampleCount', 'numberOfVideos', 'video']

/** Recognises Google's video models. */
export function isVeo(model: string): boolean {
  return /^(models\/)?veo-/.test(model)
}

/**
 * Body of `predictLongRunning`. Fields of `metadata` may be under `parameters` and `instances`, as in the body, or bare.
 * https://ai.google.dev/gemini-api/docs/video#veo-model-parameters
 */
export function veoBody(order: VideoOrder, model: string): JsonObject {
  refuseFields(order, 'mode')
  refuseImages(order, maxReferences)
  const own = ownFields(order)
  refuseMany(own)
  const { seconds, resolution } = veoTerms(order, model)
  const ratio = aspectRatioOf(order, ratios)
  return {
    instances: [{ prompt: order.prompt, ...framesOf(order.images), ...fieldsOf(own, true) }],
    parameters: {
      ...(ratio !== undefined && { aspectRatio: ratio }),
      ...(order.negativePrompt !== undefined && { negativePrompt: order.negativePrompt }),
      ...(order.seed !== undefined && { seed: order.seed }),
      ...(order.size !== undefined && !isSilent(model) && { resolution }),
      ...fieldsOf(own, false),
      durationSeconds: seconds,
    },
  }
}

/** Returns the members of an order that decide its price. */
export function veoTerms(order: VideoOrder, model: string): VideoTerms {
  const own = { ...order, metadata: ownFields(order) }
  const { lengths, resolutions } = generationOf(model)
  refuseCharged(own.metadata, ownTerms)
  const resolution =
    wordOf(own, 'resolution', resolutions) ?? resolutionOf(order, resolutions) ?? defaultResolution
  const seconds = secondsOf(own, 'durationSeconds', lengths, defaultSeconds)
  return withSound({ seconds, resolution }, soundOf(own.metadata, 'generateAudio', !isSilent(model)))
}

/** Recognises the first ones, which make no sound. */
function isSilent(model: string): boolean {
  return /^(models\/)?veo-2/.test(model)
}

function generationOf(model: string): Generation {
  const name = model.replace(/^models\//, '')
  return generations.find(([pattern]) => pattern.test(name))?.[1] ?? newest
}

function ownFields({ metadata }: VideoOrder): JsonObject {
  const { instances, parameters, ...bare } = metadata
  const [instance, ...others] = listOf(instances ?? [{}])
  if (!isObject(instance) || others.length > 0)
    throw refusedValue('metadata.instances', '', ['a list of one object'])
  if (!isObject(parameters ?? {})) throw refusedValue('metadata.parameters', parameters, ['an object'])
  return { ...instance, ...objectOf(parameters), ...bare }
}

function fieldsOf(own: JsonObject, ofInstance: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => name !== 'model' && instanceFields.includes(name) === ofInstance),
  )
}

/** Refuses several videos: one order is one, and it is fetched through us. */
function refuseMany(own: JsonObject): void {
  for (const name of ['sampleCount', 'numberOfVideos'])
    if (name in own && own[name] !== 1) throw refusedValue(`metadata.${name}`, own[name], ['1'])
  if ('storageUri' in own)
    throw new RequestFault(
      'metadata.storageUri is not supported: the finished video is fetched through /v1/videos/{id}/content',
      'metadata.storageUri',
      'unsupported_parameter',
    )
}

/** A first frame and a last one; further images are references for the content. */
function framesOf(images: readonly string[]): JsonObject {
  const pictures = images.map(pictureOf)
  const [first, last] = pictures
  if (pictures.length > 2)
    return { referenceImages: pictures.map((image) => ({ image, referenceType: 'asset' })) }
  return { ...(first && { image: first }), ...(last && { lastFrame: last }) }
}

/** Google fetches nothing by its address here. */
function pictureOf(image: string) {
  const data = readDataUrl(image)
  if (data !== undefined) return { bytesBase64Encoded: data.data, mimeType: data.mediaType }
  throw new RequestFault(
    'input_reference by its address is not supported by the upstream that serves the model: send a file or a data URL',
    'input_reference',
    'unsupported_parameter',
  )
}

/**
 * Reads the state of an operation; see https://ai.google.dev/api/models#method:-models.predictlongrunning
 * @param made the facts of a finished video; `undefined` where the response holds none
 */
export function readVeo(
  { done, error, response }: JsonObject,
  made: (response: JsonObject) => Pick<TaskReport, 'result' | 'properties'> | undefined,
): TaskReport {
  if (isObject(error)) return failed(textOf(error.message))
  if (done !== true) return { state: 'IN_PROGRESS' }
  const finished = made(objectOf(response))
  return finished === undefined
    ? failed(filteredReason(objectOf(response)))
    : { state: 'SUCCESS', progress: 100, ...finished }
}

function failed(reason: string): TaskReport {
  return {
    state: 'FAILURE',
    progress: 100,
    failReason: reason || 'the upstream made no video and gave no reason',
  }
}

/** Filters of what may be made leave a response without a video. */
function filteredReason(response: JsonObject): string {
  const { raiMediaFilteredReasons } = { ...response, ...objectOf(response.generateVideoResponse) }
  return listOf(raiMediaFilteredReasons)
    .filter((reason) => typeof reason === 'string')
    .join(' ')
}
