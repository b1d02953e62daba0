import { isObject, objectOf } from '../json-value.ts'
import { countOf as count, promptTokensOf, type Usage, usageOf } from '../usage.ts'

/** Cached tokens are inside `input_tokens`, reasoning inside `output_tokens`. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const input = count(raw.input_tokens)
  const output = count(raw.output_tokens ?? 0)
  // A prompt without a token is no count of anything.
  if (input === undefined || input === 0 || output === undefined) return undefined
  const inputs = objectOf(raw.input_tokens_details)
  const outputs = objectOf(raw.output_tokens_details)
  const cached = Math.min(input, count(inputs.cached_tokens) ?? 0)
  const written = Math.min(input - cached, count(inputs.cache_write_tokens) ?? 0)
  return usageOf({
    inputTokens: input - cached - written,
    cacheReadTokens: cached,
    cacheWriteTokens: written,
    outputTokens: output,
    audioInputTokens: count(inputs.audio_tokens) ?? 0,
    imageInputTokens: count(inputs.image_tokens) ?? 0,
    audioOutputTokens: count(outputs.audio_tokens) ?? 0,
    imageOutputTokens: count(outputs.image_tokens) ?? 0,
    reasoningTokens: count(outputs.reasoning_tokens) ?? 0,
  })
}

export function encodeUsage(usage: Usage): Record<string, unknown> {
  const input = promptTokensOf(usage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: input + usage.outputTokens,
  }
}
