import type { PromptImage, PromptMessage } from '../../canonical/prompt.ts'
import { decodeUtf8 } from '../../json/utf8.ts'
import type { JsonObject } from '../../json/value.ts'

const noImages: readonly PromptImage[] = []

/**
 * A message of a role and one text, as nearly all are, whose text stays in the bytes of its request. Stands for it in the
 * outline of a body and in its prompt: `content` is there, and empty.
 */
export class PlainMessage implements PromptMessage {
  readonly role: string
  readonly content = ''
  readonly #textBytes: number
  readonly #bytes: Uint8Array
  readonly #open: number
  readonly #end: number

  /** @param open offset of the text's opening quote, `end` the one behind its closing quote */
  constructor(role: string, bytes: Uint8Array, open: number, end: number, textBytes: number) {
    this.role = role
    this.#bytes = bytes
    this.#open = open
    this.#end = end
    this.#textBytes = textBytes
  }

  /** Length of the text in UTF-8. */
  get textBytes(): number {
    return this.#textBytes
  }

  get name(): string {
    return ''
  }

  /** Decoded at each look: whoever wants them reads them once. */
  get texts(): readonly string[] {
    if (this.#textBytes === 0) return []
    return [String(JSON.parse(decodeUtf8(this.#bytes.subarray(this.#open, this.#end))))]
  }

  get images(): readonly PromptImage[] {
    return noImages
  }

  get audioParts(): number {
    return 0
  }

  get fileParts(): number {
    return 0
  }
}

/** Returns whether the content of a message, in a body or its outline, is a text with a character. */
export function hasPlainText(message: JsonObject): boolean {
  if (message instanceof PlainMessage) return message.textBytes > 0
  return typeof message.content === 'string' && message.content !== ''
}
