import type { LengthStep, PriceWindow, TierRatios, TimePrices, ToolPrices } from '@tollgate/api'

/** The figures a price is made of, as the operator wrote them. */
export type PriceTerms = TokenTerms | CallTerms

/** Factors on a price by the time at which a call is accepted. */
interface TimedTerms {
  readonly times?: TimePrices
  /** The window of one call: its ratio is in the model's ratio or price already. */
  readonly window?: PriceWindow & { readonly zone: string }
}

export interface TokenTerms extends TimedTerms {
  readonly kind: 'per-token'
  /** Quota per text input token. The ratios below say what another token counts in text input tokens. */
  readonly modelRatio: number
  /** Text output token. */
  readonly completionRatio: number
  /** Input token read from a cache. */
  readonly cacheReadRatio: number
  /** Input token written to a cache for five minutes, or for as long as the upstream pleases. */
  readonly cacheWriteRatio: number
  /** Input token written to a cache for an hour. */
  readonly cacheWrite1hRatio: number
  /** Audio input token. */
  readonly audioRatio: number
  /** Audio output token, in audio input tokens; `undefined`: it costs what text output costs. */
  readonly audioCompletionRatio: number | undefined
  /** Image input token. */
  readonly imageRatio: number
  /** Image output token, in image input tokens; `undefined`: it costs what text output costs. */
  readonly imageCompletionRatio: number | undefined
  readonly groupRatio: number
  /** Set where small calls may come to nothing, as costs do; a price that is not zero charges 1 at least. */
  readonly minCharge?: 0
  /** Tools that the vendor runs; absent without any that has a price. */
  readonly tools?: ToolPrices
  /** Quota units per currency unit, for the prices of tools. */
  readonly quotaPerUnit?: number
  readonly tiers?: TierRatios
  /** Steps from the shortest prompts to the longest. */
  readonly steps?: readonly LengthStep[]
  /** Factors of one call; absent for the default service, and a prompt below every step. */
  readonly served?: Served
}

/** Factors of service and of the prompt's length on the prices of a call's tokens. */
export interface Served {
  readonly tiers?: TierRatios
  readonly step?: LengthStep
}

/** An order of images, as its price came to be. */
export interface ImageTerms {
  /** Currency per image of the usual size and quality. */
  readonly price: number
  readonly n: number
  readonly size: string
  readonly quality: string
  /** Factor of the size on the price. */
  readonly sizeRatio: number
  readonly qualityRatio: number
}

/** A video, as its price came to be. */
export interface VideoPriceTerms {
  /** Currency per unit, at a resolution of the usual price. */
  readonly price: number
  readonly unit: 'second' | 'call'
  readonly seconds: number
  readonly resolution: string
  /** Factor of the resolution on the price. */
  readonly resolutionRatio: number
  /** Factor of sound on the price; absent for a video that has none. */
  readonly soundRatio?: number
}

export interface CallTerms extends TimedTerms {
  readonly kind: 'per-call'
  /** Terms of a call for images: then `modelPrice` is that of all of them. */
  readonly image?: ImageTerms
  /** Terms of a video: then `modelPrice` is that of all of it. */
  readonly video?: VideoPriceTerms
  /** Currency per delivered call. */
  readonly modelPrice: number
  readonly quotaPerUnit: number
  readonly groupRatio: number
}
