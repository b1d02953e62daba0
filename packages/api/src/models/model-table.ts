import type { LengthStep, TierRatios, ToolPrices } from '../settings/surcharge-shapes.ts'
import table from './models.json' with { type: 'json' }

export const modelCapabilities = [
  'chat',
  /** Reads images. */
  'vision',
  /** Calls functions. */
  'tools',
  'reasoning',
  /** Hears or speaks within a conversation. */
  'audio',
  'embedding',
  /** Draws. */
  'image',
  /** Makes videos. */
  'video',
  'rerank',
  'transcription',
  'speech',
  'moderation',
] as const
/** What a model can do, as the model list filters by it. */
export type ModelCapability = (typeof modelCapabilities)[number]

/**
 * USD per million tokens; `call` is USD for a call, `second` for a second of video. What is absent costs what the ratios of
 * its family say.
 */
export interface ListPrice {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  /** Kept for five minutes. */
  readonly cacheWrite?: number
  readonly audioInput?: number
  readonly audioOutput?: number
  readonly imageInput?: number
  readonly imageOutput?: number
  readonly call?: number
  readonly second?: number
  /** What a resolution makes of the price of a video; 1 for one that is not named. */
  readonly resolutions?: Readonly<Record<string, number>>
}

/** Models that are alike in all of it, as their maker sells them. */
export interface ModelRow {
  readonly names: readonly string[]
  readonly vendor: string
  /** Tokens of input and output together. */
  readonly context?: number
  readonly maxOutput?: number
  readonly can?: readonly ModelCapability[]
  /** At the maker's own API: the standard tier, short prompts, no passing discount. */
  readonly price?: ListPrice
}

/** What holds for models by their names, or by how their names begin and `*`. */
interface NamedTerms {
  readonly names: readonly string[]
  readonly vendor: string
}

/** What vendors charge beside the tokens, or makes them dearer. */
export interface Surcharges {
  /** USD per 1,000 calls of a tool. */
  readonly tools: readonly (NamedTerms & { readonly prices: ToolPrices })[]
  /** What a service tier, a speed or a place makes of every price of a token. */
  readonly tiers: readonly (NamedTerms & { readonly ratios: TierRatios })[]
  /** What long prompts make of the prices of their tokens. */
  readonly steps: readonly (NamedTerms & { readonly steps: readonly LengthStep[] })[]
}

/** What is sold, and what it costs, on one date. */
export interface ModelTable {
  readonly date: string
  /** Where each vendor publishes it. */
  readonly sources: Readonly<Record<string, string>>
  readonly surcharges: Surcharges
  readonly models: readonly ModelRow[]
}

/** Refreshed by `npm run models -- <file>`. */
export const modelTable = table as ModelTable

/** A model of the table with one of its names. */
export type NamedModel = readonly [name: string, row: ModelRow]

export const namedModels: readonly NamedModel[] = modelTable.models.flatMap((row) =>
  row.names.map((name): NamedModel => [name, row]),
)
