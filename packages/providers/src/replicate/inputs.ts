import type { JsonObject } from '@tollgate/formats'
import { refuseCharged, soundOf, withSound } from '../charged-fields.ts'
import type { VideoOrder, VideoTerms } from '../task.ts'
import {
  aspectRatioOf,
  linesOf,
  ownFields,
  refusedValue,
  refuseImages,
  resolutionOf,
  secondsOf,
  wordOf,
} from '../video-order.ts'

/** Every model has names of its own for its frames. */
interface FrameNames {
  readonly first: string
  readonly last: string
}

/** As the pages of the models say, such as https://replicate.com/kwaivgi/kling-v2.1/api/schema */
const frameNames: readonly (readonly [RegExp, FrameNames])[] = [
  [/^kwaivgi\//, { first: 'start_image', last: 'end_image' }],
  [/^luma\//, { first: 'start_image', last: 'end_image' }],
  [/^minimax\//, { first: 'first_frame_image', last: 'last_frame_image' }],
  [/^google\//, { first: 'image', last: 'last_frame' }],
  [/^wan-video\//, { first: 'image', last: 'last_image' }],
  [/^openai\//, { first: 'input_reference', last: 'last_frame_image' }],
]
const usualNames: FrameNames = { first: 'image', last: 'last_frame_image' }

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '9:21']
const defaultSeconds = 5
const defaultResolution = '720p'

/** An order as the input of a model, of whose values nothing is known. */
export function inputOf(order: VideoOrder, model: string): JsonObject {
  refuseImages(order, 2)
  replicateTerms(order, model)
  const { first, last } = frameNames.find(([name]) => name.test(model))?.[1] ?? usualNames
  const [image, tail] = order.images
  const ratio = aspectRatioOf(order, ratios)
  const lines = linesOf(order)
  return {
    prompt: order.prompt,
    ...(order.seconds !== undefined && { duration: order.seconds }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(lines !== undefined && { resolution: resolutionOf(lines) }),
    ...(image !== undefined && { [first]: image }),
    ...(tail !== undefined && { [last]: tail }),
    ...(order.mode !== undefined && { mode: order.mode }),
    ...(order.seed !== undefined && { seed: order.seed }),
    ...(order.negativePrompt !== undefined && { negative_prompt: order.negativePrompt }),
    ...ownFields(order),
  }
}

/** @throws RequestFault for what says no price */
export function replicateTerms(order: VideoOrder, model: string): VideoTerms {
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
  if (!('resolution' in order.metadata)) return lines === undefined ? defaultResolution : resolutionOf(lines)
  const { resolution } = order.metadata
  if (typeof resolution === 'string' && /^([1-9]\d{2,3}p|[2-8]k)$/i.test(resolution))
    return resolution.toLowerCase()
  throw refusedValue('metadata.resolution', resolution, ['480p', '720p', '1080p', 'the like'])
}
