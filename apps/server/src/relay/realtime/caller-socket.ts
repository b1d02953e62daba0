import type { DisconnectListener } from '@tollgate/http/server'
import type { CallerConnection } from '../call.ts'

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

/** Who is told of it. */
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
