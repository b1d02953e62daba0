import { serviceOf, type ToolCalls, toolCallsOf } from '../../canonical/charged-tools.ts'
import { RunCounter } from '../../costs/tool-runs.ts'
import { camelCase } from '../../json/camel-case.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { countOf, promptTokensOf, type Usage, usageOf, withCosts } from '../../usage.ts'
import { member } from '../fields.ts'

/** Sources that a response was grounded in, as far as it has been read. */
export interface Grounding {
  readonly queries: ReadonlySet<string>
  readonly positions: boolean
  /** Queries of searches that have no price here, by the member that lists them. */
  readonly others: ReadonlyMap<string, number>
}

export const noGrounding: Grounding = { queries: new Set(), positions: false, others: new Map() }

/** Completes the same counts by another chunk or a buffered response. */
export function groundingIn(before: Grounding, body: JsonObject): Grounding {
  return listOf(body.candidates).reduce<Grounding>((known, candidate) => {
    const metadata = objectOf(member(objectOf(candidate), 'groundingMetadata'))
    const queries = ['webSearchQueries', 'imageSearchQueries'].flatMap((name) =>
      listOf(member(metadata, name)).map(textOf).filter(Boolean),
    )
    const chunks = listOf(member(metadata, 'groundingChunks')).map(objectOf)
    const others = otherQueries(metadata)
    if (queries.length + chunks.length + others.length === 0) return known
    return {
      queries: new Set([...known.queries, ...queries]),
      positions: known.positions || chunks.some(({ maps }) => maps !== undefined),
      others: new Map([...known.others, ...others]),
    }
  }, before)
}

const knownQueries: ReadonlySet<string> = new Set(['webSearchQueries', 'imageSearchQueries'])

function otherQueries(metadata: JsonObject): readonly (readonly [string, number])[] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    const name = camelCase(key)
    const isOther = name.endsWith('Queries') && !knownQueries.has(name) && listOf(value).length > 0
    return isOther ? [[name, listOf(value).length] as const] : []
  })
}

/** Models before the third charge by the grounded prompt, those since by the query. */
const byPrompt = /gemini-[12]\b/

/**
 * The usage with what is charged beside its tokens.
 * https://ai.google.dev/gemini-api/docs/pricing
 */
export function withGrounding(usage: Usage, grounding: Grounding, body: JsonObject, model: string): Usage {
  const metadata = objectOf(member(body, 'usageMetadata'))
  const tier =
    member(body, 'serviceTier') ?? member(metadata, 'serviceTier') ?? member(metadata, 'trafficType')
  const others = new RunCounter()
  for (const [name, times] of grounding.others) others.add(undefined, name, times)
  const { otherTools } = others.read()
  return withCosts(usage, {
    toolCalls: callsOf(grounding, model),
    otherTools,
    service: serviceOf({ tier }),
  })
}

function callsOf({ queries, positions }: Grounding, model: string): ToolCalls | undefined {
  if (queries.size === 0 && !positions) return undefined
  const searches = byPrompt.test(model) ? Math.min(1, queries.size) : queries.size
  return toolCallsOf({ google_search: searches, google_maps: positions ? 1 : 0 })
}

/**
 * Reads `usageMetadata`. Gemini counts cached tokens inside `promptTokenCount`, we count them apart; Gemini counts reasoning
 * outside of `candidatesTokenCount`, we count it as output; tokens of tool results (`toolUsePromptTokenCount`) are input.
 * `undefined` when the counts cannot be charged: missing, zero, negative, fractional or absurd.
 */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const prompt = countIn(raw, 'promptTokenCount')
  const response = countIn(raw, 'candidatesTokenCount', 'responseTokenCount')
  if (prompt === undefined || prompt === 0 || response === undefined) return undefined
  const tools = countIn(raw, 'toolUsePromptTokenCount') ?? 0
  const cached = Math.min(prompt, countIn(raw, 'cachedContentTokenCount') ?? 0)
  const reasoning = countIn(raw, 'thoughtsTokenCount') ?? 0
  const inputs = modalities(raw, 'promptTokensDetails', 'toolUsePromptTokensDetails')
  const cachedInputs = modalities(raw, 'cacheTokensDetails')
  const outputs = modalities(raw, 'candidatesTokensDetails', 'responseTokensDetails')
  const inputOf = (modality: string) =>
    Math.max(0, (inputs.get(modality) ?? 0) - (cachedInputs.get(modality) ?? 0))
  return usageOf({
    inputTokens: prompt - cached + tools,
    cacheReadTokens: cached,
    outputTokens: response + (holdsReasoning(raw, prompt + tools + response, reasoning) ? 0 : reasoning),
    audioInputTokens: inputOf('AUDIO'),
    imageInputTokens: inputOf('IMAGE'),
    audioOutputTokens: outputs.get('AUDIO') ?? 0,
    imageOutputTokens: outputs.get('IMAGE') ?? 0,
    reasoningTokens: reasoning,
    // What tools brought in is the prompt of further rounds, whose sizes are not told.
    ...(tools > 0 && { maxRoundPromptTokens: prompt }),
  })
}

/**
 * Recognises counts of gateways that hold reasoning inside `candidatesTokenCount`, as OpenAI's do. The total shows it: it is the sum
 * without the reasoning.
 */
function holdsReasoning(raw: JsonObject, sum: number, reasoning: number): boolean {
  return (
    reasoning > 0 &&
    countIn(raw, 'totalTokenCount') === sum &&
    reasoning <= (countIn(raw, 'candidatesTokenCount') ?? 0)
  )
}

/** `usageMetadata` as callers of this format read it. Cache writes, which the format does not know, are prompt. */
export function encodeUsage(usage: Usage): Readonly<Record<string, unknown>> {
  const prompt = promptTokensOf(usage)
  const reasoning = usage.reasoningTokens
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: usage.outputTokens - reasoning,
    totalTokenCount: prompt + usage.outputTokens,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    ...(usage.cacheReadTokens > 0 && { cachedContentTokenCount: usage.cacheReadTokens }),
    ...detailsMember('promptTokensDetails', prompt, usage.audioInputTokens, usage.imageInputTokens),
    ...detailsMember(
      'candidatesTokensDetails',
      usage.outputTokens - reasoning,
      usage.audioOutputTokens,
      usage.imageOutputTokens,
    ),
  }
}

/** Present only where the tokens are not all text. */
function detailsMember(
  name: string,
  total: number,
  audio: number,
  image: number,
): Readonly<Record<string, unknown>> {
  if (audio + image === 0) return {}
  const counts = [
    ['TEXT', Math.max(0, total - audio - image)],
    ['AUDIO', audio],
    ['IMAGE', image],
  ] as const
  return {
    [name]: counts
      .filter(([, count]) => count > 0)
      .map(([modality, tokenCount]) => ({ modality, tokenCount })),
  }
}

/** 0 when absent: Gemini leaves out zeros. `undefined` for an invalid count. */
function countIn(raw: JsonObject, name: string, otherName = name): number | undefined {
  return countOf(member(raw, name) ?? member(raw, otherName) ?? 0)
}

function modalities(raw: JsonObject, ...names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of names.flatMap((name) => listOf(member(raw, name)))) {
    const detail = objectOf(item)
    const modality = textOf(detail.modality)
    counts.set(modality, (counts.get(modality) ?? 0) + (countOf(member(detail, 'tokenCount')) ?? 0))
  }
  return counts
}
