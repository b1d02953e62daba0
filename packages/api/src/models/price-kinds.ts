/**
 * The price of a token written to a cache for five minutes, in input tokens, where none is stored.
 * https://docs.claude.com/en/docs/build-with-claude/prompt-caching#pricing
 */
export const standardCacheWrite = 1.25

/**
 * The kinds of tokens with a price of their own, a row each: forms, calls, options and charges read them from here.
 * `name` is its member of a model's price; `token` is the count that it prices; `option` stores it by model, as a multiple of `base`; `cost` is the member of a
 * cost that says the same. `standard` is the multiple while none is stored: `family` depends on the model's name, and
 * `output` costs what text output does, or what `base` does where that has a price of its own (`paired`).
 */
export const tokenPriceKinds = [
  {
    name: 'input',
    token: 'textInput',
    option: 'ModelRatio',
    cost: 'model_ratio',
    base: undefined,
    standard: undefined,
  },
  {
    name: 'output',
    token: 'textOutput',
    option: 'CompletionRatio',
    cost: 'completion_ratio',
    base: 'input',
    standard: 'family',
  },
  {
    name: 'cache_read',
    token: 'cacheRead',
    option: 'CacheRatio',
    cost: 'cache_ratio',
    base: 'input',
    standard: 1,
  },
  {
    name: 'cache_write',
    token: 'cacheWrite',
    option: 'CreateCacheRatio',
    cost: 'create_cache_ratio',
    base: 'input',
    standard: standardCacheWrite,
  },
  {
    name: 'audio_input',
    token: 'audioInput',
    option: 'AudioRatio',
    cost: 'audio_ratio',
    base: 'input',
    standard: 1,
  },
  {
    name: 'audio_output',
    token: 'audioOutput',
    option: 'AudioCompletionRatio',
    cost: 'audio_completion_ratio',
    base: 'audio_input',
    standard: 'output',
    paired: true,
  },
  {
    name: 'image_input',
    token: 'imageInput',
    option: 'ImageRatio',
    cost: 'image_ratio',
    base: 'input',
    standard: 1,
  },
  {
    name: 'image_output',
    token: 'imageOutput',
    option: 'ImageCompletionRatio',
    cost: 'image_completion_ratio',
    base: 'image_input',
    standard: 'output',
  },
] as const

/** A kind of token by its member of a model's price. */
export type TokenPriceName = (typeof tokenPriceKinds)[number]['name']
/** An option that stores the price of a kind of token. */
export type TokenPriceOption = (typeof tokenPriceKinds)[number]['option']

/**
 * Charges beside the prices of tokens, a row each: `option` stores an entry by model, or by the beginning of names and `*`.
 * `members`: an entry inherits members that it lacks from those of shorter names; other entries hold as a whole.
 */
export const priceEntryKinds = [
  { name: 'tools', option: 'ToolPrice', members: true },
  { name: 'tiers', option: 'TierRatio', members: true },
  { name: 'steps', option: 'LengthPrice', members: false },
  { name: 'video', option: 'VideoPrice', members: false },
] as const

/** A charge beside tokens by its member of a model's entries. */
export type PriceEntryName = (typeof priceEntryKinds)[number]['name']

/** Options with the parts of a model's price, an entry for each model: figures, terms beside them, and factors by time. */
export const pricePartOptions = [
  'ModelPrice',
  ...tokenPriceKinds.map(({ option }) => option),
  ...priceEntryKinds.map(({ option }) => option),
  'TimePrice',
] as const
