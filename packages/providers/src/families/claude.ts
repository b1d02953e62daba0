import { claudeTraits, type JsonEdits, type JsonObject } from '@tollgate/formats'
import { noEdits } from '../edits/json-edits.ts'
import { callsWithoutReasoning, forcesTool } from '../edits/tool-turns.ts'
import { byModel, type ClaudeOptions, type ModelVariant } from '../models/model-options.ts'
import type { Operation } from '../provider.ts'
import { splitBetas } from './claude/host-betas.ts'

/** The caller's betas as it wrote them, with one more behind them unless it is there; empty for none. */
export function withBeta(caller: string | undefined, beta: string): string {
  if (caller === undefined || caller === '') return beta
  return beta === '' || splitBetas(caller).includes(beta) ? caller : `${caller},${beta}`
}

const thinkingName = /^(.*claude.*)-thinking$/

/** Fields of a call that its prompt is not made of. */
export const uncounted: JsonEdits = new Map(
  ['max_tokens', 'stream', 'temperature', 'top_p', 'top_k', 'stop_sequences', 'metadata', 'service_tier'].map(
    (field) => [field, undefined],
  ),
)

/**
 * A cloud that cannot count for a model, or in a region, responds with 400, the same as for a bad prompt. As `not_found`,
 * the failure lets the gateway count elsewhere: the upstream refuses a bad prompt when the call itself arrives.
 */
export function countFailure(decodeError: Operation['decodeError']): Operation['decodeError'] {
  return (failure) => {
    const error = decodeError(failure)
    return error.status === 400 ? { ...error, kind: 'not_found', status: 404 } : error
  }
}

/** Room for the least budget there is, and a response behind it. */
const minMaxTokens = 1280
const minBudget = 1024
const defaultMaxTokens = 8192

/** Returns the model and the edits of a name `claude-…-thinking`, by which gateways request a model with its reasoning. */
export function claudeVariant(name: string, options: ClaudeOptions): ModelVariant | undefined {
  const model = options.thinkingSuffix ? thinkingName.exec(name)?.[1] : undefined
  if (model === undefined) return undefined
  const standard = byModel(options.defaultMaxTokens, name, model) ?? defaultMaxTokens
  return { model, edits: ({ body }) => thinkingEdits(body, model, standard, options.budgetShare) }
}

/** Newer models decide themselves how much to think. */
function decidesEffort(model: string): boolean {
  const { thinking } = claudeTraits(model)
  return thinking === 'adaptive' || thinking === 'both'
}

/** A caller that says how to think is not overruled. */
function thinkingEdits(body: JsonObject, model: string, standard: number, share: number): JsonEdits {
  if (body.thinking != null || forcesTool(body)) return noEdits
  if (decidesEffort(model)) return new Map([['thinking', adaptiveThinking]])
  if (callsWithoutReasoning(body)) return noEdits
  const maxTokens = Math.max(Number(body.max_tokens) || standard, minMaxTokens)
  const budget = Math.min(Math.max(Math.floor(maxTokens * share), minBudget), maxTokens - 1)
  return new Map<string, string | undefined>([
    ['max_tokens', String(maxTokens)],
    ['thinking', JSON.stringify({ type: 'enabled', budget_tokens: budget })],
    // With a budget they are refused. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
    ['temperature', undefined],
    ['top_p', undefined],
    ['top_k', undefined],
  ])
}

const adaptiveThinking = JSON.stringify({ type: 'adaptive', display: 'summarized' })
