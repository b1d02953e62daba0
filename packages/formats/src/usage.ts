import type { Service } from './canonical/charged-tools.ts'
import { addToolCalls, type ToolCalls } from './canonical/charged-tools.ts'
import { addOtherTools, type OtherTools } from './costs/tool-runs.ts'
import { numberOf } from './json/number-text.ts'

/**
 * Token counts of one call in the form that is billed, whatever the format called them. Four of them add up to the
 * total: `inputTokens`, the cached ones, and `outputTokens`; the others are parts of these. `inputTokens` excludes cache
 * reads and writes: OpenAI and Gemini count them inside their prompt tokens, Anthropic apart.
 */
export interface Usage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  /** Written to a cache that keeps them for five minutes, or for as long as the upstream pleases. */
  readonly cacheWriteTokens: number
  /** Written to a cache that keeps them for an hour. */
  readonly cacheWrite1hTokens: number
  readonly outputTokens: number
  /** Parts of `inputTokens`. */
  readonly audioInputTokens: number
  readonly imageInputTokens: number
  /** Parts of `outputTokens`. */
  readonly audioOutputTokens: number
  readonly imageOutputTokens: number
  /** Part of `outputTokens` spent on reasoning, for the log. */
  readonly reasoningTokens: number
  /** Set when the upstream reports only the total: every other count is then 0, and the gateway counts the parts itself. */
  readonly totalTokens?: number
  /**
   * Tokens of the longest prompt, or a lower bound of them, where a usage adds up several prompts: of several calls or of a loop over
   * the vendor's own tools. A price that depends on the length of a prompt is chosen by them.
   */
  readonly maxRoundPromptTokens?: number
  /** No model was asked, and the upstream says so with counts of 0 beside what it delivered. */
  readonly isWithoutModel?: true
  /** Tools that the vendor ran, and charges beside the tokens; absent without any. */
  readonly toolCalls?: ToolCalls
  /** Tools that ran and have no price here, by the vendor's names, for the operator; absent without any. */
  readonly otherTools?: OtherTools
  /** Service tier and region that the response names, as far as it does. */
  readonly service?: Service
}

export const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  audioInputTokens: 0,
  imageInputTokens: 0,
  audioOutputTokens: 0,
  imageOutputTokens: 0,
  reasoningTokens: 0,
}

/** Usage of a response for which no model ran. */
export const usageWithoutModel: Usage = { ...noUsage, isWithoutModel: true }

/** The counts, with 0 for missing ones, and no part larger than its total. */
export function usageOf(counts: Partial<Usage>): Usage {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = counts
  const { outputTokens = 0, audioInputTokens = 0, imageInputTokens = 0 } = counts
  const { audioOutputTokens = 0, imageOutputTokens = 0, reasoningTokens = 0 } = counts
  const audioIn = Math.min(audioInputTokens, inputTokens)
  const audioOut = Math.min(audioOutputTokens, outputTokens)
  const usage = {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    outputTokens,
    audioInputTokens: audioIn,
    imageInputTokens: Math.min(imageInputTokens, inputTokens - audioIn),
    audioOutputTokens: audioOut,
    imageOutputTokens: Math.min(imageOutputTokens, outputTokens - audioOut),
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
    ...(counts.maxRoundPromptTokens !== undefined && { maxRoundPromptTokens: counts.maxRoundPromptTokens }),
  }
  return withCosts(usage, counts)
}

/** Charges of vendors beside tokens. */
export interface OtherCosts {
  readonly toolCalls?: ToolCalls | undefined
  readonly otherTools?: OtherTools | undefined
  readonly service?: Service | undefined
}

/** The usage with what is charged beside its tokens; the same object where there is nothing of the kind. */
export function withCosts(usage: Usage, { toolCalls, otherTools, service }: OtherCosts): Usage {
  if (toolCalls === undefined && otherTools === undefined && service === undefined) return usage
  return {
    ...usage,
    ...(toolCalls !== undefined && { toolCalls }),
    ...(otherTools !== undefined && { otherTools }),
    ...(service !== undefined && { service }),
  }
}

/** Counts of which nothing but the total is known. */
export function totalUsage(totalTokens: number): Usage {
  return { ...noUsage, totalTokens }
}

/** The usage of two calls together. */
export function addUsage(a: Usage, b: Usage): Usage {
  const tokens = {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    cacheWrite1hTokens: a.cacheWrite1hTokens + b.cacheWrite1hTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    audioInputTokens: a.audioInputTokens + b.audioInputTokens,
    imageInputTokens: a.imageInputTokens + b.imageInputTokens,
    audioOutputTokens: a.audioOutputTokens + b.audioOutputTokens,
    imageOutputTokens: a.imageOutputTokens + b.imageOutputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  }
  const sum = withCosts(tokens, {
    toolCalls: addToolCalls(a.toolCalls, b.toolCalls),
    otherTools: addOtherTools(a.otherTools, b.otherTools),
    service: b.service ?? a.service,
  })
  const maxPrompt = Math.max(maxPromptOf(a), maxPromptOf(b))
  return maxPrompt < promptTokensOf(sum) ? { ...sum, maxRoundPromptTokens: maxPrompt } : sum
}

/** Prompt tokens of one call; of several, those of the longest. */
export function maxPromptOf(usage: Usage): number {
  return usage.maxRoundPromptTokens ?? promptTokensOf(usage)
}

/**
 * The usage of a loop over tools that the vendor ran, whose prompts it added up. Their longest has at least their average:
 * judged by that, a price step is never charged for a sum.
 * @param runs that the vendor made between the prompts
 */
export function withRuns(usage: Usage, runs: number): Usage {
  if (runs === 0) return usage
  return { ...usage, maxRoundPromptTokens: Math.ceil(promptTokensOf(usage) / (runs + 1)) }
}

/** Counts of a prompt as OpenAI's formats report them. */
export interface ReportedPrompt {
  readonly prompt: number
  readonly cached: number
  readonly written: number
  readonly output: number
  readonly total: number | undefined
}

/**
 * Splits a prompt into what was read afresh, read from a cache and written to one. OpenAI counts all three as the prompt. Gateways that
 * pass Anthropic's figures on leave the cache out of it, and their total shows that: it is the sum of all. The figures alone decide.
 */
export function splitPrompt({
  prompt,
  cached,
  written,
  output,
  total,
}: ReportedPrompt): Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'> {
  if (cached + written > 0 && total === prompt + cached + written + output)
    return { inputTokens: prompt, cacheReadTokens: cached, cacheWriteTokens: written }
  const read = Math.min(prompt, cached)
  const made = Math.min(prompt - read, written)
  return { inputTokens: prompt - read - made, cacheReadTokens: read, cacheWriteTokens: made }
}

/** Prompt tokens as callers know them: cached parts included. */
export function promptTokensOf(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens
}

/** More tokens than any call can have; a figure beyond is a fault of the upstream. */
const implausibleCount = 10 ** 8

/** A count as an upstream sent it; `undefined` for an invalid one: negative, fractional, absurd or of another type. */
export function countOf(value: unknown): number | undefined {
  const count = numberOf(value) ?? -1
  return Number.isInteger(count) && count >= 0 && count < implausibleCount ? count : undefined
}
