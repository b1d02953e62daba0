/** A body of events is read all at once: so many lines take a quarter of a second. Long responses have a third of them. */
const maxLines = 100_000
const maxBytes = 16 * 1024 * 1024
const lineFeed = 0x0a
const beginningLength = 64
const utf8 = new TextDecoder()

/** Beginning of a body that is a stream in the place of one response. */
const isEvents = /^\s*(?:data|event|id|retry)?:/

/** Counts the lines of a body that is made of events, as it comes. Other bodies may be anything. */
export class EventBody {
  #isEvents: boolean | undefined
  #lines = 0
  #bytes = 0

  /** Decides whether the body has more events than are read at once. */
  exceedsWith(piece: Uint8Array): boolean {
    this.#isEvents ??= isEvents.test(utf8.decode(piece.subarray(0, beginningLength)))
    if (!this.#isEvents) return false
    this.#bytes += piece.length
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) this.#lines += 1
    return this.#lines > maxLines || this.#bytes > maxBytes
  }
}
