import type { HeaderMap } from '@tollgate/providers'
import { bodyless } from '../bodyless.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { TokenCounting } from '../dialects/token-counting.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'

/** What a session asks for: there is no body, its messages come later. */
export interface SessionRequest extends ModelRequest {
  readonly format: 'openai-realtime'
  /** Fields of the caller that an upstream is to get. */
  readonly callerHeaders: HeaderMap
  /** The caller put its key among the subprotocols. */
  readonly bySubprotocol: boolean
  /** What the caller says is written down, and not answered; absent for a conversation. */
  readonly intent?: 'transcription' | undefined
}

export type SessionCall = RelayCall<SessionRequest>

export interface SessionDependencies extends RelayDependencies {
  /** For responses that the upstream does not count. */
  readonly counting: Pick<TokenCounting, 'countDelivered'>
  /** Longest time in which neither side says anything. */
  readonly sessionIdleMs: number
  /** Tells once that a user may not call any more; answers how to stop listening. */
  readonly onUserRevoked: OnUserGone
}

export type OnUserGone = (userId: number, tell: () => void) => () => void

export function sessionRequest(
  model: string,
  details: Pick<SessionRequest, 'callerHeaders' | 'bySubprotocol' | 'intent'>,
): SessionRequest {
  return { ...bodyless({ format: 'openai-realtime', model, stream: true }), ...details }
}
