import type { OutputFormat, ReasoningOptions, RequestOptions, Sampling } from '../canonical/request.ts'
import type { JsonObject } from '../json-value.ts'
import { given } from './faults.ts'

/** Names of fields that were left out without changing the answer. */
export type Dropped = Set<string>

export function encodeSampling(sampling: Sampling, dropped: Dropped): JsonObject {
  const { logprobs, stop, candidates } = sampling
  // OpenAI refuses it, and so do most others.
  if (sampling.topK !== undefined) dropped.add('top_k')
  return {
    ...given('temperature', sampling.temperature),
    ...given('top_p', sampling.topP),
    ...given('seed', sampling.seed),
    ...given('presence_penalty', sampling.presencePenalty),
    ...given('frequency_penalty', sampling.frequencyPenalty),
    ...(stop.length > 0 && { stop }),
    ...(candidates > 1 && { n: candidates }),
    ...(logprobs !== undefined && { logprobs: true }),
    ...(logprobs !== undefined && logprobs > 0 && { top_logprobs: logprobs }),
  }
}

export const serviceTiers: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'priority', 'scale'])

export function encodeOptions(options: RequestOptions, dropped: Dropped): JsonObject {
  const { serviceTier, metadata } = options
  const hasTier = serviceTier !== undefined && serviceTiers.has(serviceTier)
  if (serviceTier !== undefined && !hasTier) dropped.add('service_tier')
  const hasMetadata = metadata !== undefined && isTextual(metadata)
  if (metadata !== undefined && !hasMetadata) dropped.add('metadata')
  return {
    ...given('user', options.user),
    ...(hasMetadata && { metadata }),
    ...(hasTier && { service_tier: serviceTier }),
    ...given('prompt_cache_key', options.promptCacheKey),
    ...given('verbosity', options.verbosity),
    ...given('modalities', options.modalities),
  }
}

/** OpenAI takes texts only. */
export function isTextual(metadata: JsonObject): boolean {
  return Object.values(metadata).every((value) => typeof value === 'string')
}

export function encodeOutputFormat(format: OutputFormat | undefined): JsonObject {
  if (format === undefined) return {}
  if (format.type !== 'json-schema')
    return { response_format: { type: format.type === 'json' ? 'json_object' : 'text' } }
  const { name, schema, strict, description } = format
  const wanted = { name, ...given('description', description), schema, ...given('strict', strict) }
  return { response_format: { type: 'json_schema', json_schema: wanted } }
}

/** Families that do not think, and answer 400 when asked how hard they should. */
export const nonReasoningModels = /^(gpt-3|gpt-4|chatgpt-)/

/** Thoughts come as the upstream pleases: there is no word for wanting them, or for a budget, which becomes an effort. */
export function encodeReasoning(
  reasoning: ReasoningOptions | undefined,
  model: string,
  dropped: Dropped,
): JsonObject {
  if (reasoning === undefined) return {}
  const effort = reasoning.effort ?? effortOf(reasoning.budgetTokens)
  if (effort === undefined) return {}
  if (!nonReasoningModels.test(model)) return { reasoning_effort: effort }
  dropped.add('reasoning_effort')
  return {}
}

/** The budgets that effort is given where it must be one: see the conversions to Anthropic and Gemini. */
export function effortOf(budgetTokens: number | undefined): ReasoningOptions['effort'] {
  if (budgetTokens === undefined || budgetTokens < 0) return undefined
  if (budgetTokens === 0) return 'none'
  if (budgetTokens < 2048) return 'low'
  return budgetTokens < 4096 ? 'medium' : 'high'
}
