import type { VideoPriceRule } from '@tollgate/api'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { createPrice, type Price } from './price.ts'

/** What of a video decides what it costs. */
export interface VideoFigures {
  readonly seconds: number
  /** As vendors name it: `720p`, `4k`. */
  readonly resolution: string
  /** Absent where it has none; `ordered` where the upstream makes none unless it is asked to. */
  readonly sound?: 'usual' | 'ordered'
}

/** Whether a video can be sold: what is ordered on top of the upstream's usual one needs a price of its own. */
export function isVideoPriced(rule: VideoPriceRule | undefined, { sound }: VideoFigures): boolean {
  return sound !== 'ordered' || rule?.sound !== undefined
}

/**
 * The price of a whole video. A price per call is what the rule says: for a second or for all of it, multiplied by what its
 * resolution and its sound make of it. Without a rule it is for any video.
 */
export function videoPrice(price: Price, rule: VideoPriceRule | undefined, video: VideoFigures): Price {
  const { terms } = price
  if (terms.kind !== 'per-call') return price
  const { modelPrice: each, quotaPerUnit, groupRatio } = terms
  const { unit = 'call', resolutions = {} } = rule ?? {}
  const { seconds, resolution, sound } = video
  const soundRatio = sound === undefined ? undefined : (rule?.sound ?? 1)
  const resolutionRatio = Object.hasOwn(resolutions, resolution) ? (resolutions[resolution] ?? 1) : 1
  const factors = [each, unit === 'second' ? seconds : 1, resolutionRatio, soundRatio ?? 1]
  return createPrice({
    kind: 'per-call',
    modelPrice: numberOf(multiply(...factors.map(decimalOf))),
    quotaPerUnit,
    groupRatio,
    video: {
      price: each,
      unit,
      seconds,
      resolution,
      resolutionRatio,
      ...(soundRatio !== undefined && { soundRatio }),
    },
  })
}
