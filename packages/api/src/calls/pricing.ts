import { z } from 'zod'
import { type ModelCapability, modelCapabilities } from '../models/index.ts'
import { weekdays } from '../settings/time-price-shapes.ts'
import { quota } from '../wire.ts'
import { get, post } from './define.ts'

/** A part of the day with a factor on the price. */
export const priceWindow = z.object({
  days: z.array(z.enum(weekdays)).readonly().optional(),
  from: z.string(),
  to: z.string(),
  ratio: z.number(),
})

/** Factors on a price by the clocks of a zone. */
/** A period with the zone of its times. */
export const zonedWindow = priceWindow.extend({ zone: z.string() })
export const timeWindows = z.object({ zone: z.string(), windows: z.array(priceWindow).readonly() })

/** Endpoints of models by the words that clients of such gateways know. */
export const endpointPaths = {
  openai: '/v1/chat/completions',
  'openai-response': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/{model}:generateContent',
  'image-generation': '/v1/images/generations',
  embeddings: '/v1/embeddings',
  'jina-rerank': '/v1/rerank',
  'openai-video': '/v1/videos',
} as const
/** One of these words. */
export type EndpointType = keyof typeof endpointPaths
/** The endpoint of a model that does something else than to chat. */
export const capabilityEndpoints: readonly (readonly [ModelCapability, EndpointType])[] = [
  ['image', 'image-generation'],
  ['embedding', 'embeddings'],
  ['rerank', 'jina-rerank'],
  ['video', 'openai-video'],
]
const endpointTypes = Object.keys(endpointPaths) as [EndpointType, ...EndpointType[]]

/** Charges beside the prices of tokens, as options store them and price lists show them. */
export const chargesBeside = {
  /** Currency per 1,000 calls of a tool that the provider runs. */
  tools: z.record(z.string(), z.number()),
  /** The factor of a service tier, a speed or a place. */
  tiers: z.record(z.string(), z.number()),
  /** The factors of prompts of more than `above` tokens. */
  steps: z.array(
    z.object({
      above: z.number(),
      input: z.number(),
      output: z.number(),
      /** Input read from a cache, where its factor differs from `input`. */
      cached: z.number().optional(),
    }),
  ),
  /** The unit of a video's price, and the factors of resolutions and sound. */
  video: z.object({
    unit: z.enum(['second', 'call']),
    resolutions: z.record(z.string(), z.number()),
    sound: z.number().optional(),
  }),
}

/** The price of a model, and the public facts of it. All ratios are factors of the price formula. */
export const pricingRow = z.object({
  model_name: z.string(),
  /** 0: by tokens; 1: by call. */
  quota_type: z.number().int(),
  /** A text input token, in quota units; 1 is $2 per million. 0 where the price is by call. */
  model_ratio: z.number(),
  /** A text output token in text input tokens. 0 where the price is by call. */
  completion_ratio: z.number(),
  /** Currency per call; 0 where the price is by tokens. */
  model_price: z.number(),
  /**
   * The operator has set no price. Calls are refused and the ratios are 0; where calls of the reader are served
   * nevertheless, the ratios are those of their charges. Visitors see 0.
   */
  unpriced: z.literal(true).optional(),
  /** An input token read from a cache, in text input tokens. Absent where the price is by call, as all that follow. */
  cache_ratio: z.number().optional(),
  /** An input token written to a cache for five minutes, and for an hour. */
  create_cache_ratio: z.number().optional(),
  create_cache_1h_ratio: z.number().optional(),
  /** Audio input in text input; absent: as text. */
  audio_ratio: z.number().optional(),
  /** Audio output in audio input; absent: as text output. */
  audio_completion_ratio: z.number().optional(),
  /** Image input in text input; absent: as text. */
  image_ratio: z.number().optional(),
  /** Image output in image input; absent: as text output. */
  image_completion_ratio: z.number().optional(),
  /** Terms of a video model: the unit of `model_price`, and the factors of resolutions and sound. Absent for any other model. */
  video: chargesBeside.video.optional(),
  /** Currency per 1,000 calls of tools that the provider runs, before the group's ratio. Absent without any, as the next two. */
  tool_prices: chargesBeside.tools.optional(),
  /** The factor of a service tier, a speed or a place on every price of a token. */
  tier_ratios: chargesBeside.tiers.optional(),
  /**
   * The factors of prompts of more than `above` tokens on the prices of their tokens; the highest step below the
   * prompt's length applies.
   */
  length_steps: chargesBeside.steps.optional(),
  /**
   * Factors on every price but those of tools, by the clocks of a zone at the moment at which a call is accepted. The first window
   * that holds the moment applies; one that does not end later than it begins passes midnight, and `days` are those of its begin.
   */
  time_prices: timeWindows.optional(),
  /** Groups open to the caller that reach the model; administrators see all groups. */
  enable_groups: z.array(z.string()),
  /** Set when a call of this caller would be routed and priced in one of those groups. */
  available: z.boolean(),
  /**
   * Endpoints of the model: for chat, the formats that reach some upstream as they are and `openai`; else the endpoint of its kind.
   */
  supported_endpoint_types: z.array(z.enum(endpointTypes)),
  /** Provider of the model, empty where it is unknown. */
  owner_by: z.string(),
  /** Tokens of input and output together; absent where it is unknown, like the following. */
  context_size: z.number().int().optional(),
  max_output_tokens: z.number().int().optional(),
  capabilities: z.array(z.enum(modelCapabilities)).optional(),
  /** The day on which the provider first sold it, `YYYY-MM-DD`. */
  released: z.string().optional(),
})
/** Prices of one model. */
export type PricingRow = z.output<typeof pricingRow>

