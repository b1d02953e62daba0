import { type Service, serviceOf } from '../../canonical/charged-tools.ts'
import { RunCounter, runKindOf } from '../../costs/tool-runs.ts'
import { withoutText } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { addUsage, countOf, promptTokensOf, type Usage, usageOf, withCosts, withRuns } from '../../usage.ts'

/**
 * Turns Anthropic's counts into ours: `input_tokens` leaves cache reads and writes out there, too. `undefined` when nothing
 * can be charged by them.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 * @param ran the tools of the message's blocks, for those that its usage does not count
 */
export function readUsage(raw: unknown, ran: RanTools = noTools): Usage | undefined {
  if (!isObject(raw)) return undefined
  const iterations = listOf(raw.iterations).map(objectOf)
  const compactions = iterations.filter(({ type }) => type === 'compaction')
  // The figures at the top leave out what the summary of a long conversation cost.
  // https://platform.claude.com/docs/en/build-with-claude/compaction
  const usage = [raw, ...compactions].map((counts) => usageOf(countsOf(counts))).reduce(addUsage)
  // A prompt has at least one token: 0 means that the upstream did not count.
  if (promptTokensOf(usage) === 0) return undefined
  const runs = runsOf(raw, ran)
  const prompts = iterations.map((counts) => promptTokensOf(usageOf(countsOf(counts))))
  for (const { type } of iterations) if (!knownIterations.has(textOf(type))) runs.add(undefined, textOf(type))
  return withCosts(withPrompts(usage, prompts, runs.count), { ...runs.read(), service: servedAs(raw) })
}

/** Others, as those of an advisor, are of another model, which is charged by its own price. */
const knownIterations: ReadonlySet<string> = new Set(['', 'message', 'compaction'])

/** @param prompts the size of each, where the usage tells them */
function withPrompts(usage: Usage, prompts: readonly number[], runs: number): Usage {
  const maxLength = Math.max(0, ...prompts)
  if (maxLength === 0) return usage.maxRoundPromptTokens === undefined ? withRuns(usage, runs) : usage
  return maxLength < promptTokensOf(usage) ? { ...usage, maxRoundPromptTokens: maxLength } : usage
}

/**
 * Searches, runs of code, and how the message was made. Fetched pages cost their tokens alone. The usage counts searches;
 * runs of code appear in the blocks alone since `code_execution_20250825`.
 * https://platform.claude.com/docs/en/about-claude/pricing
 */
function runsOf(raw: JsonObject, ran: RanTools): RunCounter {
  const counted = objectOf(raw.server_tool_use)
  const runs = new RunCounter()
  runs.addCounts(counted)
  for (const [name, times] of ran)
    if (!(`${name}_requests` in counted)) runs.add(runKindOf(name), name, times)
  return runs
}

function servedAs(raw: JsonObject): Service | undefined {
  return serviceOf({ tier: raw.service_tier, speed: raw.speed, geo: raw.inference_geo })
}

/** Number of times that the blocks of a message ran each of the vendor's tools, by its name in the usage. */
export type RanTools = ReadonlyMap<string, number>

const noTools: RanTools = new Map()

/** The vendor's own tool that a block has run; empty for every other block. Code runs as `bash_code_execution`, too. */
export function toolThatRan({ type, name }: JsonObject): string {
  return type === 'server_tool_use' ? textOf(name).replace(/^(bash|text_editor)_/, '') : ''
}

/** The same of those that ran before, and of a block. */
export function addRun(ran: RanTools, block: JsonObject): RanTools {
  const name = toolThatRan(block)
  return name === '' ? ran : new Map(ran).set(name, (ran.get(name) ?? 0) + 1)
}

/**
 * Merges the counts of a stream so far: those of `message_start`, each replaced by the latest figure. They are cumulative. An input of
 * 0 at the end means nothing: some upstreams leave it out there.
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

/** Null for a value that the upstream did not name, or that has no name in this format: it requires these members. */
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
  const known = oneHour + (countOf(split.ephemeral_5m_input_tokens) ?? 0)
  // The end of a stream repeats the total without the split. A loop over the vendor's tools writes more than the split says: as
  // its first prompt did.
  const written = countOf(raw.cache_creation_input_tokens) ?? known
  const forAnHour = written > known ? Math.round((written * oneHour) / Math.max(known, 1)) : oneHour
  return {
    inputTokens: countOf(raw.input_tokens) ?? 0,
    cacheReadTokens: countOf(raw.cache_read_input_tokens) ?? 0,
    cacheWriteTokens: written - Math.min(forAnHour, written),
    cacheWrite1hTokens: Math.min(forAnHour, written),
    outputTokens: countOf(raw.output_tokens) ?? 0,
    reasoningTokens: countOf(objectOf(raw.output_tokens_details).thinking_tokens) ?? 0,
  }
}
