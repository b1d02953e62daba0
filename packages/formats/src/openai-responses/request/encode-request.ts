import type { EncodedRequest, EncodeTarget } from '../../canonical/codec.ts'
import type { ChatRequest, OutputFormat, RequestOptions, Sampling } from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { effortOf, isTextual, openAiSchemas, serviceTiers } from '../../openai-chat/request/encode-request.ts'
import type { Dropped } from '../../openai-chat/request/encode-tools.ts'
import { provided, unsupported } from '../../requests/fields.ts'
import { fieldsForResponses, lostVendorFields } from '../../requests/vendor-fields.ts'
import { fitRequest } from '../../schemas/fit-request.ts'
import { encodeConversation } from './encode-input.ts'
import { encodeTools } from './encode-tools.ts'

/** A smaller limit is refused. */
const minOutputTokens = 16

/**
 * The request as Responses. The vendor is asked to keep nothing: what it would keep comes back with the next turn.
 * @throws RequestFault for what this format cannot say and whose loss would change the response
 */
export function encodeRequest(original: ChatRequest, target: EncodeTarget): EncodedRequest {
  const { model, schemas, silentReasoning = false } = target
  const dropped: Dropped = new Set(lostVendorFields(original.vendor, 'openai-responses'))
  const request = fitRequest(original, schemas ?? openAiSchemas, dropped)
  const { maxOutputTokens, stream } = request
  const body = {
    model,
    ...encodeConversation(request, dropped),
    ...(stream && { stream: true }),
    store: false,
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.max(maxOutputTokens, minOutputTokens) }),
    ...encodeTools(request, dropped),
    ...encodeText(request),
    ...encodeSampling(request.sampling, dropped),
    ...encodeReasoning(request, silentReasoning),
    ...encodeOptions(request.options, dropped),
    ...fieldsForResponses(request.vendor),
    ...ownFields(request),
  }
  return { body, dropped: [...dropped] }
}

/** Names items and members without a canonical form by their path, because they cannot be restored as fields. */
function ownFields({ vendor }: ChatRequest): JsonObject {
  if (vendor?.format !== 'openai-responses') return {}
  return Object.fromEntries(Object.entries(vendor.fields).filter(([name]) => !/[.[]/.test(name)))
}

function encodeText({ outputFormat, options: { verbosity } }: ChatRequest): JsonObject {
  if (outputFormat === undefined && verbosity === undefined) return {}
  return {
    text: {
      ...(outputFormat !== undefined && { format: encodeFormat(outputFormat) }),
      ...provided('verbosity', verbosity),
    },
  }
}

function encodeFormat(format: OutputFormat): JsonObject {
  if (format.type !== 'json-schema') return { type: format.type === 'json' ? 'json_object' : 'text' }
  const { name, schema, strict, description } = format
  return {
    type: 'json_schema',
    name,
    ...provided('description', description),
    schema,
    ...provided('strict', strict),
  }
}

/** @throws RequestFault for several candidates, and for stop sequences */
function encodeSampling(sampling: Sampling, dropped: Dropped): JsonObject {
  if (sampling.stop.length > 0) throw unsupported('stop', 'the upstream takes no stop sequences')
  if (sampling.candidates > 1) throw unsupported('n', 'the upstream gives one answer to a request')
  if (sampling.topK !== undefined) dropped.add('top_k')
  if (sampling.seed !== undefined) dropped.add('seed')
  if (sampling.presencePenalty !== undefined) dropped.add('presence_penalty')
  if (sampling.frequencyPenalty !== undefined) dropped.add('frequency_penalty')
  const { temperature, topP, logprobs } = sampling
  return {
    ...provided('temperature', temperature),
    ...provided('top_p', topP),
    ...(logprobs !== undefined && logprobs > 0 && { top_logprobs: logprobs }),
  }
}

/** Requests encrypted reasoning, so that it can return with the next turn; for models without any, their profile leaves it out. */
function encodeReasoning({ reasoning, sampling }: ChatRequest, isSilent: boolean): JsonObject {
  const wanted = {
    ...provided('effort', effortOf(reasoning)),
    ...(reasoning?.includeThoughts === true && !isSilent && { summary: 'auto' }),
  }
  const include = [
    'reasoning.encrypted_content',
    ...(sampling.logprobs === undefined ? [] : ['message.output_text.logprobs']),
  ]
  return { ...(Object.keys(wanted).length > 0 && { reasoning: wanted }), include }
}

function encodeOptions(options: RequestOptions, dropped: Dropped): JsonObject {
  const { serviceTier, metadata, modalities = [] } = options
  const other = modalities.find((kind) => kind !== 'text')
  if (other !== undefined) throw unsupported('modalities', `the upstream gives no ${other}`)
  const hasTier = serviceTier !== undefined && serviceTiers.has(serviceTier)
  if (serviceTier !== undefined && !hasTier) dropped.add('service_tier')
  const hasMetadata = metadata !== undefined && isTextual(metadata)
  if (metadata !== undefined && !hasMetadata) dropped.add('metadata')
  return {
    ...provided('user', options.user),
    ...(hasMetadata && { metadata }),
    ...(hasTier && { service_tier: serviceTier }),
    ...provided('prompt_cache_key', options.promptCacheKey),
  }
}
