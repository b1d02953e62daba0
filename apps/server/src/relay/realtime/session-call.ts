import type { DisconnectListener } from '@tollgate/http/server'
import type { HeaderMap } from '@tollgate/providers'
import { bodyless, type CallerConnection, type ModelRequest, type RelayCall } from '../call.ts'
import type { TokenCounting } from '../dialects/dialect.ts'
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

type OnUserGone = (userId: number, tell: () => void) => () => void

export function sessionRequest(
  model: string,
  details: Pick<SessionRequest, 'callerHeaders' | 'bySubprotocol' | 'intent'>,
): SessionRequest {
  return { ...bodyless({ format: 'openai-realtime', model, stream: true }), ...details }
}

/** A caller's WebSocket, as a session sees it. */
export interface CallerSocket {
  /** Bytes that were sent and are not yet on their way. */
  readonly bufferedBytes: number
  send(message: string | Uint8Array): boolean
  /** Messages stop coming; a few that have come already may still be told. */
  pause(): void
  resume(): void
  close(code?: number, reason?: string): void
}

/** Receives the events of a caller's WebSocket. */
export interface CallerSocketListener {
  message(message: string | Uint8Array): void
  drained(): void
  closed(code: number, reason: string): void
}

/** Whether the caller of a session is still there: the connection has left the hands of its request. */
export class CallerPresence implements CallerConnection {
  isDisconnected = false
  #listener: DisconnectListener | undefined

  onDisconnect(listener: DisconnectListener): void {
    this.#listener = listener
    if (this.isDisconnected) listener.disconnected()
  }

  left(): void {
    this.isDisconnected = true
    this.#listener?.disconnected()
  }
}
