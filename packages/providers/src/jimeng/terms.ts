import { RequestFault } from '@tollgate/formats'
import { refuseCharged } from '../charged-fields.ts'
import type { VideoOrder, VideoTerms } from '../task.ts'
import { aspectRatioOf, refusedValue, refuseFields, refuseImages, secondsOf } from '../video-order.ts'

export interface JimengTerms extends VideoTerms {
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
 * What an order says of the video, and who makes it: version 3 has a service for each number of images.
 * https://www.volcengine.com/docs/85621/1792707
 * @throws RequestFault for what the model does not make
 */
export function jimengTerms(order: VideoOrder, model: string): JimengTerms {
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

/** The model is the name of one service, which takes so many images and no other number. */
function namedService(order: VideoOrder, model: string): string {
  const [least, most] = imageCounts.find(([name]) => name.test(model))?.[1] ?? [0, 2]
  refuseImages(order, most)
  if (
    order.images.length >= least ||
    'image_urls' in order.metadata ||
    'binary_data_base64' in order.metadata
  )
    return model
  const count = least === 1 ? 'an image' : `${least} images`
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
