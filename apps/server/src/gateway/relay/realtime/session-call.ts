import type { DisconnectListener } from '@tollgate/http/server'
import type { HeaderMap } from '@tollgate/providers'
import { bodyless, type CallerConnection, type ModelRequest, type RelayCall } from '../call.ts'
import type { TokenCounting } from '../dialects/dialect.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import type { WatchCaller } from './caller-watch.ts'

/** The request of a session, which has no body: its messages come later. */
export interface SessionRequest extends ModelRequest {
  readonly format: 'openai-realtime'
  /** The caller's header fields that an upstream receives. */
  readonly callerHeaders: HeaderMap
  /** The caller put its key among the subprotocols. */
  readonly bySubprotocol: boolean
  /** The session only transcribes the caller's speech; absent for a conversation. */
  readonly intent?: 'transcription' | undefined
}

export type SessionCall = RelayCall<SessionRequest>

export interface SessionDependencies extends RelayDependencies {
  /** Counter for responses that the upstream does not count. */
  readonly counting: Pick<TokenCounting, 'countDelivered'>
  /** Longest time in which neither side sends anything. */
  readonly sessionIdleMs: number
  readonly watchCaller: WatchCaller
}

export function sessionRequest(
  model: string,
  details: Pick<SessionRequest, 'callerHeaders' | 'bySubprotocol' | 'intent'>,
): SessionRequest {
  return { ...bodyless({ format: 'openai-realtime', model, stream: true }), ...details }
}

/** A caller's WebSocket, as a session sees it. */
export interface CallerSocket {
  /** Sent bytes that have not left yet. */
  readonly bufferedBytes: number
  send(message: string | Uint8Array): boolean
  /** Pauses messages; a few that have already arrived may still be delivered. */
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

/** Connection of a session's caller; the upgraded connection no longer belongs to its request. */
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
