import {
  type FormatName,
  geminiTraits,
  type JsonEdits,
  type JsonObject,
  listOf,
  objectOf,
  type RequestText,
} from '@tollgate/formats'
import { mergeEdits, noEdits } from '../edits/json-edits.ts'
import type { GeminiOptions, ModelOptions, ModelVariant } from '../models/model-options.ts'
import type { PlainFormat } from '../provider.ts'
import { claudeVariant } from './claude.ts'

const searchName = /^(.*gemini.*)-search$/
const offName = /^(.*gemini.*)-nothinking$/
const budgetName = /^(.*gemini.*)-thinking-(\d{1,6})$/
const thinkingName = /^(.*gemini.*)-thinking$/
const effortName = /^(.*gemini.*)-(none|minimal|low|medium|high|xhigh)$/

/** Thinking that a model's name requests. */
type Thinking =
  | { readonly type: 'off' | 'share' }
  | { readonly type: 'budget'; readonly tokens: number }
  | { readonly type: 'effort'; readonly effort: keyof typeof budgetShares }

/** Shares of the largest budget that the efforts stand for, where a model knows budgets alone. */
const budgetShares = { none: 0, minimal: 0.05, low: 0.2, medium: 0.5, high: 0.8, xhigh: 1 } as const
/** Levels of Gemini 3, which cannot be switched off. */
const levels = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
} as const

/** Name endings by which gateways request reasoning, and Google's search. */
function geminiVariant(name: string, options: GeminiOptions): ModelVariant | undefined {
  const searched = searchName.exec(name)?.[1]
  const { model, thinking } = thinkingOf(searched ?? name, options)
  if (model === name) return undefined
  return {
    model,
    edits: (request) =>
      mergeEdits(
        thinking === undefined ? noEdits : thinkingEdits(request, model, thinking, options.budgetShare),
        searched === undefined ? noEdits : searchEdits(request, model),
      ),
  }
}

function thinkingOf(
  name: string,
  { thinkingSuffix }: GeminiOptions,
): { readonly model: string; readonly thinking?: Thinking } {
  if (!thinkingSuffix) return { model: name }
  const off = offName.exec(name)
  if (off !== null) return { model: off[1] ?? name, thinking: { type: 'off' } }
  const budget = budgetName.exec(name)
  if (budget !== null)
    return { model: budget[1] ?? name, thinking: { type: 'budget', tokens: Number(budget[2]) } }
  const share = thinkingName.exec(name)
  if (share !== null) return { model: share[1] ?? name, thinking: { type: 'share' } }
  const [, model, effort] = effortName.exec(name) ?? []
  if (model === undefined || effort === undefined) return { model: name }
  // The expression names no other.
  return { model, thinking: { type: 'effort', effort: effort as keyof typeof budgetShares } }
}

/** Keeps a caller's own thinking options; models before 2.5 refuse any. */
function thinkingEdits({ body }: RequestText, model: string, thinking: Thinking, share: number): JsonEdits {
  const key = spelled(body, 'generationConfig', 'generation_config')
  const config = objectOf(body[key])
  const thinkingKey = spelled(config, 'thinkingConfig', 'thinking_config')
  const stated = objectOf(config[thinkingKey])
  const traits = geminiTraits(model)
  if (saysHow(stated) || traits.thinking === 'none') return noEdits
  const limit = Number(config[spelled(config, 'maxOutputTokens', 'max_output_tokens')]) || undefined
  const wanted =
    traits.thinking === 'level'
      ? levelFields(thinking, traits)
      : { thinkingBudget: budgetOf(thinking, rangeOf(traits), limit, share) }
  const shows = thinking.type === 'share' || thinking.type === 'budget' ? { includeThoughts: true } : {}
  return new Map([[key, JSON.stringify({ ...config, [thinkingKey]: { ...shows, ...wanted, ...stated } })]])
}

function saysHow(thinking: JsonObject): boolean {
  const names = ['thinkingBudget', 'thinking_budget', 'thinkingLevel', 'thinking_level']
  return names.some((name) => thinking[name] != null)
}

type Traits = ReturnType<typeof geminiTraits>

/** Least budget that thinks at all, the largest one, and whether thinking can be switched off. */
function rangeOf({ isPro, isLite }: Traits) {
  if (isPro) return { min: 128, max: 32_768, canBeOff: false }
  return { min: isLite ? 512 : 0, max: 24_576, canBeOff: true }
}

/** -1 lets the model decide, when the request has no limit to take a share of. */
function budgetOf(
  thinking: Thinking,
  { min, max, canBeOff }: ReturnType<typeof rangeOf>,
  limit: number | undefined,
  share: number,
): number {
  const clamped = (tokens: number) =>
    tokens === 0 && canBeOff ? 0 : Math.min(Math.max(Math.trunc(tokens), min), max)
  switch (thinking.type) {
    case 'off':
      return clamped(0)
    case 'share':
      return limit === undefined ? -1 : clamped(limit * share)
    case 'budget':
      return clamped(thinking.tokens)
    case 'effort':
      return clamped(max * budgetShares[thinking.effort])
  }
}

/** Writes a level, which models take from Gemini 3 on; without one the model chooses its own. */
function levelFields(thinking: Thinking, { isPro }: Traits): JsonObject {
  const level = levelOf(thinking)
  if (level === undefined) return {}
  return { thinkingLevel: level === 'minimal' && isPro ? 'low' : level }
}

function levelOf(thinking: Thinking): (typeof levels)[keyof typeof levels] | undefined {
  switch (thinking.type) {
    case 'off':
      return 'minimal'
    case 'share':
      return undefined
    case 'budget':
      if (thinking.tokens < 1024) return 'minimal'
      if (thinking.tokens < 4096) return 'low'
      return thinking.tokens < 16_384 ? 'medium' : 'high'
    case 'effort':
      return levels[thinking.effort]
  }
}

/** Before Gemini 3 search and the caller's own tools exclude each other: the caller's stay. */
function searchEdits({ body }: RequestText, model: string): JsonEdits {
  const tools = listOf(body.tools)
  const hasSearch = tools.some(
    (tool) => 'googleSearch' in objectOf(tool) || 'google_search' in objectOf(tool),
  )
  const excludes = tools.length > 0 && geminiTraits(model).generation < 3
  if (hasSearch || excludes) return noEdits
  return new Map([['tools', JSON.stringify([...tools, { googleSearch: {} }])]])
}

/** The name that the caller wrote, of the two that the service takes. */
function spelled(holder: JsonObject, name: string, other: string): string {
  return Object.hasOwn(holder, other) && !Object.hasOwn(holder, name) ? other : name
}

/**
 * The options that the end of a model's name requests, at any host; `undefined` for a name that is the model's own.
 * Efforts of OpenAI's models are quirks of the few that serve them: others have models of such names.
 */
export function modelVariant(
  format: FormatName | PlainFormat,
  name: string,
  options: ModelOptions,
): ModelVariant | undefined {
  if (format === 'anthropic-messages') return claudeVariant(name, options.claude)
  return format === 'gemini' ? geminiVariant(name, options.gemini) : undefined
}
