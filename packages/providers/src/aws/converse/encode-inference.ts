import {
  type ChatRequest,
  type JsonObject,
  type ReasoningOptions,
  type Sampling,
  unsupported,
} from '@tollgate/formats'
import type { Encoding } from './encoding.ts'

const unknownHere = ['seed', 'presencePenalty', 'frequencyPenalty', 'logprobs'] as const

/** `inferenceConfig`, and the fields that are one model's own. @throws RequestFault for several answers */
export function encodeInference(request: ChatRequest, encoding: Encoding): JsonObject {
  const { sampling, reasoning, maxOutputTokens } = request
  const { dropped } = encoding
  if (sampling.candidates > 1) throw unsupported('n', 'it gives one answer to a request')
  for (const name of unknownHere) if (sampling[name] !== undefined) dropped.add(name)
  const own = { ...encodeReasoning(reasoning, encoding), ...encodeTopK(sampling, encoding) }
  const config = thinksHardest(own)
    ? withoutKnobs(request, encoding)
    : { ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }), ...encodeKnobs(sampling) }
  const stop = sampling.stop.filter((sequence) => sequence !== '')
  const inferenceConfig = { ...config, ...(stop.length > 0 && { stopSequences: stop }) }
  return {
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...(Object.keys(own).length > 0 && { additionalModelRequestFields: own }),
  }
}

/** Other vendors go up to 2. */
function encodeKnobs({ temperature, topP }: Sampling): JsonObject {
  return {
    ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
    ...(topP !== undefined && { topP }),
  }
}

function encodeTopK({ topK }: Sampling, { traits, dropped }: Encoding): JsonObject {
  if (topK === undefined) return {}
  if (traits.topK === '') dropped.add('topK')
  if (traits.topK === 'inferenceConfig') return { inferenceConfig: { topK } }
  return traits.topK === '' ? {} : { [traits.topK]: topK }
}

const efforts = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

/**
 * How hard to think, where the model can be told. Nothing said leaves it at what the model does by itself.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
function encodeReasoning(reasoning: ReasoningOptions | undefined, { traits, dropped }: Encoding): JsonObject {
  const effort = reasoning === undefined ? undefined : effortOf(reasoning)
  if (effort === undefined) return {}
  if (effort === 'none') {
    if (traits.family !== 'nova-2') dropped.add('reasoning')
    return {}
  }
  if (traits.family === 'nova-2')
    return { reasoningConfig: { type: 'enabled', maxReasoningEffort: efforts[effort] } }
  if (traits.family === 'gpt-oss') return { reasoning_effort: efforts[effort] }
  dropped.add('reasoning')
  return {}
}

/** The steps that vendors with both give their efforts. https://ai.google.dev/gemini-api/docs/openai */
function effortOf({
  effort,
  budgetTokens,
  includeThoughts,
}: ReasoningOptions): keyof typeof efforts | 'none' | undefined {
  if (effort !== undefined) return effort
  if (budgetTokens === 0) return 'none'
  if (budgetTokens === undefined || budgetTokens < 0) return includeThoughts === true ? 'medium' : undefined
  if (budgetTokens <= 1024) return 'low'
  return budgetTokens <= 8192 ? 'medium' : 'high'
}

function thinksHardest({ reasoningConfig }: JsonObject): boolean {
  return (
    (reasoningConfig as { readonly maxReasoningEffort?: unknown } | undefined)?.maxReasoningEffort === 'high'
  )
}

/** At its hardest, Amazon's model takes neither a limit nor knobs. */
function withoutKnobs({ sampling, maxOutputTokens }: ChatRequest, { dropped }: Encoding): JsonObject {
  if (maxOutputTokens !== undefined) dropped.add('maxOutputTokens')
  for (const name of ['temperature', 'topP'] as const) if (sampling[name] !== undefined) dropped.add(name)
  return {}
}
