import { JsonTemplate } from '../json-template.ts'
import type { JsonObject } from '../json-value.ts'

/** Takes the events of an answer as they arise. */
export interface EventSink {
  event(event: JsonObject): void
}

/** One item of an answer in the making. */
export interface OpenItem {
  readonly isOpen: boolean
  /** Tells what is left of it, and that it is whole. */
  close(status: ItemStatus): void
}

export type ItemStatus = 'completed' | 'incomplete'

/** Where the items of an answer get their places, and are kept for its last event. */
export class OutputWriter {
  readonly #sink: EventSink
  readonly #suffix: string
  readonly #items: JsonObject[] = []

  /** @param suffix what tells the ids of this answer's items from those of others */
  constructor(suffix: string, sink: EventSink) {
    this.#sink = sink
    this.#suffix = suffix
  }

  /** Items as far as they are whole, in their order. */
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

  /** What events that differ in one text alone say beside their type. */
  repeated(fields: (text: string) => JsonObject): JsonTemplate {
    return new JsonTemplate((text) => this.#with(fields(text)))
  }

  done(item: JsonObject): void {
    const complete = { id: this.id, ...item }
    this.#keep(complete)
    this.#sink.event({ type: 'response.output_item.done', output_index: this.#index, item: complete })
  }

  #with(fields: JsonObject): JsonObject {
    return { item_id: this.id, output_index: this.#index, ...fields }
  }
}
