/** Tools that vendors run and charge by use. */
export const pricedTools = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'code_interpreter_4g',
  'code_interpreter_16g',
  'code_interpreter_64g',
  'code_execution',
  'image_generation',
  'google_search',
  'google_maps',
  'x_search',
  'live_search',
  'attachment_search',
  'server_side_tool',
] as const
export type PricedTool = (typeof pricedTools)[number]

/** Ways of serving a call with a price of their own. */
export const pricedTiers = ['flex', 'priority', 'ultrafast', 'batch', 'scale', 'fast', 'us'] as const
export type PricedTier = (typeof pricedTiers)[number]

/** Currency per 1,000 calls. */
export type ToolPrices = { readonly [Tool in PricedTool]?: number }
/** The factor of a way of serving on every price of a token. */
export type TierRatios = { readonly [Tier in PricedTier]?: number }

/** The factors of a long prompt on the prices of its tokens, of all of them. */
export interface LengthStep {
  /** Prompts of more tokens than these, cached ones included. */
  readonly above: number
  readonly input: number
  readonly output: number
  /** Input read from a cache, where its factor differs from `input`. */
  readonly cached?: number
}

/** Factors that make a video's price of a model's price per call. */
export interface VideoPriceRule {
  /** The unit of the price. */
  readonly unit: 'second' | 'call'
  /** The factor of a resolution; 1 for one that is not named. */
  readonly resolutions: Readonly<Record<string, number>>
  /** The factor of sound. Without it, sound that the upstream always makes counts 1, and callers cannot order any. */
  readonly sound?: number
}
