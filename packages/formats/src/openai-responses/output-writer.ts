import type { JsonObject } from '../json-value.ts'

/** Takes the events of an answer as they arise. */
export type Emit = (event: JsonObject) => void

/** One item of an answer in the making. */
export interface OpenItem {
  readonly isOpen: boolean
  /** Tells what is left of it, and that it is whole. */
  close(status: ItemStatus): void
}

export type ItemStatus = 'completed' | 'incomplete'

/** Where the items of an answer get their places, and are kept for its last event. */
export class OutputWriter {
  readonly #emit: Emit
  readonly #suffix: string
  readonly #items: JsonObject[] = []

  /** @param suffix what tells the ids of this answer's items from those of others */
  constructor(suffix: string, emit: Emit) {
    this.#emit = emit
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
    this.#emit({ type: 'response.output_item.added', output_index: index, item: { id, ...item } })
    return new ItemWriter(id, index, this.#emit, (whole) => {
      this.#items[index] = whole
    })
  }
}

/** The events of one item. */
export class ItemWriter {
  readonly id: string
  readonly #index: number
  readonly #emit: Emit
  readonly #keep: (item: JsonObject) => void

  constructor(id: string, index: number, emit: Emit, keep: (item: JsonObject) => void) {
    this.id = id
    this.#index = index
    this.#emit = emit
    this.#keep = keep
  }

  emit(type: string, fields: JsonObject = {}): void {
    this.#emit({ type: `response.${type}`, item_id: this.id, output_index: this.#index, ...fields })
  }

  done(item: JsonObject): void {
    const whole = { id: this.id, ...item }
    this.#keep(whole)
    this.#emit({ type: 'response.output_item.done', output_index: this.#index, item: whole })
  }
}
