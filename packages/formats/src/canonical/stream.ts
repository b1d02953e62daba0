import type { UpstreamErrorInfo } from '../errors/upstream-error.ts'
import type { Usage } from '../usage.ts'
import type { ToolKind } from './charged-tools.ts'
import type { MediaPart, Signature } from './request.ts'
import type { Citation, Stop, TokenLogprob } from './response.ts'

/**
 * One part of a streamed response. Parts come in the order of the response; `candidate` identifies the candidate, and `call`
 * the tool call, counted from 0 within its candidate.
 */
export type ChatPart =
  /** First of all parts, once. */
  | { readonly type: 'start'; readonly id: string; readonly model: string; readonly createdAt: number }
  /** The response begins without content yet: a role, a block without text. */
  | { readonly type: 'open'; readonly candidate: number }
  | { readonly type: 'text-delta'; readonly candidate: number; readonly text: string }
  /** Signature of the text before it. */
  | { readonly type: 'text-signature'; readonly candidate: number; readonly signature: Signature }
  | { readonly type: 'reasoning-delta'; readonly candidate: number; readonly text: string }
  /** Ends the open reasoning block; without one, it is a block of its own. */
  | { readonly type: 'reasoning-signature'; readonly candidate: number; readonly signature: Signature }
  | { readonly type: 'reasoning-encrypted'; readonly candidate: number; readonly encrypted: Signature }
  | { readonly type: 'refusal-delta'; readonly candidate: number; readonly text: string }
  | {
      readonly type: 'tool-call-start'
      readonly candidate: number
      readonly call: number
      readonly id: string
      readonly name: string
      readonly signature?: Signature
    }
  | {
      readonly type: 'tool-call-delta'
      readonly candidate: number
      readonly call: number
      /** A piece of the arguments' JSON text. */
      readonly arguments: string
    }
  /**
   * The upstream ended the call, or the next one began in its place. Whether its arguments are whole is not judged, unless what they
   * came in shows that they are cut.
   */
  | {
      readonly type: 'tool-call-end'
      readonly candidate: number
      readonly call: number
      readonly isCut?: true
    }
  | { readonly type: 'media'; readonly candidate: number; readonly media: MediaPart }
  | { readonly type: 'citation'; readonly candidate: number; readonly citation: Citation }
  | { readonly type: 'logprobs'; readonly candidate: number; readonly logprobs: readonly TokenLogprob[] }
  | { readonly type: 'stop'; readonly candidate: number; readonly stop: Stop }
  /** An item, block or part without a canonical form, by its place: callers of other formats do not get it. */
  | { readonly type: 'left-out'; readonly name: string }
  /** The vendor ran a tool, once more: for streams that break off before the usage that counts it. */
  | { readonly type: 'tool-ran'; readonly kind: ToolKind }
  /** The count so far, cumulative: a later one replaces it. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The upstream failed inside its stream. Nothing behind it is read. */
  | { readonly type: 'error'; readonly error: UpstreamErrorInfo }
  /** The upstream's own end mark; early inside content that the upstream has neither ended nor given a reason for. */
  | { readonly type: 'end'; readonly isEarly?: boolean }
