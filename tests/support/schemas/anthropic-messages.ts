import { z } from 'zod'

/**
 * Responses of Messages: the facts of Anthropic's OpenAPI document, as of @anthropic-ai/sdk 1.12.0 (November 2026).
 * https://platform.claude.com/docs/en/api/messages
 */
const count = z.int().min(0)
const stopReason = z.enum([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
])
const refusal = z.strictObject({
  type: z.literal('refusal'),
  category: z.enum(['cyber', 'bio', 'frontier_llm', 'reasoning_extraction', 'general_harms']).nullable(),
  explanation: z.string().nullable(),
})

const usage = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  output_tokens_details: z.strictObject({ thinking_tokens: count }).nullable(),
  cache_creation_input_tokens: count.nullable(),
  cache_read_input_tokens: count.nullable(),
  cache_creation: z
    .strictObject({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
    .nullable(),
  server_tool_use: z.strictObject({ web_search_requests: count, web_fetch_requests: count }).nullable(),
  service_tier: z.enum(['standard', 'priority', 'batch']).nullable(),
  speed: z.enum(['standard', 'fast']).nullable(),
  inference_geo: z.string().nullable(),
})

const citation = z.strictObject({
  type: z.literal('web_search_result_location'),
  url: z.string(),
  title: z.string().nullable(),
  cited_text: z.string(),
  encrypted_index: z.string(),
})

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), citations: z.array(citation).optional() }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    caller: z.strictObject({ type: z.literal('direct') }),
  }),
])

const head = {
  id: z.string().min(1),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  container: z.null(),
  diagnostics: z.null(),
  usage,
}

/** Only refusals have details. */
const explained = (stop: { stop_reason: string; stop_details: unknown }) =>
  (stop.stop_reason === 'refusal') === (stop.stop_details !== null)
const stop = {
  stop_reason: stopReason,
  stop_sequence: z.string().nullable(),
  stop_details: refusal.nullable(),
}

export const message = z.strictObject({ ...head, content: z.array(block), ...stop }).refine(explained)

const started = z.strictObject({
  ...head,
  content: z.array(block).length(0),
  stop_reason: z.null(),
  stop_sequence: z.null(),
  stop_details: z.null(),
})

const delta = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  z.strictObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
  z.strictObject({ type: z.literal('citations_delta'), citation }),
  z.strictObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.strictObject({ type: z.literal('signature_delta'), signature: z.string() }),
])

export const event = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message_start'), message: started }),
  z.strictObject({ type: z.literal('content_block_start'), index: count, content_block: block }),
  z.strictObject({ type: z.literal('content_block_delta'), index: count, delta }),
  z.strictObject({ type: z.literal('content_block_stop'), index: count }),
  // More than the document requires: how the message was made is known no sooner.
  z.strictObject({
    type: z.literal('message_delta'),
    delta: z.strictObject({ container: z.null(), ...stop }).refine(explained),
    usage,
  }),
  z.strictObject({ type: z.literal('message_stop') }),
])

export const failure = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({
    type: z.enum([
      'invalid_request_error',
      'authentication_error',
      'billing_error',
      'permission_error',
      'not_found_error',
      'request_too_large',
      'rate_limit_error',
      'timeout_error',
      'api_error',
      'overloaded_error',
    ]),
    message: z.string(),
  }),
  request_id: z.string().nullable(),
})
