import type { BodySink } from '@tollgate/http/server'
import type { CallerConnection } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'

/**
 * Delivers a streamed response to its caller. A stream that nothing but its end says the cost of goes on alone when its caller leaves, to be
 * charged by what its upstream counts: nothing is written then, and nothing waits. Any other ends with its caller.
 */
export class CallerDelivery {
  readonly #connection: CallerConnection
  readonly #needsItsEnd: boolean
  #sink: BodySink | undefined

  constructor(connection: CallerConnection, needsItsEnd: boolean) {
    this.#connection = connection
    this.#needsItsEnd = needsItsEnd
  }

  /** Decides whether the stream goes on without its caller. */
  get isAlone(): boolean {
    return this.#needsItsEnd && this.#connection.isDisconnected
  }

  /** Decides whether somebody takes what is delivered. */
  get isAttached(): boolean {
    return this.#sink !== undefined && !this.isAlone
  }

  attach(sink: BodySink): void {
    this.#sink = sink
  }

  /** Decides for a call whose response flows from now on what the caller's leave does; `alone` continues a delivery that waits for the caller. */
  follow(entry: InFlightEntry, alone: () => void): void {
    if (this.#needsItsEnd) entry.goesOnAlone(alone)
    else entry.endsWithCaller()
  }

  /** Writes; false when the caller's buffer is full. */
  write(pieces: readonly Uint8Array[]): boolean {
    return this.isAlone || this.#sink?.write(pieces) === true
  }

  /** Continues once a caller has taken everything. */
  whenDrained(goOn: () => void): void {
    this.#sink?.whenDrained(goOn)
  }

  /** Writes the last text and ends the response; without one breaks it off, so that it does not look complete. */
  end(last: string | undefined): void {
    if (last === undefined) this.#sink?.abort()
    else this.#sink?.end(last)
  }

  abort(): void {
    this.end(undefined)
  }
}
