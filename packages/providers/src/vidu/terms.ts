import { refuseCharged, soundOf, withSound } from '../charged-fields.ts'
import type { VideoOrder, VideoTerms } from '../task.ts'
import {
  aspectRatioOf,
  type Lengths,
  lengthsBetween,
  linesOf,
  refusedValue,
  secondsOf,
  wordOf,
} from '../video-order.ts'

interface ViduModel {
  /** Absent for a model of which nothing is known. */
  readonly lengths?: Lengths
  readonly defaultSeconds: number
  /** The first is the usual one. */
  readonly resolutions: (seconds: number) => readonly string[]
  readonly ratios: readonly string[]
  /** Whether its videos have sound where an order does not say it. */
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
 * What an order says of the video, and what Vidu makes where it leaves that open.
 * @throws RequestFault for what the model does not make
 */
export function viduTerms(order: VideoOrder, model: string): VideoTerms {
  const known = modelOf(model)
  refuseCharged(order.metadata, ['duration', 'resolution', 'audio'])
  const seconds = secondsOf(order, 'duration', known.lengths, known.defaultSeconds)
  const resolution = orderedResolution(order, known.resolutions(seconds))
  return withSound({ seconds, resolution }, soundOf(order.metadata, 'audio', known.hasSound === true))
}

/** Of a video whose images do not say it. */
export function viduRatio(order: VideoOrder, model: string): string | undefined {
  return aspectRatioOf(order, modelOf(model).ratios)
}

function modelOf(name: string): ViduModel {
  return models.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel
}

function orderedResolution(order: VideoOrder, takes: readonly string[]): string {
  const said = wordOf(order, 'resolution', takes)
  const lines = linesOf(order)
  if (said !== undefined) return said
  if (lines === undefined) return takes[0] ?? ''
  if (takes.includes(`${lines}p`)) return `${lines}p`
  const sides = takes.map((resolution) => `a shorter side of ${resolution.slice(0, -1)}`)
  throw refusedValue('size', order.size && `${order.size.width}x${order.size.height}`, sides)
}
