import type { VideoPriceRule } from '@tollgate/api'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { createPrice, type Price } from './price.ts'
import type { CallTerms, ImageTerms } from './price-terms.ts'

/** Members of a call for images that decide its cost. */
export interface ImageOrder {
  readonly model: string
  readonly n: number
  /** `1024x1024` when the caller did not say. */
  readonly size: string
  /** `standard` when the caller did not say. */
  readonly quality: string
}

/** Currency per image and unit of the model's ratio, for models without a price per image whose upstream counts no tokens. */
const priceOfRatio = decimalOf(0.0025)

const sizeRatios: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1024': 1,
  '1024x1792': 2,
  '1792x1024': 2,
}

/**
 * The price of a whole order of images. A price per call is one per usual image: it is multiplied by the number of images
 * and what size and quality make of it. A price per token holds where the upstream counts tokens; where it does not, the
 * images have a price that follows from the model's ratio (`whenUncounted`).
 */
export function imagePrice(price: Price, order: ImageOrder, quotaPerUnit: number): Price {
  const { terms } = price
  if (terms.kind === 'per-call') return createPrice(ordered(terms.modelPrice, order, terms))
  const each = numberOf(multiply(priceOfRatio, decimalOf(terms.modelRatio)))
  return { ...price, whenUncounted: createPrice(ordered(each, order, { ...terms, quotaPerUnit })) }
}

/** The price of an order of which `made` images came of those that were asked for; the same where all did. */
export function priceOfMade(price: Price, made: number): Price {
  const { terms } = price
  if (terms.kind === 'per-token' || terms.image === undefined || made >= terms.image.n) return price
  return createPrice(orderTerms({ ...terms.image, n: made }, terms))
}

type TimedTerms = Pick<CallTerms, 'times' | 'window'>

interface Units extends TimedTerms {
  readonly quotaPerUnit: number
  readonly groupRatio: number
}

function ordered(each: number, order: ImageOrder, units: Units) {
  return orderTerms(imageTerms(each, order), units)
}

function orderTerms(image: ImageTerms, { quotaPerUnit, groupRatio, times, window }: Units): CallTerms {
  const factors = [image.price, image.sizeRatio, image.qualityRatio, image.n]
  const modelPrice = numberOf(multiply(...factors.map(decimalOf)))
  return { kind: 'per-call', modelPrice, quotaPerUnit, groupRatio, image, ...timesOf({ times, window }) }
}

function timesOf({ times, window }: { readonly [Name in keyof TimedTerms]: TimedTerms[Name] | undefined }) {
  return { ...(times && { times }), ...(window && { window }) }
}

function imageTerms(price: number, { model, n, size, quality }: ImageOrder): ImageTerms {
  const sizeRatio = Object.hasOwn(sizeRatios, size) ? (sizeRatios[size] ?? 1) : 1
  return { price, n, size, quality, sizeRatio, qualityRatio: qualityRatioOf(model, quality, sizeRatio) }
}

/** DALL·E 3 in high definition: twice the usual, and half as much again for the two large sizes. */
function qualityRatioOf(model: string, quality: string, sizeRatio: number): number {
  if (model !== 'dall-e-3' || quality !== 'hd') return 1
  return sizeRatio === 2 ? 1.5 : 2
}

/** Figures of a video that decide its cost. */
interface VideoFigures {
  readonly seconds: number
  /** Resolution as vendors name it: `720p`, `4k`. */
  readonly resolution: string
  /** Absent where it has none; `ordered` where the upstream makes none unless it is asked to. */
  readonly sound?: 'usual' | 'ordered'
}

/** Decides whether a video can be sold: what is ordered on top of the upstream's default needs a price of its own. */
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
    ...timesOf({ times: terms.times, window: terms.window }),
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
