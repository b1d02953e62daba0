import { isObject, objectOf } from '../json-value.ts'
import { countOf, type Usage, usageOf } from '../usage.ts'

/**
 * Usage of images, speech and transcriptions: `input_tokens` and `output_tokens`, split by what they are made of.
 * `undefined` when there is none that can be charged; seconds are no tokens.
 * @param output what the answer is made of, where the upstream does not split its output
 */
export function readMediaUsage(raw: unknown, output: 'image' | 'audio' | 'text'): Usage | undefined {
  if (!isObject(raw)) return undefined
  const inputTokens = countOf(raw.input_tokens)
  const outputTokens = countOf(raw.output_tokens ?? 0)
  if (inputTokens === undefined || outputTokens === undefined || inputTokens + outputTokens === 0)
    return undefined
  const inputs = objectOf(raw.input_tokens_details ?? raw.input_token_details)
  const outputs = objectOf(raw.output_tokens_details ?? raw.output_token_details)
  const text = countOf(outputs.text_tokens) ?? 0
  const made = (kind: typeof output) =>
    countOf(outputs[`${kind}_tokens`]) ?? (kind === output ? Math.max(0, outputTokens - text) : 0)
  const cached = Math.min(inputTokens, countOf(inputs.cached_tokens) ?? 0)
  return usageOf({
    inputTokens: inputTokens - cached,
    cacheReadTokens: cached,
    outputTokens,
    audioInputTokens: countOf(inputs.audio_tokens) ?? 0,
    imageInputTokens: countOf(inputs.image_tokens) ?? 0,
    imageOutputTokens: made('image'),
    audioOutputTokens: made('audio'),
  })
}

/** Usage as OpenAI's images tell it. */
export function encodeImageUsage(usage: Usage): Record<string, unknown> {
  const input = usage.inputTokens + usage.cacheReadTokens
  return {
    total_tokens: input + usage.outputTokens,
    input_tokens: input,
    output_tokens: usage.outputTokens,
    input_tokens_details: {
      text_tokens: input - usage.imageInputTokens,
      image_tokens: usage.imageInputTokens,
    },
  }
}
