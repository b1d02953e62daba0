import type { Citation, TokenLogprob } from '../../canonical/response.ts'
import type { JsonTemplate } from '../../json/template.ts'
import type { JsonObject } from '../../json/value.ts'
import { TextBuffer } from '../../streams/stream-meter.ts'
import { encodeCitation, encodeLogprob } from './item-content.ts'
import type { ItemStatus, ItemWriter, OpenItem, OutputWriter } from './output-items.ts'

/** Message of the model: parts of text and of refusal, one open at a time. */
export class MessageItem implements OpenItem {
  isOpen = true
  readonly #writer: ItemWriter
  readonly #content: JsonObject[] = []
  #part: TextPart | RefusalPart | undefined

  constructor(output: OutputWriter) {
    this.#writer = output.start('msg', {
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    })
  }

  addText(text: string): void {
    this.#text().add(text)
  }

  /** See `ResponseOutput.addPiece`. */
  addPiece(text: string): JsonTemplate | undefined {
    return this.isOpen && this.#part instanceof TextPart ? this.#part.addPiece(text) : undefined
  }

  addRefusal(text: string): void {
    if (!(this.#part instanceof RefusalPart)) this.#open(new RefusalPart(this.#writer, this.#content.length))
    this.#part?.add(text)
  }

  addCitation(citation: Citation): void {
    this.#text().cite(citation)
  }

  /** They come behind their text. */
  addLogprobs(logprobs: readonly TokenLogprob[]): void {
    this.#text().addLogprobs(logprobs.map(encodeLogprob))
  }

  close(status: ItemStatus): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#closePart()
    this.#writer.done({ type: 'message', status, role: 'assistant', content: this.#content })
  }

  #text(): TextPart {
    if (this.#part instanceof TextPart) return this.#part
    return this.#open(new TextPart(this.#writer, this.#content.length))
  }

  #open<Part extends TextPart | RefusalPart>(part: Part): Part {
    this.#closePart()
    this.#part = part
    return part
  }

  #closePart(): void {
    if (this.#part !== undefined) this.#content.push(this.#part.close())
    this.#part = undefined
  }
}

class TextPart {
  readonly #writer: ItemWriter
  /** A further piece, which most events are. */
  readonly #piece: JsonTemplate
  readonly #position: number
  readonly #text = new TextBuffer()
  readonly #logprobs: unknown[] = []
  readonly #annotations: JsonObject[] = []

  constructor(writer: ItemWriter, position: number) {
    this.#writer = writer
    this.#position = position
    this.#emit('content_part.added', { part: this.#complete() })
    this.#piece = writer.repeated((delta) => ({ content_index: position, delta, logprobs: [] }))
  }

  add(delta: string): void {
    this.addPiece(delta)
    this.#emit('output_text.delta', { delta, logprobs: [] })
  }

  addPiece(delta: string): JsonTemplate {
    this.#text.append(delta)
    return this.#piece
  }

  addLogprobs(logprobs: readonly unknown[]): void {
    this.#logprobs.push(...logprobs)
    this.#emit('output_text.delta', { delta: '', logprobs })
  }

  cite(citation: Citation): void {
    const annotation = encodeCitation(citation)
    this.#annotations.push(annotation)
    const annotation_index = this.#annotations.length - 1
    this.#emit('output_text.annotation.added', { annotation_index, annotation })
  }

  close(): JsonObject {
    const part = this.#complete()
    this.#emit('output_text.done', { text: part.text, logprobs: this.#logprobs })
    this.#emit('content_part.done', { part })
    return part
  }

  #complete(): JsonObject {
    const text = this.#text.read()
    return { type: 'output_text', text, annotations: [...this.#annotations], logprobs: [...this.#logprobs] }
  }

  #emit(type: string, fields: JsonObject): void {
    this.#writer.emit(type, { content_index: this.#position, ...fields })
  }
}

class RefusalPart {
  readonly #writer: ItemWriter
  readonly #position: number
  readonly #text = new TextBuffer()

  constructor(writer: ItemWriter, position: number) {
    this.#writer = writer
    this.#position = position
    writer.emit('content_part.added', { content_index: position, part: { type: 'refusal', refusal: '' } })
  }

  add(delta: string): void {
    this.#text.append(delta)
    this.#writer.emit('refusal.delta', { content_index: this.#position, delta })
  }

  close(): JsonObject {
    const refusal = this.#text.read()
    const part = { type: 'refusal', refusal }
    this.#writer.emit('refusal.done', { content_index: this.#position, refusal })
    this.#writer.emit('content_part.done', { content_index: this.#position, part })
    return part
  }
}
