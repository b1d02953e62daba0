import { serviceOf } from '../../canonical/charged-tools.ts'
import { RunCounter, runKindOf } from '../../costs/tool-runs.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import {
  addUsage,
  countOf as count,
  promptTokensOf,
  splitPrompt,
  totalUsage,
  type Usage,
  usageOf,
  withCosts,
  withRuns,
} from '../../usage.ts'

/**
 * Tools that an upstream ran, as its usage counts them in OpenAI's formats: xAI by kind, its older search by source, Qwen
 * under `plugins` or `x_tools`, Volcengine under `tool_usage`, Mistral under `connectors`, OpenRouter as Anthropic does,
 * Perplexity by the query.
 * https://docs.x.ai/developers/tools/tool-usage-details
 * https://help.aliyun.com/zh/model-studio/qwen-api-via-openai-responses
 * https://www.volcengine.com/docs/82379/1783703
 * https://openrouter.ai/docs/guides/features/server-tools/web-search
 */
export function reportedRuns(usage: JsonObject): RunCounter {
  const runs = new RunCounter()
  for (const counts of sources.flatMap((name) => usage[name] ?? [])) runs.addCounts(withoutSums(counts))
  const sums = { live_search: usage.num_sources_used, web_search: usage.num_search_queries }
  if (runs.count === 0) runs.addCounts(sums)
  return runs
}

/** Members of a usage that count tools by their names. An upstream has one of them. */
const sources = [
  'server_side_tool_usage_details',
  'server_side_tool_usage',
  'plugins',
  'x_tools',
  'tool_usage',
  'server_tool_use',
  'connectors',
]

/** Every member of a usage that counts tools: nearly all usages have none. */
const toolMembers = [...sources, 'num_sources_used', 'num_search_queries', 'num_server_side_tools_used']

/** OpenRouter counts all of its tools together, too. */
function withoutSums(counts: unknown): JsonObject {
  const { tool_calls_requested: _, tool_calls_executed: __, ...byName } = objectOf(counts)
  return byName
}

const names: Readonly<Record<string, string>> = {
  standard: 'default',
  flex: 'flex',
  priority: 'priority',
  scale: 'scale',
}

/** The service tier by its name in Chat Completions; `undefined` when the upstream named none, or one without a name there. */
export function encodeTier({ service }: Pick<Usage, 'service'>): string | undefined {
  return names[service?.tier ?? '']
}

/**
 * Usage of a response or stream event in OpenAI's shape, wherever the upstream put it: at the top, in a choice
 * (Moonshot), under `x_groq` (Groq), or per model of a bot (Volcengine). `undefined` for counts that cannot be
 * charged: missing, zero, negative, fractional or absurd.
 */
export function findUsage(response: unknown, executed = executedIn(noTools, response)): Usage | undefined {
  const body = objectOf(response)
  const usage = findCounts(body)
  if (usage === undefined) return undefined
  const service = serviceOf({ tier: body.service_tier })
  const raw = objectOf(body.usage)
  const ranNone = executed.size === 0 && !toolMembers.some((name) => raw[name] !== undefined)
  return ranNone ? withCosts(usage, { service }) : withRunsOf(raw, usage, executed, service)
}

function withRunsOf(
  raw: JsonObject,
  usage: Usage,
  executed: ExecutedTools,
  service: Usage['service'],
): Usage {
  const runs = reportedRuns(raw)
  const unnamed = (count(raw.num_server_side_tools_used) ?? 0) - runs.count
  if (unnamed > 0) runs.add('server_side_tool', 'server_side_tool', unnamed)
  if (runs.count === 0) for (const type of executed.values()) runs.add(runKindOf(type), type)
  // Qwen and Perplexity put what they found into one prompt; the others ask the model again after each run.
  const isLoop = loops.some((name) => raw[name] !== undefined) || executed.size > 0
  return withCosts(isLoop ? withRuns(usage, runs.count) : usage, { ...runs.read(), service })
}

const loops = [
  'num_server_side_tools_used',
  'server_side_tool_usage_details',
  'server_tool_use',
  'connectors',
]

/** Tools that Groq's systems ran, by choice and number: a stream tells each of them twice, begun and done. */
export type ExecutedTools = ReadonlyMap<string, string>

export const noTools: ExecutedTools = new Map()

/**
 * The tools that were known, and those that a response or an event tells; the same object where it tells none.
 * https://console.groq.com/docs/compound (2026-11-28)
 */
export function executedIn(known: ExecutedTools, response: unknown): ExecutedTools {
  let all: Map<string, string> | undefined
  listOf(objectOf(response).choices).forEach((choice, candidate) => {
    const { delta, message } = objectOf(choice)
    listOf(objectOf(delta ?? message).executed_tools).forEach((tool, position) => {
      const { index = position, type } = objectOf(tool)
      all ??= new Map(known)
      all.set(`${candidate}:${String(index)}`, textOf(type))
    })
  })
  return all ?? known
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

/** Reads a total alone, which is all that MiniMax may report. */
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
  const cached = cachedTokens(raw)
  const written = cacheWriteTokens(raw)
  const total = count(raw.total_tokens)
  const inputs = objectOf(raw.prompt_tokens_details)
  const outputs = objectOf(raw.completion_tokens_details)
  return usageOf({
    ...splitPrompt({ prompt, cached, written, output: completion + leftOut, total }),
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

/** Adds up the models of a Volcengine bot, which may call several and sometimes gives no total. */
function sumOfBots(models: unknown): Usage | undefined {
  const usages = listOf(models).flatMap((model) => readUsage(model) ?? [])
  return usages.length === 0 ? undefined : usages.reduce(addUsage)
}
