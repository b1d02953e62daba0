import { serviceOf, type ToolKind, toolKindOf } from '../../canonical/charged-tools.ts'
import { containerKind } from '../../costs/hosted-tools.ts'
import { RunCounter, runKindOf } from '../../costs/tool-runs.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { reportedRuns } from '../../openai-chat/response/usage.ts'
import {
  countOf as count,
  type OtherCosts,
  promptTokensOf,
  splitPrompt,
  type Usage,
  usageOf,
  usageWithoutModel,
  withCosts,
  withRuns,
} from '../../usage.ts'

/** The usage of a finished response, with what is charged beside its tokens; `undefined` when it cannot be charged. */
export function usageOfResponse(response: JsonObject): Usage | undefined {
  const { usage: raw, output } = response
  const usage = readUsage(raw) ?? (isContinuation(response) ? usageWithoutModel : undefined)
  if (usage === undefined) return undefined
  const runs = Math.max(runItemsOf(output).length, count(objectOf(raw).num_server_side_tools_used) ?? 0)
  return withCosts(withRuns(usage, runs), costsOf(response))
}

/** Returns what a finished response says of costs beside its tokens: its own count of tools is believed, else its items are counted. */
export function costsOf(response: JsonObject): OtherCosts {
  const usage = objectOf(response.usage)
  const reported = reportedRuns(usage)
  const runs = reported.count > 0 ? reported : runsInItems(response, count(usage.num_server_side_tools_used))
  return { ...runs.read(), service: serviceOf({ tier: response.service_tier }) }
}

/**
 * Counts the charged runs in the items: a search is charged, looking into its results is not; code is charged by the container. A
 * vendor that counts its runs charges each of them: no more of them than it counts, and the rest of its count where the items do not
 * show it. https://developers.openai.com/api/docs/pricing, https://docs.x.ai/developers/pricing
 */
function runsInItems({ output, tools }: JsonObject, counted: number | undefined): RunCounter {
  const runs = new RunCounter()
  const containers = new Set<string>()
  for (const item of runItemsOf(output).slice(0, counted)) {
    const isRepeated = item.type === 'code_interpreter_call' && isKnown(containers, item)
    const kind = counted === undefined && isRepeated ? 'free' : kindOf(item, tools, counted !== undefined)
    runs.add(kind, textOf(item.type))
  }
  if (counted !== undefined && counted > runs.count)
    runs.add('server_side_tool', 'server_side_tool', counted - runs.count)
  return runs
}

/** Calls that the caller carries out: they end a loop. */
const callersItems: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'computer_call',
  'apply_patch_call',
])

/** The items of an output that are runs of the vendor's tools, whatever these are. */
function runItemsOf(output: unknown): readonly JsonObject[] {
  return listOf(output).map(objectOf).filter(isRun)
}

function isRun({ type, environment, execution }: JsonObject): boolean {
  const name = textOf(type)
  if (!name.endsWith('_call') || callersItems.has(name) || execution === 'client') return false
  // A shell runs at the caller's, but for one in a container of the vendor's.
  const position = objectOf(environment).type ?? (name === 'shell_call' ? 'local' : undefined)
  return position !== 'local'
}

/** Returns whether the container of a run has been counted; it is from now on. */
function isKnown(containers: Set<string>, { container_id }: JsonObject): boolean {
  const known = containers.has(textOf(container_id))
  containers.add(textOf(container_id))
  return known
}

/**
 * The charged tool that an item of the output has run; `undefined` for other items.
 * @param tools those of the response: an item does not say which search it was
 */
export function toolThatRan(item: JsonObject, tools: unknown): ToolKind | undefined {
  const kind = isRun(item) ? kindOf(item, tools, false) : undefined
  return kind === 'free' ? undefined : kind
}

/** @param isEachCharged whatever a run of a search did */
function kindOf(
  { type, action, status }: JsonObject,
  tools: unknown,
  isEachCharged: boolean,
): ToolKind | 'free' | undefined {
  if (type === 'web_search_call')
    return isEachCharged || (objectOf(action).type ?? 'search') === 'search' ? searchKind(tools) : 'free'
  if (type === 'code_interpreter_call') return containerOf(tools)
  return runKindOf(textOf(type)) ?? (status === 'failed' ? 'free' : undefined)
}

/**
 * Recognises a response that only continues a program which the model wrote before: the results of its calls go into it, and its next
 * calls or its output come out. No model runs, and the usage of 0 is right. No model is asked, and the usage of 0 is right.
 * https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling (2026-11-28)
 */
function isContinuation({ usage, output }: JsonObject): boolean {
  const { input_tokens, output_tokens } = objectOf(usage)
  const items = listOf(output).map(objectOf)
  return input_tokens === 0 && output_tokens === 0 && items.length > 0 && items.every(isOfProgram)
}

function isOfProgram({ type, caller }: JsonObject): boolean {
  return type === 'program_output' || objectOf(caller).type === 'program'
}

/** Returns the kind of a container, of whose memory an item has no size. */
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
  const cached = count(inputs.cached_tokens) ?? 0
  const written = count(inputs.cache_write_tokens) ?? 0
  const total = count(raw.total_tokens)
  return usageOf({
    ...splitPrompt({ prompt: input, cached, written, output, total }),
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
