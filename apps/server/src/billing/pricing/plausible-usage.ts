import { type Prompt, promptTokensOf, type ToolCalls, toolKinds, type Usage } from '@tollgate/formats'
import { isModel } from '@tollgate/providers'
import type { CallSize } from './charge.ts'
import type { OutputLimits } from './output-limits.ts'

/** The facts of a call that bound the usage an upstream may report. Its limits are those after an override. */
export interface UsageBounds extends OutputLimits {
  /** Returns the prompt that was sent. Called only where a figure needs an explanation. */
  readonly prompt: () => Prompt
  /** Decides whether the upstream may have read more than was sent; see `mayReadMore`. Called as rarely. */
  readonly readsMore: () => boolean
  /**
   * Returns the length of all text that the upstream delivered: content, reasoning, tool calls. Called only for a figure above the
   * believed limit, because it reads the response again.
   */
  readonly deliveredCharacters: () => number
}

// The numbers and their reasons: docs/decisions/2026-11-22-believable-usage.md

/** Tokens of the instructions that vendors and wrappers put before a prompt; the largest known take 25,000. */
export const hiddenPromptTokens = 32_768
/** gpt-4o-mini counts 48,169 for its largest. */
const imageTokens = 50_000
/** 100 minutes at Gemini's 32 tokens a second. */
const audioTokens = 200_000
/** A thousand pages or an hour of film: what a context window holds. */
const fileTokens = 1_000_000
/** Results of tools, stored conversations: a window of a million tokens, read in four rounds. */
const readMoreTokens = 4_000_000
/** UTF-8 of one UTF-16 unit. A token stands for a byte at least: tokenizers of models cut bytes, never less. */
const bytesPerCharacter = 3
/** Frames of messages and tool calls, stop sequences, citations: written, but not delivered as text. */
const undeliveredTokens = 4096
/** Hidden reasoning of a call without a limit: above every vendor's limit on the output. */
const unlimitedTokens = 200_000
/** Some vendors do not count reasoning against the caller's limit. */
const reasoningBeyondLimit = 32_768
/** Number of calls of each tool. */
const unrequestedToolCalls = 16
const unrequestedTools: ToolCalls = Object.fromEntries(toolKinds.map((kind) => [kind, unrequestedToolCalls]))

/**
 * The most output tokens that are believed of a call, over all candidates, whatever was delivered: an upstream that delivers
 * more has ignored the limit, and is not read further.
 */
export function maxBelievedOutput({ maxOutputTokens, candidates }: OutputLimits): number {
  const responses = Math.max(1, candidates)
  return maxOutputTokens === undefined
    ? unlimitedTokens * responses
    : maxOutputTokens + reasoningBeyondLimit * responses
}

/**
 * The largest usage that `plausibleUsage` believes of a call, as far as it has a bound: how often a vendor's own tools run has
 * none where the call requests them.
 */
export function maxBelievedSize(
  bounds: Omit<UsageBounds, 'deliveredCharacters'>,
): Pick<CallSize, 'promptTokens' | 'maxOutputTokens'> & { readonly toolCalls: ToolCalls } {
  return {
    promptTokens: maxBelievedInput(bounds) + (bounds.readsMore() ? readMoreTokens : 0),
    maxOutputTokens: maxBelievedOutput(bounds),
    toolCalls: unrequestedTools,
  }
}

/**
 * Decides whether `plausibleUsage` believes a usage whatever the call sent and received, as it does for nearly all calls: the facts of a
 * call cost more to gather than this verdict.
 */
export function isBelievedUnseen(usage: Usage): boolean {
  const isShort = promptTokensOf(usage) <= hiddenPromptTokens && usage.outputTokens <= undeliveredTokens
  return isShort && usage.toolCalls === undefined
}

/** Judges the usage of one response of a session: its prompt is at most a context window. */
export function isResponseBelieved(usage: Usage, maxOutputTokens: number | undefined): boolean {
  const isOutputBelieved = usage.outputTokens <= maxBelievedOutput({ maxOutputTokens, candidates: 1 })
  return isOutputBelieved && promptTokensOf(usage) <= fileTokens
}

