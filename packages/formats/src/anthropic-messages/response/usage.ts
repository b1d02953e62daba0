import {
  addToolCalls,
  serviceOf,
  type ToolCalls,
  type ToolKind,
  toolCallsOf,
  toolKindOf,
} from '../../costs/charged-tools.ts'
import { withoutText } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import {
  addUsage,
  countOf,
  type OtherCosts,
  promptTokensOf,
  type Usage,
  usageOf,
  withCosts,
} from '../../usage.ts'

/**
 * Turns Anthropic's counts into ours: `input_tokens` leaves cache reads and writes out there, too. `undefined` when nothing
 * can be charged by them.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 * @param ran the tools of the message's blocks, for those that its usage does not count
 */
export function readUsage(raw: unknown, ran?: ToolCalls): Usage | undefined {
  if (!isObject(raw)) return undefined
  const compactions = listOf(raw.iterations)
    .map(objectOf)
    .filter(({ type }) => type === 'compaction')
  // The figures at the top leave out what the summary of a long conversation cost.
  // https://platform.claude.com/docs/en/build-with-claude/compaction
  const usage = [raw, ...compactions].map((counts) => usageOf(countsOf(counts))).reduce(addUsage)
  // A prompt has at least one token: 0 means that the upstream did not count.
  return promptTokensOf(usage) === 0 ? undefined : withCosts(usage, costsOf(raw, ran))
}

/**
 * Searches, runs of code, and how the message was made. Fetched pages cost their tokens alone. The usage counts searches;
 * runs of code appear in the blocks alone since `code_execution_20250825`.
 * https://platform.claude.com/docs/en/about-claude/pricing
 */
function costsOf(raw: JsonObject, ran: ToolCalls = {}): OtherCosts {
  const { web_search_requests, code_execution_requests } = objectOf(raw.server_tool_use)
  return {
    toolCalls: toolCallsOf({
      web_search: web_search_requests ?? ran.web_search,
      code_execution: code_execution_requests ?? ran.code_execution,
    }),
    service: serviceOf({ tier: raw.service_tier, speed: raw.speed, geo: raw.inference_geo }),
  }
}

/** The vendor's own tool that a block has run; `undefined` for every other block. Code runs as `bash_code_execution`, too. */
export function toolThatRan({ type, name }: JsonObject): ToolKind | undefined {
  return type === 'server_tool_use' ? toolKindOf(textOf(name).replace(/^(bash|text_editor)_/, '')) : undefined
}

/** The tools that the blocks of a message have run. */
export function toolsThatRan(blocks: readonly JsonObject[]): ToolCalls | undefined {
  return blocks.reduce<ToolCalls | undefined>((sum, block) => {
    const kind = toolThatRan(block)
    return kind === undefined ? sum : addToolCalls(sum, { [kind]: 1 })
  }, undefined)
}

/**
 * The counts of a stream so far: those of `message_start`, each replaced by the latest figure. They are cumulative. An
 * input of 0 at the end says nothing: some upstreams leave it out there.
 */
export function mergeUsage(before: JsonObject, latest: unknown): JsonObject {
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(objectOf(latest))) {
    const says =
      name === 'output_tokens' ? countOf(value) !== undefined : isObject(value) || Boolean(withoutText(value))
    if (says) merged[name] = value
  }
  return merged
}

/** Usage as callers of this format read it. */
export function encodeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
    server_tool_use: encodeTools(usage),
    ...encodeService(usage),
  }
}

/** Searches of the web by any name; no other vendor counts the pages that it fetches. */
function encodeTools({ toolCalls = {} }: Usage): JsonObject | null {
  const { web_search = 0, web_search_preview = 0, google_search = 0 } = toolCalls
  const searches = web_search + web_search_preview + google_search
  return searches === 0 ? null : { web_search_requests: searches, web_fetch_requests: 0 }
}

const tiers: ReadonlySet<string> = new Set(['standard', 'priority', 'batch'])

/** Null for a value that the upstream did not name, or that has no name in this format. */
function encodeService({ service: { tier, speed, geo } = {} }: Usage): JsonObject {
  return {
    service_tier: tier !== undefined && tiers.has(tier) ? tier : null,
    speed: speed ?? null,
    inference_geo: geo === 'standard' ? 'global' : (geo ?? null),
  }
}

type Counts = Pick<
  Usage,
  | 'inputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'cacheWrite1hTokens'
  | 'outputTokens'
  | 'reasoningTokens'
>

function countsOf(raw: JsonObject): Counts {
  const split = objectOf(raw.cache_creation)
  const oneHour = countOf(split.ephemeral_1h_input_tokens) ?? 0
  const fiveMinutes = countOf(split.ephemeral_5m_input_tokens) ?? 0
  // The total is the later figure: the end of a stream repeats it without the split.
  const written = countOf(raw.cache_creation_input_tokens) ?? oneHour + fiveMinutes
  return {
    inputTokens: countOf(raw.input_tokens) ?? 0,
    cacheReadTokens: countOf(raw.cache_read_input_tokens) ?? 0,
    cacheWriteTokens: written - Math.min(oneHour, written),
    cacheWrite1hTokens: Math.min(oneHour, written),
    outputTokens: countOf(raw.output_tokens) ?? 0,
    reasoningTokens: countOf(objectOf(raw.output_tokens_details).thinking_tokens) ?? 0,
  }
}
