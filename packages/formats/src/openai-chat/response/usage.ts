import { serviceOf, type ToolCalls, toolCallsOf } from '../../costs/charged-tools.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../../json/value.ts'
import {
  addUsage,
  countOf as count,
  promptTokensOf,
  totalUsage,
  type Usage,
  usageOf,
  withCosts,
} from '../../usage.ts'

/**
 * Tools that an upstream ran, as its usage counts them in OpenAI's formats: xAI by kind, its older search by source, Qwen
 * under `plugins` or `x_tools`, Volcengine under `tool_usage`, OpenRouter as Anthropic does.
 * https://docs.x.ai/developers/tools/tool-usage-details
 * https://help.aliyun.com/zh/model-studio/qwen-api-via-openai-responses
 * https://www.volcengine.com/docs/82379/1783703
 * https://openrouter.ai/docs/guides/features/server-tools/web-search
 */
export function reportedTools(usage: JsonObject): ToolCalls | undefined {
  const details = objectOf(usage.server_side_tool_usage_details)
  const ofQwen = { ...objectOf(usage.plugins), ...objectOf(usage.x_tools) }
  const ofVolcengine = objectOf(usage.tool_usage)
  const countIn = (tool: unknown) => objectOf(tool).count
  return toolCallsOf({
    web_search:
      details.web_search_calls ??
      countIn(ofQwen.web_search ?? ofQwen.search) ??
      ofVolcengine.web_search ??
      objectOf(usage.server_tool_use).web_search_requests,
    x_search: details.x_search_calls,
    code_interpreter: details.code_interpreter_calls ?? countIn(ofQwen.code_interpreter),
    file_search: details.file_search_calls,
    attachment_search: details.document_search_calls,
    image_generation: details.image_generation_calls,
    live_search: usage.num_sources_used,
  })
}

const names: Readonly<Record<string, string>> = {
  standard: 'default',
  flex: 'flex',
  priority: 'priority',
  scale: 'scale',
}

/** The service tier by its name in Chat Completions; null when the upstream reported none, or one without a name there. */
export function encodeTier({ service }: Pick<Usage, 'service'>): string | null {
  return names[service?.tier ?? ''] ?? null
}

/**
 * Usage of a response or stream event in OpenAI's shape, wherever the upstream put it: at the top, in a choice
 * (Moonshot), under `x_groq` (Groq), or per model of a bot (Volcengine). `undefined` for counts that cannot be
 * charged: missing, zero, negative, fractional or absurd.
 */
export function findUsage(response: unknown): Usage | undefined {
  const body = objectOf(response)
  const usage = findCounts(body)
  if (usage === undefined) return undefined
  const service = serviceOf({ tier: body.service_tier })
  return withCosts(usage, { toolCalls: reportedTools(objectOf(body.usage)), service })
}

function findCounts(body: JsonObject): Usage | undefined {
  return (
    readUsage(body.usage) ??
    listOf(body.choices).reduce<Usage | undefined>(
      (found, choice) => readUsage(objectOf(choice).usage) ?? found,
      undefined,
    ) ??
    readUsage(objectOf(body.x_groq).usage) ??
    sumOfBots(objectOf(body.bot_usage).model_usage) ??
    readTotal(body.usage)
  )
}

/** MiniMax may report nothing but the total. */
function readTotal(raw: unknown): Usage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = objectOf(raw)
  const known = prompt === undefined && completion === undefined ? (count(total) ?? 0) : 0
  return known === 0 ? undefined : totalUsage(known)
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
  const written = Math.min(prompt - cached, cacheWriteTokens(raw))
  const inputs = objectOf(raw.prompt_tokens_details)
  const outputs = objectOf(raw.completion_tokens_details)
  return usageOf({
    inputTokens: prompt - cached - written,
    cacheReadTokens: cached,
    cacheWriteTokens: written,
    outputTokens: completion + leftOut,
    audioInputTokens: count(inputs.audio_tokens) ?? 0,
    imageInputTokens: count(inputs.image_tokens) ?? 0,
    audioOutputTokens: count(outputs.audio_tokens) ?? 0,
    imageOutputTokens: count(outputs.image_tokens) ?? 0,
    reasoningTokens: reasoning,
  })
}

/** OpenRouter's and OpenAI's later name, and the one that other gateways give Anthropic's figure. */
function cacheWriteTokens(raw: Readonly<Record<string, unknown>>): number {
  const details = objectOf(raw.prompt_tokens_details)
  return count(details.cache_write_tokens) ?? count(details.cached_creation_tokens) ?? 0
}

/** Usage as callers of this format read it. Cache writes are said only where there are any: OpenAI has no such field. */
export function encodeUsage(usage: Usage): Record<string, unknown> {
  const prompt = promptTokensOf(usage)
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.outputTokens,
    total_tokens: prompt + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      ...(written > 0 && { cache_write_tokens: written }),
      ...(usage.audioInputTokens > 0 && { audio_tokens: usage.audioInputTokens }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      ...(usage.audioOutputTokens > 0 && { audio_tokens: usage.audioOutputTokens }),
    },
  }
}

/**
 * xAI's chat counts leave reasoning out of `completion_tokens`, and `total_tokens` shows it: the sum is short by
 * exactly the reasoning. The figures alone decide, so the rule also holds behind another gateway.
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
  return usages.length === 0 ? undefined : usages.reduce(addUsage)
}
