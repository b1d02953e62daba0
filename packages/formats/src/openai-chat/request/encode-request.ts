import type { EncodedRequest, EncodeTarget } from '../../canonical/codec.ts'
import type {
  ChatRequest,
  OutputFormat,
  ReasoningOptions,
  RequestOptions,
  Sampling,
} from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { given } from '../../requests/fields.ts'
import { lostVendorFields } from '../../requests/vendor-fields.ts'
import { encodeMessages } from './encode-messages.ts'
import { type Dropped, encodeTools } from './encode-tools.ts'

function encodeSampling(sampling: Sampling, dropped: Dropped): JsonObject {
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

function encodeOptions(options: RequestOptions, dropped: Dropped): JsonObject {
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

function encodeOutputFormat(format: OutputFormat | undefined): JsonObject {
  if (format === undefined) return {}
  if (format.type !== 'json-schema')
    return { response_format: { type: format.type === 'json' ? 'json_object' : 'text' } }
  const { name, schema, strict, description } = format
  const wanted = { name, ...given('description', description), schema, ...given('strict', strict) }
  return { response_format: { type: 'json_schema', json_schema: wanted } }
}

/** Families without reasoning, which refuse a reasoning effort with 400. */
export const nonReasoningModels = /^(gpt-3|gpt-4|chatgpt-)/

/** The format has no field for showing reasoning or for a budget: a budget becomes an effort. */
function encodeReasoning(
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

/**
 * The request as Chat Completions. The limit goes out under its oldest name, which every server knows; upstreams that
 * want the newer one have a quirk for it.
 * @throws RequestFault for what this format cannot say and whose loss would change the response
 */
export function encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest {
  const dropped = new Set(lostVendorFields(request.vendor, 'openai-chat'))
  const own = request.vendor?.format === 'openai-chat' ? request.vendor.fields : {}
  const { maxOutputTokens, stream } = request
  const body = {
    model: target.model,
    messages: encodeMessages(request, dropped, target.cacheMarks === true),
    ...(stream && { stream: true }),
    ...(stream && target.streamOptions && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...encodeTools(request, dropped),
    ...encodeOutputFormat(request.outputFormat),
    ...encodeReasoning(request.reasoning, target.model, dropped),
    ...encodeSampling(request.sampling, dropped),
    ...encodeOptions(request.options, dropped),
    ...own,
  }
  return { body, dropped: [...dropped] }
}
