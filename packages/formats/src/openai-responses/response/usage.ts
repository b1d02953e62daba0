import {
  serviceOf,
  type ToolCalls,
  type ToolKind,
  toolCallsOf,
  toolKindOf,
} from '../../costs/charged-tools.ts'
import { containerKind } from '../../costs/hosted-tools.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { reportedTools } from '../../openai-chat/response/usage.ts'
import { countOf as count, type OtherCosts, promptTokensOf, type Usage, usageOf } from '../../usage.ts'

/** What a finished response says of costs beside its tokens: who counts its tools is believed, else its items are counted. */
export function costsOf(response: JsonObject): OtherCosts {
  const toolCalls = reportedTools(objectOf(response.usage)) ?? toolsInItems(response)
  return { toolCalls, service: serviceOf({ tier: response.service_tier }) }
}

/**
 * A search is charged, looking into what it found is not; code is charged by the container.
 * https://developers.openai.com/api/docs/pricing
 */
function toolsInItems({ output, tools }: JsonObject): ToolCalls | undefined {
  const counts: Partial<Record<ToolKind, number>> = {}
  const containers = new Set<string>()
  for (const item of listOf(output).map(objectOf)) {
    const kind = toolThatRan(item, tools)
    if (kind === undefined || (item.type === 'code_interpreter_call' && isKnown(containers, item))) continue
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return toolCallsOf(counts)
}

/** Whether the container of a run has been counted; it is from now on. */
function isKnown(containers: Set<string>, { container_id }: JsonObject): boolean {
  const known = containers.has(textOf(container_id))
  containers.add(textOf(container_id))
  return known
}

/**
 * The charged tool that an item of the output has run; `undefined` for other items.
 * @param tools those of the response: an item does not say which search it was
 */
export function toolThatRan({ type, action }: JsonObject, tools: unknown): ToolKind | undefined {
  switch (type) {
    case 'web_search_call':
      return (objectOf(action).type ?? 'search') === 'search' ? searchKind(tools) : undefined
    case 'file_search_call':
      return 'file_search'
    case 'image_generation_call':
      return 'image_generation'
    case 'code_interpreter_call':
      return containerOf(tools)
    default:
      return undefined
  }
}

/** An item does not say how much memory its container has. */
function containerOf(tools: unknown): ToolKind {
  const tool = listOf(tools)
    .map(objectOf)
    .find(({ type }) => type === 'code_interpreter')
  return (tool && toolKindOf(containerKind(tool))) ?? 'code_interpreter'
}

function searchKind(tools: unknown): ToolKind {
  const isPreview = listOf(tools).some((tool) => textOf(objectOf(tool).type).startsWith('web_search_preview'))
  return isPreview ? 'web_search_preview' : 'web_search'
}

/** Cached tokens are inside `input_tokens`, reasoning inside `output_tokens`. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const input = count(raw.input_tokens)
  const output = count(raw.output_tokens ?? 0)
  // A prompt has at least one token: 0 means that the upstream did not count.
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

/** Usage as callers of this format read it. */
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
