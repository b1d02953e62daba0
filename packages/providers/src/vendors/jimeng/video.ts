import { isObject, type JsonObject, objectOf, parseJson, RequestFault, textOf } from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import type { TaskReport, TaskRequest, VideoOrder, VideoService, VideoTerms } from '../../task.ts'
import { refuseCharged } from '../../video/charged-fields.ts'
import {
  aspectRatioOf,
  base64Of,
  isAddress,
  ownFields,
  refusedValue,
  refuseFields,
  refuseImages,
  secondsOf,
} from '../../video/order.ts'
import {
  gatewayStates,
  gatewayTask,
  isGatewayKey,
  pollEach,
  postRequest,
  reportOf,
  type StateWords,
  taskId,
} from '../../video/report.ts'
import { endsTask } from './errors.ts'

interface JimengTerms extends VideoTerms {
  /** The service that makes it. */
  readonly reqKey: string
  readonly frames: number | undefined
  readonly ratio: string | undefined
}

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9']
const framesBySeconds: ReadonlyMap<number, number> = new Map([
  [5, 121],
  [10, 241],
])
const defaultSeconds = 5

/**
 * Reads an order's terms and the service for it: version 3 has one for each number of images.
 * @throws RequestFault for what the model does not make
 */
function jimengTerms(order: VideoOrder, model: string): JimengTerms {
  refuseFields(order, 'mode', 'negativePrompt')
  refuseCharged(order.metadata, ['frames'])
  const reqKey = reqKeyOf(order, model)
  const ownSeconds = secondsOfFrames(order)
  const lengths = reqKey.includes('vgfm') ? [defaultSeconds] : [...framesBySeconds.keys()]
  const seconds = ownSeconds ?? secondsOf(order, undefined, lengths, defaultSeconds)
  return {
    reqKey,
    seconds,
    resolution: /1080|_pro$/.test(reqKey) ? '1080p' : '720p',
    frames: order.seconds === undefined ? undefined : framesBySeconds.get(seconds),
    // A video of an image has the image's.
    ratio: order.images.length === 0 ? aspectRatioOf(order, ratios) : undefined,
  }
}

/** The service's own word for a length. */
function secondsOfFrames({ metadata }: VideoOrder): number | undefined {
  if (!('frames' in metadata)) return undefined
  for (const [seconds, frames] of framesBySeconds) if (metadata.frames === frames) return seconds
  throw refusedValue('metadata.frames', metadata.frames, [...framesBySeconds.values()].map(String))
}

function reqKeyOf(order: VideoOrder, model: string): string {
  const count = order.images.length
  if (!model.includes('jimeng_v30')) return namedService(order, model)
  if (model === 'jimeng_v30_pro') {
    refuseImages(order, 1)
    return 'jimeng_ti2v_v30_pro'
  }
  refuseImages(order, 2)
  if (count === 0) return model.replace('jimeng_v30', 'jimeng_t2v_v30')
  const kind = count === 1 ? 'jimeng_i2v_first_v30' : 'jimeng_i2v_first_tail_v30'
  // The services of images write their lines without the letter.
  return model.replace('jimeng_v30', kind).replace(/p$/, '')
}

/** Returns the service that the model names, which takes so many images and no other number. */
function namedService(order: VideoOrder, model: string): string {
  const [min, max] = imageCounts.find(([name]) => name.test(model))?.[1] ?? [0, 2]
  refuseImages(order, max)
  if (order.images.length >= min || 'image_urls' in order.metadata || 'binary_data_base64' in order.metadata)
    return model
  const count = min === 1 ? 'an image' : `${min} images`
  throw new RequestFault(
    `input_reference is missing: ${model} needs ${count}`,
    'input_reference',
    'invalid_value',
  )
}

const imageCounts: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/_ti2v_/, [0, 1]],
  [/_t2v_/, [0, 0]],
  [/_i2v_first_tail_/, [2, 2]],
  [/_i2v_/, [1, 1]],
]

const accepted = 10_000
const version = '2022-08-31'

const states: StateWords = new Map([
  ...gatewayStates,
  ['in_queue', 'QUEUED'],
  ['generating', 'IN_PROGRESS'],
  ['done', 'SUCCESS'],
  ['not_found', 'FAILURE'],
  ['expired', 'FAILURE'],
])

/**
 * A task is asked about with the key of the service that works on it, which its reference says: `{req_key}/{id}`.
 * https://www.volcengine.com/docs/85621/1544774
 */
export const jimengVideo: VideoService = {
  submit: (order, target) =>
    postRequest(addressOf('CVSync2AsyncSubmitTask', target), encodeOrder(order, target.upstreamModel)),
  terms(order, { upstreamModel }) {
    const { seconds, resolution } = jimengTerms(order, upstreamModel)
    return { seconds, resolution }
  },
  reference: referenceIn,
  polling: pollEach(({ reference }, target) => {
    const [reqKey, id] = reference.split(/\/(.*)/s)
    return postRequest(addressOf('CVSync2AsyncGetResult', target), { req_key: reqKey, task_id: id })
  }, readTask),
}

function addressOf(action: string, { baseUrl, key }: ChannelTarget): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  const prefix = isGatewayKey(key) && !base.endsWith('/jimeng') ? '/jimeng' : ''
  return `${base}${prefix}/?Action=${action}&Version=${version}`
}

function encodeOrder(order: VideoOrder, model: string): JsonObject {
  const { reqKey, frames, ratio } = jimengTerms(order, model)
  return {
    prompt: order.prompt,
    ...(order.seed !== undefined && { seed: order.seed }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(frames !== undefined && { frames }),
    ...picturesOf(order),
    ...ownFields(order),
    req_key: reqKey,
  }
}

/** All of them one way. */
function picturesOf({ images }: VideoOrder): JsonObject {
  const addresses = images.filter(isAddress)
  if (images.length === 0) return {}
  if (addresses.length === 0) return { binary_data_base64: images.map(base64Of) }
  if (addresses.length === images.length) return { image_urls: images }
  throw refusedValue('input_reference', 'of addresses and data URLs', ['either addresses', 'data URLs alone'])
}

function referenceIn(body: unknown, sent: TaskRequest): string | undefined {
  if (!isObject(body) || isObject(body.error) || isRefusal(body)) return undefined
  const id = taskId(objectOf(body.data).task_id) ?? gatewayTask(body).id
  return id && `${textOf(objectOf(parseJson(sent.body)).req_key)}/${id}`
}

/** Codes of gateways are words, or zero. */
function isRefusal({ code }: JsonObject): boolean {
  return typeof code === 'number' && code !== accepted && code !== 0
}

function readTask(response: JsonObject): TaskReport | undefined {
  const data = objectOf(response.data)
  const reason = textOf(response.message)
  if (isRefusal(response)) {
    return endsTask(response.code) ? reportOf('FAILURE', { video: '', reason, result: response }) : undefined
  }
  const task = gatewayTask(response)
  return reportOf(states.get(task.status), {
    video: textOf(data.video_url) || task.url,
    reason: task.reason || endings.get(task.status) || '',
    result: isObject(response.data) ? data : response,
  })
}

const endings: ReadonlyMap<string, string> = new Map([
  ['not_found', 'the upstream does not know the task, or no longer'],
  ['expired', 'the task expired at the upstream'],
])
