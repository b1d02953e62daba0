import type { UpgradedConnection, UpgradeListener } from '@tollgate/http/server'

/** Pipes a caller's connection to a Unix socket and back, each way no faster than the other end takes it. */
export class WebSocketPipe implements UpgradeListener {
  readonly #caller: UpgradedConnection
  readonly #ended: () => void
  #inner: Bun.Socket | undefined
  /** Bytes of the caller that the other end has not taken yet. */
  #pending: Uint8Array[]
  #isPaused = false
  #isCallerDone = false
  #isOver = false

  /**
   * @param first what the other end gets before anything of the caller's
   * @param ended called once, when either end is closed
   */
  constructor(path: string, caller: UpgradedConnection, first: readonly Uint8Array[], ended: () => void) {
    this.#caller = caller
    this.#ended = ended
    this.#pending = first.filter(({ length }) => length > 0)
    // The other end has to be there first.
    caller.pause()
    Bun.connect({
      unix: path,
      socket: {
        binaryType: 'buffer',
        open: (socket) => this.#connected(socket),
        data: (_, bytes) => this.#response(bytes),
        drain: () => this.#flush(),
        close: () => this.#close(),
        error: (socket) => socket.terminate(),
      },
    }).catch(() => this.#close())
  }

  data(bytes: Uint8Array): void {
    this.#pending.push(bytes)
    this.#flush()
  }

  drained(): void {
    this.#inner?.resume()
  }

  /** The caller sends nothing more: what it sent is still passed on. */
  ended(): void {
    this.#isCallerDone = true
    this.#flush()
  }

  closed(): void {
    if (this.#isOver) return
    this.#over()
    this.#inner?.end()
  }

  /** Pauses or resumes the caller's bytes, independently of the other end. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#flush()
  }

  #connected(socket: Bun.Socket): void {
    this.#inner = socket
    if (this.#isOver) socket.terminate()
    else this.#flush()
  }

  #response(bytes: Buffer): void {
    if (!this.#caller.write(bytes)) this.#inner?.pause()
  }

  /** Closes a pipe whose other end has closed: what it sent is still written. */
  #close(): void {
    if (this.#isOver) return
    this.#over()
    this.#caller.end()
  }

  #over(): void {
    this.#isOver = true
    this.#pending = []
    this.#ended()
  }

  #flush(): void {
    const socket = this.#inner
    if (socket === undefined) return
    while (this.#pending.length > 0 && !this.#isPaused) {
      const [bytes = new Uint8Array()] = this.#pending
      const taken = Math.max(0, socket.write(bytes))
      if (taken < bytes.length) {
        this.#pending[0] = bytes.subarray(taken)
        break
      }
      this.#pending.shift()
    }
    if (this.#pending.length > 0 || this.#isPaused) this.#caller.pause()
    else if (this.#isCallerDone) socket.end()
    else this.#caller.resume()
  }
}
