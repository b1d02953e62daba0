import table from './models.json' with { type: 'json' }
import type { LengthStep, TierRatios, ToolPrices } from './surcharges.ts'

export const modelCapabilities = [
  'chat',
  /** Reads images. */
  'vision',
  /** Calls functions. */
  'tools',
  'reasoning',
  /** Takes or produces audio within a conversation. */
  'audio',
  'embedding',
  /** Generates images. */
  'image',
  /** Generates videos. */
  'video',
  'rerank',
  'transcription',
  'speech',
  'moderation',
] as const
export type ModelCapability = (typeof modelCapabilities)[number]

/**
 * USD per million tokens; `call` is USD for a call, `second` for a second of video. An absent price follows from the
 * ratios of the family.
 */
export interface ListPrice {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  /** A cache of five minutes. */
  readonly cacheWrite?: number
  readonly audioInput?: number
  readonly audioOutput?: number
  readonly imageInput?: number
  readonly imageOutput?: number
  readonly call?: number
  readonly second?: number
  /** The factor of a resolution on the price of a video; 1 for one that is not named. */
  readonly resolutions?: Readonly<Record<string, number>>
}

/** Models with equal facts, as their provider sells them. */
export interface ModelRow {
  readonly names: readonly string[]
  readonly vendor: string
  /** Tokens of input and output together. */
  readonly context?: number
  readonly maxOutput?: number
  readonly can?: readonly ModelCapability[]
  /** Price at the provider's own API: the standard tier, short prompts, no temporary discount. */
  readonly price?: ListPrice
}

/** Facts by model name, or by the start of names and `*`. */
interface NamedTerms {
  readonly names: readonly string[]
  readonly vendor: string
}

/** Vendor charges beside the tokens, or factors on them. */
export interface Surcharges {
  /** USD per 1,000 calls of a tool. */
  readonly tools: readonly (NamedTerms & { readonly prices: ToolPrices })[]
  /** The factor of a service tier, a speed or a place on every price of a token. */
  readonly tiers: readonly (NamedTerms & { readonly ratios: TierRatios })[]
  /** The factors of long prompts on the prices of their tokens. */
  readonly steps: readonly (NamedTerms & { readonly steps: readonly LengthStep[] })[]
}

/** The day on which a vendor first sold models, and where that is written. */
export interface ModelRelease {
  readonly names: readonly string[]
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly source: string
}

/** The models on sale and their prices, on one date. */
export interface ModelTable {
  readonly date: string
  /** The source that each vendor publishes. */
  readonly sources: Readonly<Record<string, string>>
  readonly surcharges: Surcharges
  /** A model without one was released before, or its vendor names no day. */
  readonly releases: readonly ModelRelease[]
  readonly models: readonly ModelRow[]
}

/** Refreshed by `npm run models -- <file>`. */
export const modelTable = table as ModelTable

/** A model of the table with one of its names. */
export type NamedModel = readonly [name: string, row: ModelRow]

export const namedModels: readonly NamedModel[] = modelTable.models.flatMap((row) =>
  row.names.map((name): NamedModel => [name, row]),
)
