import type { ChatRequest, Message, ReasoningOptions } from '../../canonical/request.ts'
import { ownReasoning } from './encode-messages.ts'
import type { Encoding } from './encoding.ts'

/** The way in which the model is asked to think; `default` says nothing of it. */
export type ThinkingPlan =
  | { readonly type: 'default' | 'disabled' | 'adaptive'; readonly effort?: string }
  | { readonly type: 'enabled'; readonly budgetTokens: number }

/**
 * @param forced a tool call is forced: thinking does not go with it
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function planThinking(request: ChatRequest, forced: boolean, encoding: Encoding): ThinkingPlan {
  const { reasoning } = request
  const { traits, dropped } = encoding
  if (reasoning === undefined || !saysAnything(reasoning)) return { type: 'default' }
  if (reasoning.effort === 'none' || reasoning.budgetTokens === 0) return planOff(encoding)
  if (traits.thinking === 'none') {
    dropped.add('reasoning')
    return { type: 'default' }
  }
  const takesBudget = traits.thinking !== 'adaptive'
  const adaptive = traits.thinking === 'adaptive' || (traits.thinking === 'both' && !hasBudget(reasoning))
  const impossible = forced || (takesBudget && !adaptive && callsWithoutReasoning(request.messages))
  if (impossible) {
    dropped.add('reasoning')
    return planOff(encoding)
  }
  return adaptive ? planAdaptive(reasoning, encoding) : { type: 'enabled', budgetTokens: budgetOf(reasoning) }
}

/** The `thinking` field of a plan; display is said where it is not what the model does anyway. */
export function encodeThinking(plan: ThinkingPlan, reasoning: ReasoningOptions | undefined): unknown {
  const hides = reasoning?.includeThoughts === false
  switch (plan.type) {
    case 'default':
      return undefined
    case 'disabled':
      return { type: 'disabled' }
    case 'adaptive':
      return { type: 'adaptive', display: hides ? 'omitted' : 'summarized' }
    case 'enabled':
      return { type: 'enabled', budget_tokens: plan.budgetTokens, ...(hides && { display: 'omitted' }) }
  }
}

function saysAnything({ effort, budgetTokens, includeThoughts }: ReasoningOptions): boolean {
  return effort !== undefined || budgetTokens !== undefined || includeThoughts === true
}

function hasBudget({ budgetTokens }: ReasoningOptions): boolean {
  return budgetTokens !== undefined && budgetTokens > 0
}

function planOff({ traits, dropped }: Encoding): ThinkingPlan {
  if (traits.thinkingOff === 'disabled') return { type: 'disabled' }
  if (traits.thinkingOff === 'absent') return { type: 'default' }
  dropped.add('reasoning')
  return { type: 'default', effort: 'low' }
}

/** Smallest budget that Claude takes. */
export const minThinkingBudget = 1024

/** Tokens that an effort stands for at models that know budgets alone. */
export const thinkingBudgets = {
  minimal: minThinkingBudget,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 8192,
  max: 16384,
} as const

function budgetOf({ effort, budgetTokens = -1 }: ReasoningOptions): number {
  if (budgetTokens > 0) return Math.max(budgetTokens, minThinkingBudget)
  return thinkingBudgets[effort === undefined || effort === 'none' ? 'high' : effort]
}

function planAdaptive(reasoning: ReasoningOptions, { traits, dropped }: Encoding): ThinkingPlan {
  const { effort, budgetTokens = -1 } = reasoning
  if (budgetTokens > 0) dropped.add('budgetTokens')
  const wanted = effort ?? (budgetTokens > 0 ? effortOfBudget(budgetTokens) : undefined)
  if (wanted === undefined) return { type: 'adaptive' }
  if (wanted === 'minimal') return { type: 'adaptive', effort: 'low' }
  return { type: 'adaptive', effort: wanted === 'xhigh' && !traits.xhighEffort ? 'high' : wanted }
}

/** The effort of a budget, in the steps that vendors with both give their efforts. https://ai.google.dev/gemini-api/docs/openai */
export function effortOfBudget(budgetTokens: number): 'low' | 'medium' | 'high' {
  if (budgetTokens <= 1024) return 'low'
  return budgetTokens <= 8192 ? 'medium' : 'high'
}

/**
 * Returns whether a turn called tools without reasoning: with a budget, it must begin with its reasoning. Callers of other formats cannot store that
 * reasoning, so such a conversation goes on without thinking.
 */
function callsWithoutReasoning(messages: readonly Message[]): boolean {
  const calling = messages.findLast(
    ({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'tool-call'),
  )
  if (calling?.role !== 'assistant') return false
  return !calling.parts.some((part) => part.type === 'reasoning' && ownReasoning(part).length > 0)
}
