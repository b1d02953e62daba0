import { geminiBudgets, isObject, type JsonObject, numberOf, objectOf, textOf } from '@tollgate/formats'
import type { Draft, Step } from './draft.ts'
import { isEffort, nearestEffort } from './efforts.ts'
import type { BudgetRange, ReasoningRules } from './target-profile.ts'

/**
 * Fits Google's `thinkingConfig` to its model: a level where it knows levels, a budget within its range where it knows those, neither
 * where it does not think. Google takes names in both spellings, and so do its callers.
 */
export function geminiThinkingStep(rules: ReasoningRules): Step | undefined {
  const fitStated = fitterOf(rules)
  if (fitStated === undefined) return undefined
  return (draft) => {
    const found = findThinking(draft)
    if (found === undefined) return
    const fitted = fitStated(found.stated)
    if (fitted !== undefined) write(draft, found, fitted)
  }
}

/** Thinking that a call states. */
interface Stated {
  readonly level: unknown
  readonly budget: unknown
}

/** Members that replace it; an absent member is removed. */
interface Fitted {
  readonly level?: string
  readonly budget?: number
  /** The whole of it goes. */
  readonly isNothing?: true
  /** Members that do not go out as they were written. */
  readonly lost: readonly Member[]
}

type Member = 'level' | 'budget'
type Fit = (stated: Stated) => Fitted | undefined

function fitterOf(rules: ReasoningRules): Fit | undefined {
  const { efforts, budgets } = rules
  if (rules.switch === 'never') return (stated) => withoutAny(stated)
  if (efforts.length > 0) return (stated) => inLevels(stated, rules)
  return budgets === undefined ? undefined : (stated) => inBudgets(stated, budgets)
}

/** A model that does not think refuses to be told how. A budget of 0 is what it does anyway. */
function withoutAny({ level, budget }: Stated): Fitted {
  const isOff = level === undefined && (budget === undefined || budget === 0)
  const lost = level === undefined ? 'budget' : 'level'
  return { isNothing: true, lost: isOff ? [] : [lost] }
}

/**
 * Fits thinking to levels. A level and a budget together are refused; a budget alone passes for the sake of older callers, except one
 * of 0.
 */
function inLevels({ level, budget }: Stated, { efforts, budgets }: ReasoningRules): Fitted | undefined {
  const wanted = textOf(level).toLowerCase() // Google writes its levels in capitals, too.
  const tokens = numberOf(budget)
  if (level !== undefined) {
    const nearest = isEffort(wanted) ? nearestEffort(wanted, efforts) : undefined
    const isStored = nearest === undefined || nearest === wanted
    if (isStored && budget === undefined) return undefined
    return { level: isStored ? textOf(level) : nearest, lost: budget === undefined ? [] : ['budget'] }
  }
  const [lowest] = efforts
  if (tokens === 0 && lowest !== undefined) return { level: lowest, lost: ['budget'] }
  return tokens === undefined || budgets === undefined ? undefined : inRange(tokens, budgets)
}

/** A level becomes the budget that translated calls of this effort get. */
function inBudgets({ level, budget }: Stated, range: BudgetRange): Fitted | undefined {
  const tokens = numberOf(budget)
  if (level === undefined) return tokens === undefined ? undefined : inRange(tokens, range)
  const wanted = textOf(level).toLowerCase()
  const ofLevel = isEffort(wanted) && wanted !== 'default' ? geminiBudgets[wanted] : -1
  return { budget: bounded(tokens ?? ofLevel, range), lost: ['level'] }
}

function inRange(tokens: number, range: BudgetRange): Fitted | undefined {
  const budget = bounded(tokens, range)
  return budget === tokens ? undefined : { budget, lost: ['budget'] }
}

/** -1 leaves it to the model. */
function bounded(tokens: number, { min, max, canBeOff }: BudgetRange): number {
  if (tokens < 0) return -1
  return tokens === 0 && canBeOff ? 0 : Math.min(Math.max(Math.trunc(tokens), min), max)
}

interface Found {
  readonly stated: Stated
  /** Names of the caller, of the outer and the inner object and their members. */
  readonly outer: string
  readonly inner: string
  readonly config: JsonObject
  readonly thinking: JsonObject
}

function findThinking(draft: Draft): Found | undefined {
  const outer = ['generationConfig', 'generation_config'].find((name) => isObject(draft.get(name)))
  if (outer === undefined) return undefined
  const config = objectOf(draft.get(outer))
  const inner = ['thinkingConfig', 'thinking_config'].find((name) => isObject(config[name]))
  if (inner === undefined) return undefined
  const thinking = objectOf(config[inner])
  const level = memberOf(thinking, 'level')
  const budget = memberOf(thinking, 'budget')
  return { stated: { level, budget }, outer, inner, config, thinking }
}

const spellings: Readonly<Record<Member, readonly [string, string]>> = {
  level: ['thinkingLevel', 'thinking_level'],
  budget: ['thinkingBudget', 'thinking_budget'],
}

function nameIn(thinking: JsonObject, member: Member): string {
  const [name, other] = spellings[member]
  return thinking[name] == null && thinking[other] != null ? other : name
}

function memberOf(thinking: JsonObject, member: Member): unknown {
  return thinking[nameIn(thinking, member)] ?? undefined
}

function write(
  draft: Draft,
  { outer, inner, config, thinking }: Found,
  { level, budget, lost, isNothing }: Fitted,
): void {
  for (const member of lost) draft.lose(`${outer}.${inner}.${nameIn(thinking, member)}`)
  const { [inner]: _former, ...others } = config
  if (isNothing) {
    draft.set(outer, others)
    return
  }
  const all = [...spellings.level, ...spellings.budget]
  const display = Object.fromEntries(Object.entries(thinking).filter(([name]) => !all.includes(name)))
  const fitted = {
    ...display,
    ...(level !== undefined && { [nameIn(thinking, 'level')]: level }),
    ...(budget !== undefined && { [nameIn(thinking, 'budget')]: budget }),
  }
  draft.set(outer, { ...config, [inner]: fitted })
}
