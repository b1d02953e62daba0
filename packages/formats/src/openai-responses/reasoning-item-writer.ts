import type { ReasoningPart } from '../canonical/request.ts'
import { TextBuffer } from '../text-buffer.ts'
import type { ItemWriter, OpenItem, OutputWriter } from './output-writer.ts'
import { encryptedContentOf } from './reasoning-item.ts'

type ReasoningProof = Pick<ReasoningPart, 'signature' | 'encrypted'>

/** Thoughts, as a summary with one part: where the vendor shows them whole, callers see them there, too. */
export class ReasoningItemWriter implements OpenItem {
  isOpen = true
  readonly #writer: ItemWriter
  readonly #text = new TextBuffer()

  constructor(output: OutputWriter) {
    this.#writer = output.start('rs', { type: 'reasoning', summary: [] })
  }

  add(delta: string): void {
    if (this.#text.isEmpty) this.#emit('part.added', { part: { type: 'summary_text', text: '' } })
    this.#text.append(delta)
    this.#emit('text.delta', { delta })
  }

  /** Thoughts that end without a proof have none. */
  close(): void {
    this.closeWith({})
  }

  closeWith(proof: ReasoningProof): void {
    this.end(encryptedContentOf(proof))
  }

  /** @param opaque what the caller is to return unread */
  end(opaque: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#writer.done({ type: 'reasoning', summary: this.#summary(), encrypted_content: opaque })
  }

  #summary(): readonly unknown[] {
    if (this.#text.isEmpty) return []
    const text = this.#text.read()
    const part = { type: 'summary_text', text }
    this.#emit('text.done', { text })
    this.#emit('part.done', { part })
    return [part]
  }

  #emit(event: string, fields: Readonly<Record<string, unknown>>): void {
    this.#writer.emit(`reasoning_summary_${event}`, { summary_index: 0, ...fields })
  }
}
