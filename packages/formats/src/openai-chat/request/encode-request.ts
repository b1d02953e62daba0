import type { EncodedRequest, EncodeTarget } from '../../canonical/codec.ts'
import type {
  ChatRequest,
  OutputFormat,
  ReasoningOptions,
  RequestOptions,
  Sampling,
} from '../../canonical/request.ts'
import type { SchemaProfile } from '../../canonical/schema-dialect.ts'
import type { JsonObject } from '../../json/value.ts'
import { provided } from '../../requests/fields.ts'
import { lostVendorFields } from '../../requests/vendor-fields.ts'
import { schemaDialects } from '../../schemas/dialects.ts'
import { fitRequest } from '../../schemas/fit-request.ts'
import { encodeMessages } from './encode-messages.ts'
import { type Dropped, encodeTools } from './encode-tools.ts'

function encodeSampling(sampling: Sampling, dropped: Dropped): JsonObject {
  const { logprobs, stop, candidates } = sampling
  // OpenAI refuses it, and so do most others.
  if (sampling.topK !== undefined) dropped.add('top_k')
  return {
    ...provided('temperature', sampling.temperature),
    ...provided('top_p', sampling.topP),
    ...provided('seed', sampling.seed),
    ...provided('presence_penalty', sampling.presencePenalty),
    ...provided('frequency_penalty', sampling.frequencyPenalty),
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
    ...provided('user', options.user),
    ...(hasMetadata && { metadata }),
    ...(hasTier && { service_tier: serviceTier }),
    ...provided('prompt_cache_key', options.promptCacheKey),
    ...provided('verbosity', options.verbosity),
    ...provided('modalities', options.modalities),
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
  const wanted = { name, ...provided('description', description), schema, ...provided('strict', strict) }
  return { response_format: { type: 'json_schema', json_schema: wanted } }
}

/** Writes the effort: the format has no field for showing reasoning or for a budget, which becomes an effort. */
function encodeReasoning(reasoning: ReasoningOptions | undefined): JsonObject {
  return provided('reasoning_effort', effortOf(reasoning))
}

/** Efforts in the words of OpenAI's formats. `default`: the model is to think, and decides how hard. */
type WrittenEffort = NonNullable<ReasoningOptions['effort']> | 'default'

/**
 * The effort that reasoning options come to; a budget becomes one. What the target takes of it is its profile's to say.
 * The steps are those of the conversions to Anthropic and Gemini.
 */
export function effortOf(reasoning: ReasoningOptions | undefined): WrittenEffort | undefined {
  const { effort, budgetTokens } = reasoning ?? {}
  if (effort !== undefined || budgetTokens === undefined) return effort
  if (budgetTokens < 0) return 'default'
  if (budgetTokens === 0) return 'none'
  if (budgetTokens < 2048) return 'low'
  return budgetTokens < 4096 ? 'medium' : 'high'
}

/** OpenAI's reading of schemas, in Chat Completions and Responses. */
export const openAiSchemas: SchemaProfile = {
  tools: schemaDialects.openAiTool,
  strictTools: schemaDialects.openAiStrict,
  output: schemaDialects.openAiOutput,
  strictOutput: schemaDialects.openAiStrict,
}

/**
 * The request as Chat Completions. The limit goes out under its oldest name, which every server knows; upstreams that
 * want the newer one have a quirk for it.
 * @throws RequestFault for what this format cannot say and whose loss would change the response
 */
export function encodeRequest(original: ChatRequest, target: EncodeTarget): EncodedRequest {
  const dropped = new Set(lostVendorFields(original.vendor, 'openai-chat'))
  const request = fitRequest(original, target.schemas ?? openAiSchemas, dropped)
  const own = request.vendor?.format === 'openai-chat' ? request.vendor.fields : {}
  const { maxOutputTokens, stream } = request
  const body = {
    model: target.model,
    messages: encodeMessages(request, dropped, target),
    ...(stream && { stream: true }),
    ...(stream && target.streamOptions && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...encodeTools(request, dropped),
    ...encodeOutputFormat(request.outputFormat),
    ...encodeReasoning(request.reasoning),
    ...encodeSampling(request.sampling, dropped),
    ...encodeOptions(request.options, dropped),
    ...own,
  }
  return { body, dropped: [...dropped] }
}
