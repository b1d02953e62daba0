import type { JsonEdits, RequestText } from '@tollgate/formats'
import { noEdits } from './quirks.ts'

/** The caller's betas as it wrote them, with one more behind them unless it is there; empty for none. */
export function withBeta(caller: string | undefined, beta: string): string {
  if (caller === undefined || caller === '') return beta
  return beta === '' || splitBetas(caller).includes(beta) ? caller : `${caller},${beta}`
}

function splitBetas(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

const thinkingSuffix = '-thinking'

/** The name without `-thinking`, which is gateways' way to ask for the model with its thoughts. */
export function claudeModelOf(model: string): string {
  return model.endsWith(thinkingSuffix) ? model.slice(0, -thinkingSuffix.length) : model
}

/** Names without a date, as Anthropic takes them; clouds want the date. */
const aliases: Readonly<Record<string, string>> = {
  'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5': 'claude-haiku-4-5-20251001',
  'claude-opus-4-5': 'claude-opus-4-5-20251101',
  'claude-opus-4-1': 'claude-opus-4-1-20250805',
}

/** The name with its date, where it has one. */
export function datedClaude(name: string): string {
  return aliases[name] ?? name
}

/** Betas that clouds know, without their dates: they refuse calls with any other. */
const cloudBeta =
  /^(computer-use|context-1m|context-management|dev-full-thinking|effort|fine-grained-tool-streaming|interleaved-thinking|output-128k|token-efficient-tools|tool-examples|tool-search-tool)-\d{4}-\d\d-\d\d$/

/**
 * Those of the caller's betas that clouds take.
 * @param own what one cloud takes beside them
 */
export function cloudBetas(list: string, own?: RegExp): readonly string[] {
  return splitBetas(list).filter((beta) => cloudBeta.test(beta) || own?.test(beta) === true)
}

/** From 4.6 on the model itself decides how much to think. */
const adaptiveModel = /claude-[a-z]+-(4[-.]([6-9]|\d\d(?!\d))|[5-9]|\d\d(?!\d))/

/** Room for the least budget there is, 1024 tokens, and an answer behind it. */
const leastMaxTokens = 1280
const budgetShare = 0.8

/** What a name with `-thinking` asks for; a caller that says how to think is not overruled. */
export function thinkingFromName({ body }: RequestText, model: string): JsonEdits {
  const name = claudeModelOf(model)
  if (name === model) return noEdits
  const named: [string, string] = ['model', JSON.stringify(name)]
  if (body.thinking != null) return new Map([named])
  if (adaptiveModel.test(name)) return new Map([named, ['thinking', adaptiveThinking]])
  const maxTokens = Math.max(Number(body.max_tokens) || 0, leastMaxTokens)
  const budget = Math.floor(maxTokens * budgetShare)
  return new Map<string, string | undefined>([
    named,
    ['max_tokens', String(maxTokens)],
    ['thinking', JSON.stringify({ type: 'enabled', budget_tokens: budget })],
    // With a budget they are refused. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
    ['temperature', undefined],
    ['top_p', undefined],
    ['top_k', undefined],
  ])
}

const adaptiveThinking = JSON.stringify({ type: 'adaptive', display: 'summarized' })
