import { type BodyPiece, ConnectionLostError } from '@tollgate/http'

const encoder = new TextEncoder()

/** Messages that were not read yet, as lines, and how the connection ended. */
export class LineQueue {
  readonly #maxBytes: number
  #lines: Uint8Array[] = []
  #bytes = 0
  #end: { readonly error?: Error } | undefined
  #reader: ReturnType<typeof Promise.withResolvers<BodyPiece>> | undefined

  /** @param maxBytes that may wait */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Line breaks between the tokens of a message say nothing, and inside its texts they are escaped.
   * @returns false when more waits than may: then reading fails behind what is waiting
   */
  push(message: string): boolean {
    if (this.#end !== undefined) return true
    const line = encoder.encode(`${message.replace(/[\r\n]+/g, ' ')}\n`)
    this.#lines.push(line)
    this.#bytes += line.length
    this.#serve()
    if (this.#bytes <= this.#maxBytes) return true
    this.fail(new ConnectionLostError('messages came faster than they were read'))
    return false
  }

  /** Nothing more comes; the first end holds. */
  end(): void {
    this.#end ??= {}
    this.#serve()
  }

  fail(error: Error): void {
    this.#end ??= { error }
    this.#serve()
  }

  /** All that waits, in one piece, and then the end. */
  read(): Promise<BodyPiece> {
    this.#reader = Promise.withResolvers()
    const { promise } = this.#reader
    this.#serve()
    return promise
  }

  #serve(): void {
    const reader = this.#reader
    if (reader === undefined || (this.#lines.length === 0 && this.#end === undefined)) return
    this.#reader = undefined
    if (this.#lines.length > 0) reader.resolve({ done: false, value: this.#take() })
    else if (this.#end?.error === undefined) reader.resolve({ done: true })
    else reader.reject(this.#end.error)
  }

  #take(): Uint8Array {
    const all = Buffer.concat(this.#lines, this.#bytes)
    this.#lines = []
    this.#bytes = 0
    return all
  }
}
