import type { ReasoningPart } from '../../canonical/request.ts'
import { JsonTemplate } from '../../json/template.ts'
import type { JsonObject } from '../../json/value.ts'
import { textInArguments } from '../../requests/custom-tools.ts'
import { TextBuffer } from '../../streams/stream-meter.ts'
import type { ToolName } from '../tool-names.ts'
import { encryptedContentOf } from './item-content.ts'

/** Receives the events of a response in their order. */
export interface EventSink {
  event(event: JsonObject): void
}

/** One item of a response under construction. */
export interface OpenItem {
  readonly isOpen: boolean
  /** Sends the rest of the item, and the events that complete it. */
  close(status: ItemStatus): void
}

/** End of an item. */
export type ItemStatus = 'completed' | 'incomplete'

/** Gives the items of a response their places and stores them for its last event. */
export class OutputWriter {
  readonly #sink: EventSink
  readonly #suffix: string
  readonly #items: JsonObject[] = []

  /** @param suffix distinguishes the ids of this response's items from those of others */
  constructor(suffix: string, sink: EventSink) {
    this.#sink = sink
    this.#suffix = suffix
  }

  /** Items as far as they are complete, in their order. */
  get items(): readonly JsonObject[] {
    return this.#items
  }

  /** The next item's place and the beginning of its id. */
  start(prefix: string, item: JsonObject): ItemWriter {
    const index = this.#items.length
    const id = `${prefix}_${this.#suffix}_${index}`
    this.#items.push({ id, ...item })
    this.#sink.event({ type: 'response.output_item.added', output_index: index, item: { id, ...item } })
    return new ItemWriter(id, index, this.#sink, (complete) => {
      this.#items[index] = complete
    })
  }
}

/** The events of one item. */
export class ItemWriter {
  readonly id: string
  readonly #index: number
  readonly #sink: EventSink
  readonly #keep: (item: JsonObject) => void

  constructor(id: string, index: number, sink: EventSink, keep: (item: JsonObject) => void) {
    this.id = id
    this.#index = index
    this.#sink = sink
    this.#keep = keep
  }

  emit(type: string, fields: JsonObject = {}): void {
    this.#sink.event({ type: `response.${type}`, ...this.#with(fields) })
  }

  /** Returns what events that differ in one text alone say beside their type. */
  repeated(fields: (text: string) => JsonObject): JsonTemplate {
    return new JsonTemplate((text) => this.#with(fields(text)))
  }

  done(item: JsonObject): void {
    const complete = this.keep(item)
    this.#sink.event({ type: 'response.output_item.done', output_index: this.#index, item: complete })
  }

  /** The item as the last event of the response holds it, without an event of its own. */
  keep(item: JsonObject): JsonObject {
    const complete = { id: this.id, ...item }
    this.#keep(complete)
    return complete
  }

  #with(fields: JsonObject): JsonObject {
    return { item_id: this.id, output_index: this.#index, ...fields }
  }
}

/** A tool call. Free text for a custom tool goes out only when the arguments that hold it are complete. */
export class CallItem implements OpenItem {
  isOpen = true
  readonly #tool: ToolName
  readonly #head: JsonObject
  readonly #writer: ItemWriter
  readonly #text = new TextBuffer()

  constructor(output: OutputWriter, id: string, tool: ToolName) {
    const { name, namespace, isCustom } = tool
    this.#tool = tool
    this.#head = {
      type: isCustom ? 'custom_tool_call' : 'function_call',
      call_id: id,
      name,
      ...(namespace !== '' && { namespace }),
    }
    const empty = isCustom ? { input: '' } : { arguments: '' }
    this.#writer = output.start(isCustom ? 'ctc' : 'fc', { ...this.#head, status: 'in_progress', ...empty })
  }

  add(delta: string): void {
    if (!this.isOpen || delta === '') return
    this.#text.append(delta)
    if (!this.#tool.isCustom) this.#writer.emit('function_call_arguments.delta', { delta })
  }

  close(status: ItemStatus): void {
    if (!this.isOpen) return
    if (status === 'incomplete') this.#abandon()
    else this.#end()
    this.isOpen = false
  }

  #end(): void {
    // No arguments at all are an empty object.
    if (this.#text.isEmpty && !this.#tool.isCustom) this.add('{}')
    const text = this.#text.read()
    const stated = this.#tool.isCustom ? this.#input(text) : this.#complete(text)
    this.#writer.done({ ...this.#head, status: 'completed', ...stated })
  }

  /**
   * Ends a call that is cut. Codex and Vercel's SDK make every call that is done, whatever its status says: half of some JSON
   * is refused there, half of a free text is not, and no arguments are taken for none.
   */
  #abandon(): void {
    const stated = this.#tool.isCustom ? { input: '' } : { arguments: this.#text.read() }
    const item = { ...this.#head, status: 'incomplete', ...stated }
    if (this.#tool.isCustom || this.#text.isEmpty) this.#writer.keep(item)
    else this.#writer.done(item)
  }

  #complete(text: string): JsonObject {
    this.#writer.emit('function_call_arguments.done', { name: this.#tool.name, arguments: text })
    return { arguments: text }
  }

  #input(text: string): JsonObject {
    const input = textInArguments(text)
    this.#writer.emit('custom_tool_call_input.delta', { delta: input })
    this.#writer.emit('custom_tool_call_input.done', { input })
    return { input }
  }
}

type ReasoningProof = Pick<ReasoningPart, 'signature' | 'encrypted'>

/** Reasoning, as a summary with one part: callers see it there, also where the vendor shows the complete reasoning. */
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

  /** Ends reasoning without a signature. */
  close(status: ItemStatus): void {
    this.#end(encryptedContentOf({}), status === 'incomplete' ? { status } : {})
  }

  closeWith(proof: ReasoningProof): void {
    this.end(encryptedContentOf(proof))
  }

  /** @param opaque what the caller is to return unread */
  end(opaque: string): void {
    this.#end(opaque, {})
  }

  #end(opaque: string, status: JsonObject): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#writer.done({ type: 'reasoning', summary: this.#summary(), encrypted_content: opaque, ...status })
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
