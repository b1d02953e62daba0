import { isObject, objectOf } from '../json-value.ts'
import { countOf as count, type Usage, usageOf } from '../usage.ts'

/**
 * The usage of a `response.done`; `undefined` where it has none. Cached tokens, of whatever kind, are inside their kind:
 * what was cached is taken out of it where the upstream says which it was, and out of the text where it does not.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export function readRealtimeUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const input = count(raw.input_tokens)
  const output = count(raw.output_tokens)
  if (input === undefined || output === undefined || input + output === 0) return undefined
  const inputs = objectOf(raw.input_token_details ?? raw.input_tokens_details)
  const outputs = objectOf(raw.output_token_details ?? raw.output_tokens_details)
  const cachedKinds = objectOf(inputs.cached_tokens_details)
  const cached = Math.min(input, count(inputs.cached_tokens) ?? 0)
  const fresh = (kind: string) => Math.max(0, (count(inputs[kind]) ?? 0) - (count(cachedKinds[kind]) ?? 0))
  return usageOf({
    inputTokens: input - cached,
    cacheReadTokens: cached,
    audioInputTokens: fresh('audio_tokens'),
    imageInputTokens: fresh('image_tokens'),
    outputTokens: output,
    audioOutputTokens: count(outputs.audio_tokens) ?? 0,
  })
}
