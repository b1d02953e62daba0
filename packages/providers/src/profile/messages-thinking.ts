import {
  effortOfBudget,
  type JsonObject,
  minThinkingBudget,
  numberOf,
  objectOf,
  textOf,
  thinkingBudgets,
} from '@tollgate/formats'
import { callsWithoutReasoning, forcesTool } from '../edits/tool-turns.ts'
import type { Draft, Step } from './draft.ts'
import { inOutputConfig } from './effort-places.ts'
import { isBeyond, isEffort, nearestEffort } from './efforts.ts'
import type { Effort, ReasoningRules, ThinkingType } from './target-profile.ts'

/** Rules of a model of which it is known how Anthropic's format asks it to think. */
type MessagesRules = ReasoningRules & Required<Pick<ReasoningRules, 'types'>>

/**
 * Fits `thinking` and the effort of a body in Anthropic's format to what its model takes: a budget becomes adaptive thinking and the
 * other way round, off stays off or becomes the least that there is. Types that are newer than the table pass.
 */
export function messagesThinkingStep(rules: MessagesRules): Step {
  return (draft) => {
    const wanted = typeIn(draft)
    const isTaken = rules.types.some((type) => type === wanted)
    if (wanted !== '' && !isTaken && isKnown(wanted)) replacements[wanted](draft, rules)
    fitEffort(draft, rules)
    draft.thinks = thinks(typeIn(draft), rules)
  }
}

function typeIn(draft: Draft): string {
  return textOf(objectOf(draft.get('thinking')).type)
}

function thinks(type: string, { unasked }: MessagesRules): boolean {
  return type === '' ? unasked === 'thinks' : type !== 'disabled'
}

type Replace = (draft: Draft, rules: MessagesRules) => void

/** Replacements of a type that the model does not take. */
const replacements: Readonly<Record<ThinkingType, Replace>> = {
  enabled: (draft, rules) => (takes(rules, 'adaptive') ? toAdaptive(draft) : draft.drop('thinking')),
  adaptive: (draft, rules) => (takes(rules, 'enabled') ? toBudget(draft) : draft.drop('thinking')),
  disabled: (draft, rules) => toLowerBound(draft, rules, 'between_tools'),
  between_tools: (draft, rules) => toLowerBound(draft, rules, 'disabled'),
}

function isKnown(type: string): type is ThinkingType {
  return Object.hasOwn(replacements, type)
}

function takes({ types }: MessagesRules, type: ThinkingType): boolean {
  return types.includes(type)
}

/** Models with budgets show their thoughts unasked, and those without hide them: what the caller sees stays the same. */
function toAdaptive(draft: Draft): void {
  const { display = 'summarized', budget_tokens } = objectOf(draft.get('thinking'))
  draft.set('thinking', { type: 'adaptive', display })
  draft.lose('thinking.budget_tokens')
  const budget = numberOf(budget_tokens)
  if (budget !== undefined && inOutputConfig.read(draft) === undefined)
    inOutputConfig.write(draft, effortOfBudget(budget))
}

/**
 * Sets a budget that leaves at least half of the limit to the text; where that is too little, or the call forbids it, thinking is
 * switched off.
 */
function toBudget(draft: Draft): void {
  const { display } = objectOf(draft.get('thinking'))
  const room = Math.floor((numberOf(draft.get('max_tokens')) ?? 0) / 2)
  const body: JsonObject = { messages: draft.outline('messages'), tool_choice: draft.get('tool_choice') }
  if (room < minThinkingBudget || forcesTool(body) || callsWithoutReasoning(body)) {
    draft.drop('thinking')
    return
  }
  const budget = Math.min(thinkingBudgets[effortIn(draft)], room)
  draft.set('thinking', { type: 'enabled', budget_tokens: budget, ...(display != null && { display }) })
  draft.lose('thinking.type')
}

function effortIn(draft: Draft): keyof typeof thinkingBudgets {
  const effort = inOutputConfig.read(draft)
  return isEffort(effort) && effort !== 'none' && effort !== 'default' ? effort : 'high'
}

/** Off, or the other type that is nearest to it, or the lowest effort of a model that always thinks. */
function toLowerBound(draft: Draft, rules: MessagesRules, nearest: ThinkingType): void {
  const { unasked, efforts } = rules
  if (unasked === 'does-not-think' && !takes(rules, nearest)) {
    draft.remove('thinking')
    return
  }
  if (takes(rules, nearest)) draft.set('thinking', { type: nearest })
  else {
    draft.remove('thinking')
    if (inOutputConfig.read(draft) === undefined) inOutputConfig.write(draft, efforts[0])
  }
  draft.lose('thinking')
}

function fitEffort(draft: Draft, { efforts, offUpTo }: MessagesRules): void {
  const effort = inOutputConfig.read(draft)
  if (effort === undefined) return
  if (efforts.length === 0) {
    inOutputConfig.write(draft, undefined)
    draft.lose(inOutputConfig.field)
    return
  }
  clampEffort(draft, efforts)
  const type = typeIn(draft)
  const isOff = type === 'disabled' || type === 'between_tools'
  if (isOff && offUpTo !== undefined && isBeyond(inOutputConfig.read(draft), offUpTo))
    inOutputConfig.write(draft, offUpTo)
}

/** Writes the nearest effort that the model has over another one. */
export function clampEffort(draft: Draft, efforts: readonly Effort[]): void {
  const wanted = inOutputConfig.read(draft)
  if (!isEffort(wanted)) return
  const nearest = nearestEffort(wanted, efforts)
  if (nearest !== wanted) inOutputConfig.write(draft, nearest)
}
