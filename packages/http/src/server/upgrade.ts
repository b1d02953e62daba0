import { OutputBuffer } from '../wire/output-buffer.ts'

/** Receives the events of a connection that no longer speaks HTTP. None of these may throw. */
export interface UpgradeListener {
  data(bytes: Uint8Array): void
  /** Everything that was written is on its way, after `write` had returned false. */
  drained(): void
  /** The caller sends nothing more; it may still read. */
  ended(): void
  /** The connection is closed. */
  closed(): void
}

/** A connection for the handler that took it over: bytes in both directions, each under back-pressure. */
export interface UpgradedConnection {
  /** Bytes must not change until they are on their way. False when the caller does not keep up: wait for `drained`. */
  write(bytes: Uint8Array): boolean
  /** Stops and goes on with `data`. */
  pause(): void
  resume(): void
  /** Closes the connection once everything that was written is on its way. */
  end(): void
  /** Closes it at once. */
  terminate(): void
}

/** Takes a connection over, with the bytes that followed the request. The handler writes the response to the request. */
export type UpgradeHandler = (connection: UpgradedConnection, received: Uint8Array) => UpgradeListener

/** The part of a socket that is used. */
type RawSocket = Pick<Bun.Socket, 'write' | 'pause' | 'resume' | 'end' | 'terminate'>

/** The socket of an upgraded connection. */
export class Upgrade implements UpgradedConnection {
  readonly #socket: RawSocket
  readonly #output: OutputBuffer
  readonly #listener: UpgradeListener
  #isEnding = false

  constructor(socket: RawSocket, received: Uint8Array, handler: UpgradeHandler) {
    this.#socket = socket
    this.#output = new OutputBuffer(socket)
    this.#listener = handler(this, received)
  }

  write(bytes: Uint8Array): boolean {
    if (this.#isEnding) return false
    this.#output.write('', [bytes], '')
    if (this.#output.isBroken) this.terminate()
    return this.#output.isFlushed
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  end(): void {
    this.#isEnding = true
    if (this.#output.isFlushed) this.#socket.end()
  }

  terminate(): void {
    this.#isEnding = true
    this.#socket.terminate()
  }

  /** Takes bytes that the server received. */
  received(bytes: Uint8Array): void {
    this.#listener.data(bytes)
  }

  /** Hears from the server that the socket takes more. */
  writable(): void {
    if (!this.#output.flush()) return
    if (this.#isEnding) this.#socket.end()
    else this.#listener.drained()
  }

  /** Hears from the server that the caller has ended its side. */
  ended(): void {
    this.#listener.ended()
  }

  /** Hears from the server that the connection is closed. */
  closed(): void {
    this.#output.discard()
    this.#listener.closed()
  }
}