const maxJobTokens = 100_000_000
const jobTokens = z.number().int().min(0).max(maxJobTokens)
/** Characters of a text that is counted. */
export const maxCountedText = 50_000

/** The size of a job: calls that are alike. */
export const jobBody = z.object({
  /** The group whose prices count; the caller's own where absent. */
  group: z.string().max(200).optional(),
  /** Input tokens of one call, cached ones included. */
  input_tokens: jobTokens.default(0),
  /** Those of them that are read from a cache. */
  cached_tokens: jobTokens.default(0),
  output_tokens: jobTokens.default(0),
  calls: z.number().int().min(1).max(1_000_000).default(1),
  /** The input itself, counted as each model's calls are where the upstream counts none. It is not stored. For people who are logged in. */
  text: z.string().max(maxCountedText).optional(),
})
/** The size of a job. */
export type JobBody = z.output<typeof jobBody>

/** The charge of a job at one model, in quota units. */
export const jobCost = z.object({
  model_name: z.string(),
  /** Input tokens of one call. */
  input_tokens: z.number().int(),
  quota,
})
/** Charge of a job at one model. */
export type JobCost = z.output<typeof jobCost>

/** Figures of a model's calls of the last 24 hours; absent ones had too few. */
export const modelPerformance = z.object({
  model_name: z.string(),
  /** Share of calls that succeeded, 0 to 1, of those that did not fail by the caller's own fault. */
  availability: z.number().optional(),
  /** Median time from the arrival of a streamed call to its first token. */
  first_token_ms: z.number().int().optional(),
  /** Median output tokens per second after the first. */
  tokens_per_second: z.number().optional(),
})
/** Figures of a model's calls of the last 24 hours. */
export type ModelPerformance = z.output<typeof modelPerformance>

export const pricing = {
  /** Figures of the models that the caller can call; none unless the operator shows them (`ModelPerformanceEnabled`). */
  performance: get('public', '/api/pricing/performance', {
    recentProof: 'reads',
    data: z.array(modelPerformance),
  }),
  /** Charges of a job at the models that the group can call, cheapest first, at the prices of this moment. */
  job: post('public', '/api/pricing/job', {
    recentProof: 'reads',
    body: jobBody,
    data: z.array(jobCost),
  }),
  /** Sorted by name. Works with and without a session. */
  list: get('public', '/api/pricing', {
    recentProof: 'reads',
    data: z.array(pricingRow),
    extra: z.object({
      /** Ratios of the groups in `usable_group`. */
      group_ratio: z.record(z.string(), z.number()),
      /** Groups open to the caller, with their descriptions. */
      usable_group: z.record(z.string(), z.string()),
      /** Group of the caller; empty without a session. */
      user_group: z.string(),
      /** The address of each endpoint type. */
      supported_endpoint: z.record(z.string(), z.object({ path: z.string(), method: z.string() })),
    }),
  }),
}
