import type { Usage } from '../usage.ts'
import { isObject, listOf, objectOf } from './json-value.ts'

/** More tokens than any call can have; a figure beyond is a fault of the upstream and must not empty an account. */
const absurd = 10 ** 8

/**
 * Usage of an answer or stream event in OpenAI's shape, wherever the upstream put it: at the top, in a choice
 * (Moonshot), under `x_groq` (Groq), or per model of a bot (Volcengine). `undefined` when there is none that can be
 * charged: missing, zero, negative, fractional or absurd.
 */
export function findUsage(answer: unknown): Usage | undefined {
  const body = objectOf(answer)
  return (
    readUsage(body.usage) ??
    listOf(body.choices).reduce<Usage | undefined>(
      (found, choice) => readUsage(objectOf(choice).usage) ?? found,
      undefined,
    ) ??
    readUsage(objectOf(body.x_groq).usage) ??
    sumOfBots(objectOf(body.bot_usage).model_usage)
  )
}

/** Turns OpenAI's counts into ours: cached tokens are inside `prompt_tokens` there and apart here. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const prompt = count(raw.prompt_tokens)
  const completion = count(raw.completion_tokens ?? 0)
  // Ollama says 0 when the prompt was in its cache; no prompt is really empty, so it has to be counted.
  if (prompt === undefined || prompt === 0 || completion === undefined) return undefined
  const reasoning = count(objectOf(raw.completion_tokens_details).reasoning_tokens) ?? 0
  const leftOut = reasoningLeftOut(raw, prompt, completion, reasoning)
  const cached = Math.min(prompt, cachedTokens(raw))
  return {
    inputTokens: prompt - cached,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
    outputTokens: completion + leftOut,
    reasoningTokens: Math.min(reasoning, completion + leftOut),
  }
}

/** Usage as callers of this dialect read it. */
export function encodeUsage(usage: Usage): Record<string, unknown> {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.outputTokens,
    total_tokens: prompt + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  }
}

/**
 * xAI's chat counts leave reasoning out of `completion_tokens`, and `total_tokens` shows it: the sum is short by
 * exactly the reasoning. Told from the figures, so that it also holds behind another gateway.
 * https://docs.x.ai/docs/guides/reasoning
 */
function reasoningLeftOut(
  raw: Readonly<Record<string, unknown>>,
  prompt: number,
  completion: number,
  reasoning: number,
): number {
  const total = count(raw.total_tokens)
  return reasoning > 0 && total === prompt + completion + reasoning ? reasoning : 0
}

/** OpenAI's name and most others'; DeepSeek's own, Moonshot's at the top, Mistral's. An upstream may give several. */
function cachedTokens(raw: Readonly<Record<string, unknown>>): number {
  return Math.max(
    count(objectOf(raw.prompt_tokens_details).cached_tokens) ?? 0,
    count(raw.prompt_cache_hit_tokens) ?? 0,
    count(raw.cached_tokens) ?? 0,
    count(raw.num_cached_tokens) ?? 0,
  )
}

/** A Volcengine bot may call several models and sometimes gives no total. */
function sumOfBots(models: unknown): Usage | undefined {
  const usages = listOf(models).flatMap((model) => readUsage(model) ?? [])
  return usages.length === 0 ? undefined : usages.reduce(add)
}

function add(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  }
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < absurd
    ? value
    : undefined
}