/**
 * Returns the reported usage, or `'absurd'` when the call cannot have used so much: more input than was sent or may have been
 * added, or more output than delivered text, limits and reasoning allow. Generous, so that honest counts always pass.
 */
export function plausibleUsage(usage: Usage, bounds: UsageBounds): Usage | 'absurd' {
  const isPlausible = isInputPlausible(promptTokensOf(usage), bounds) && isOutputPlausible(usage, bounds)
  return isPlausible && areToolsPlausible(usage, bounds) ? usage : 'absurd'
}

function isInputPlausible(tokens: number, bounds: UsageBounds): boolean {
  if (tokens <= hiddenPromptTokens) return true
  const max = maxBelievedInput(bounds)
  return tokens <= max || (tokens <= max + readMoreTokens && bounds.readsMore())
}

/** An upstream that makes several candidates by several calls counts the prompt as often. */
function maxBelievedInput({ prompt, candidates }: Pick<UsageBounds, 'prompt' | 'candidates'>): number {
  return (hiddenPromptTokens + maxTokensOf(prompt())) * Math.max(1, candidates)
}

/** Checks the number of tool calls. A channel's own edits may request a tool; a call that requested none plausibly has few. */
function areToolsPlausible({ toolCalls }: Usage, { readsMore }: UsageBounds): boolean {
  if (toolCalls === undefined) return true
  return Object.values(toolCalls).every((calls) => calls <= unrequestedToolCalls) || readsMore()
}

function isOutputPlausible(usage: Usage, bounds: UsageBounds): boolean {
  const { outputTokens } = usage
  const candidates = Math.max(1, bounds.candidates)
  // Transcripts have no limit: their calls expect no output of a model.
  if (bounds.maxOutputTokens !== 0 && outputTokens > maxBelievedOutput(bounds)) return false
  const { maxOutputTokens } = bounds
  const undelivered = undeliveredTokens * candidates
  const allowed = maxOutputTokens ?? unlimitedTokens * candidates
  const hidden = usage.reasoningTokens + usage.audioOutputTokens + usage.imageOutputTokens
  if (outputTokens <= undelivered || (hidden === 0 && outputTokens <= allowed)) return true
  const visible = bounds.deliveredCharacters() * bytesPerCharacter + undelivered
  if (outputTokens <= visible) return true
  // An upstream that says how much was not text has shown the rest, unless it worked with tools of its own.
  if (hidden === 0 || bounds.readsMore()) return outputTokens <= allowed
  const maxHidden = maxOutputTokens === undefined ? allowed : allowed + reasoningBeyondLimit * candidates
  return hidden <= maxHidden && outputTokens - hidden <= visible
}

/** Upper bound of the tokens of a prompt: one for each byte of its texts, and what the largest media count. */
function maxTokensOf({ messages, tools, texts, tokens }: Prompt): number {
  let limit = tokens + bytesOf(texts) + bytesOf(tools)
  for (const message of messages) {
    limit += bytesOf(message.texts) + Buffer.byteLength(message.name)
    limit += message.images.length * imageTokens
    limit += message.audioParts * audioTokens + message.fileParts * fileTokens
  }
  return limit
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** Tools that run at the vendor, and state that it stores between calls, by their names in every format. */
const vendorTools =
  /"\$?(?:web_|x_search|live_search|image_generation|enable_code|file_?search|code_?(?:execution|interpreter)|computer|google_?|url_?context|cached_?content|mcp|plugins|search_parameters|enable_search|retrieval|previous_response_id|conversation|container)/i

/**
 * Decides whether an upstream may have read more than the caller sent: results of tools that it ran, a conversation or files that it
 * stores. Returns true rather too often.
 * @param model as the upstream names it
 * @param body the request as JSON text, in whatever format
 */
export function mayReadMore(model: string, body: string): boolean {
  return isModel('searches-unasked', model) || vendorTools.test(body)
}
