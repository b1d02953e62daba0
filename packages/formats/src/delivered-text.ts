import { TextBuffer } from './text-buffer.ts'
import { utf8Length } from './utf8.ts'

/** What an answer delivered, for counting tokens when the upstream sent no usage. */
export interface Delivered {
  /** Content, reasoning, refusals, tool names and arguments in the order they came. */
  readonly text: string
  /** Bytes of text beyond what is kept. */
  readonly overflowBytes: number
  readonly toolCalls: number
}

/** Characters kept per answer: a tokenizer beyond this would cost more than it tells. */
const keptCharacters = 256 * 1024

/** Collects the text of an answer in bounded memory. */
export class DeliveredText {
  readonly #text = new TextBuffer()
  #kept = 0
  #overflowBytes = 0
  #toolCalls = 0

  append(piece: string): void {
    if (piece === '') return
    if (this.#kept + piece.length > keptCharacters) {
      this.#overflowBytes += utf8Length(piece)
      return
    }
    this.#kept += piece.length
    this.#text.append(piece)
  }

  /** A tool call begins; its arguments are appended as they come. */
  appendCall(name: string): void {
    if (name !== '') this.#toolCalls++
    this.append(name)
  }

  /** Grows with everything that is delivered. */
  get size(): number {
    return this.#kept + this.#overflowBytes
  }

  read(): Delivered {
    return { text: this.#text.read(), overflowBytes: this.#overflowBytes, toolCalls: this.#toolCalls }
  }
}
