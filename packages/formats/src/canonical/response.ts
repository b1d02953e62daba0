import type { Usage } from '../usage.ts'
import type { AssistantPart } from './request.ts'

/** A buffered response, independent of any vendor's format. */
export interface ChatResponse {
  /** The upstream's own id; empty when it gave none. */
  readonly id: string
  /** Name of the model as the upstream has it. */
  readonly model: string
  /** Unix seconds; 0 when the upstream did not say. */
  readonly createdAt: number
  readonly candidates: readonly Candidate[]
  /** `undefined` when the upstream sent no usage that can be charged. */
  readonly usage: Usage | undefined
  /** Items, blocks and parts without a canonical form, by their places; absent without any. */
  readonly leftOut?: readonly string[]
}

/** One of the alternatives that a response holds. */
export interface Candidate {
  readonly index: number
  readonly parts: readonly AssistantPart[]
  readonly stop: Stop
  readonly logprobs?: readonly TokenLogprob[]
  readonly citations?: readonly Citation[]
}

/** Reason why a candidate ended. */
export interface Stop {
  readonly reason: StopReason
  /** The caller's stop sequence that ended it, where the vendor says so. */
  readonly sequence?: string
}

/**
 * Reasons for which a response ends. `paused`: the vendor's own tools took too long and the caller has to send the turn again.
 * `refused`: the model refused. `content-filter`: a filter stopped the response.
 */
export type StopReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refused' | 'paused'

/** The log probability of a token, with its alternatives. */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

/** A source that the response names. */
export interface Citation {
  readonly url: string
  readonly title: string
  /** The text that is cited; empty when not said. */
  readonly text: string
  /** Range of the candidate's text that is drawn from the source, in characters; absent where the vendor does not say. */
  readonly range?: CitedRange
}

/** Range from a character of a text up to another one, which is not in it. */
export interface CitedRange {
  readonly start: number
  readonly end: number
}

/** A range as a format tells it; nothing for one that is empty or no range. */
export function citedRange(start: unknown, end: unknown): { readonly range?: CitedRange } {
  const isRange = Number.isInteger(start) && Number.isInteger(end) && Number(start) >= 0
  return isRange && Number(end) > Number(start) ? { range: { start: Number(start), end: Number(end) } } : {}
}
