import { z } from 'zod'

/**
 * Responses of Chat Completions: the facts of OpenAI's OpenAPI document, as of openai 7.57.0 (November 2026).
 * https://github.com/openai/openai-openapi
 */
const serviceTier = z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullable()
const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])
const count = z.int().min(0)

const weighed = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()).nullable() }
const logprob = z.strictObject({ ...weighed, top_logprobs: z.array(z.strictObject(weighed)) })
const logprobs = z
  .strictObject({ content: z.array(logprob).nullable(), refusal: z.array(logprob).nullable() })
  .nullable()

const usage = z.strictObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.strictObject({
    cached_tokens: count,
    cache_write_tokens: count.exactOptional(),
    audio_tokens: count.exactOptional(),
  }),
  completion_tokens_details: z.strictObject({
    reasoning_tokens: count,
    audio_tokens: count.exactOptional(),
  }),
})

/** Members that the document does not have and clients of other vendors read: DeepSeek, OpenRouter, Google. */
const reasoning = {
  reasoning_content: z.string().exactOptional(),
  reasoning_details: z.array(z.looseObject({ type: z.string() })).exactOptional(),
  images: z.array(z.looseObject({ type: z.literal('image_url') })).exactOptional(),
}
const signed = {
  extra_content: z
    .strictObject({ google: z.strictObject({ thought_signature: z.string() }) })
    .exactOptional(),
}

const annotation = z.strictObject({
  type: z.literal('url_citation'),
  url_citation: z.strictObject({
    url: z.string(),
    title: z.string(),
    start_index: z.int(),
    end_index: z.int(),
    /** The document does not have it: what was cited. */
    content: z.string().exactOptional(),
  }),
})

const message = z.strictObject({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  refusal: z.string().nullable(),
  annotations: z.array(annotation),
  audio: z
    .strictObject({ id: z.string(), data: z.string(), expires_at: z.int(), transcript: z.string() })
    .exactOptional(),
  tool_calls: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        type: z.literal('function'),
        function: z.strictObject({ name: z.string(), arguments: z.string() }),
        ...signed,
      }),
    )
    .exactOptional(),
  ...reasoning,
  ...signed,
})

const head = {
  id: z.string().startsWith('chatcmpl-'),
  created: z.int(),
  model: z.string(),
}

export const completion = z.strictObject({
  ...head,
  object: z.literal('chat.completion'),
  choices: z.array(z.strictObject({ index: z.int(), message, logprobs, finish_reason: finishReason })).min(1),
  service_tier: serviceTier.exactOptional(),
  usage: usage.exactOptional(),
})

const delta = z.strictObject({
  role: z.literal('assistant').exactOptional(),
  content: z.string().nullable().exactOptional(),
  refusal: z.string().nullable().exactOptional(),
  tool_calls: z
    .array(
      z.strictObject({
        index: z.int(),
        id: z.string().min(1).exactOptional(),
        type: z.literal('function').exactOptional(),
        function: z
          .strictObject({ name: z.string().exactOptional(), arguments: z.string().exactOptional() })
          .exactOptional(),
        ...signed,
      }),
    )
    .exactOptional(),
  audio: z.strictObject({ data: z.string() }).exactOptional(),
  annotations: z.array(annotation).exactOptional(),
  ...reasoning,
  ...signed,
})

export const chunk = z.strictObject({
  ...head,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.strictObject({ index: z.int(), delta, logprobs, finish_reason: finishReason.nullable() }),
  ),
  service_tier: serviceTier.exactOptional(),
  usage: usage.nullable().exactOptional(),
})

/** The event that ends a stream which failed. */
export const failure = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
})
