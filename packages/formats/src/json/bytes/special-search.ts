import { backslash, quote } from '../marks.ts'
import { controlOffset } from './plain-bytes.ts'
import { type VectorWindow, vectorWindow } from './vector-search.ts'

/** Finds the bytes that do not stand for themselves within a JSON text, from the front to the back. */
export interface SpecialSearch {
  /** Offset of the first quote, backslash or control character from `from` on; the length where there is none. */
  next(from: number): number
}

/** `undefined` before the first search, and for good on a host without vectors. */
let shared: SharedWindow | undefined
let isPrepared = false

/** The search that is quickest here. Linear over one body while no search through another comes between. */
export function specialSearch(bytes: Uint8Array): SpecialSearch {
  if (!isPrepared) {
    isPrepared = true
    const window = vectorWindow()
    shared = window && new SharedWindow(window)
  }
  return shared === undefined ? new SeparateSearches(bytes) : new WindowedSearch(bytes, shared)
}

/** Bytes that are copied and searched at once: they stay in the processor's nearest memory meanwhile. */
const windowBytes = 64 * 1024

/** One window for all bodies: they are scanned one after the other. */
class SharedWindow {
  readonly #window: VectorWindow
  /** The search whose bytes are in the window: by its number, so that nothing holds a body that is over. */
  #reader = 0
  #readers = 0
  #base = 0
  #end = 0

  constructor(window: VectorWindow) {
    this.#window = window
  }

  /** Numbers a search. */
  enter(): number {
    this.#readers += 1
    return this.#readers
  }

  /** Offset behind the bytes that were searched last. */
  get end(): number {
    return this.#end
  }

  /** Offset of the first special byte from `from` on; `end` or more where the window that begins there holds none. */
  find(reader: number, bytes: Uint8Array, from: number): number {
    const isLoaded = this.#reader === reader && from >= this.#base && from < this.#end
    if (!isLoaded) this.#load(reader, bytes, from)
    return this.#base + this.#window.find(from - this.#base, this.#end - this.#base)
  }

  #load(reader: number, bytes: Uint8Array, from: number): void {
    this.#reader = reader
    this.#base = from
    this.#end = Math.min(bytes.length, from + windowBytes)
    this.#window.memory.set(bytes.subarray(from, this.#end))
  }
}

class WindowedSearch implements SpecialSearch {
  readonly #bytes: Uint8Array
  readonly #window: SharedWindow
  readonly #reader: number

  constructor(bytes: Uint8Array, window: SharedWindow) {
    this.#bytes = bytes
    this.#window = window
    this.#reader = window.enter()
  }

  next(from: number): number {
    const { length } = this.#bytes
    for (let at = from; at < length; at = this.#window.end) {
      const found = this.#window.find(this.#reader, this.#bytes, at)
      if (found < this.#window.end) return found
    }
    return length
  }
}

/** A search for each of them, by what the language has. */
export class SeparateSearches implements SpecialSearch {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  /** Offsets that searches found last, so that none is searched for twice; the length for none. */
  #quote = -1
  #backslash = -1
  #control = -1

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  next(from: number): number {
    if (this.#quote < from) this.#quote = this.#offsetOf(quote, from)
    if (this.#backslash < from) this.#backslash = this.#offsetOf(backslash, from)
    if (this.#control < from) this.#control = controlOffset(this.#view, from)
    return Math.min(this.#quote, this.#backslash, this.#control)
  }

  #offsetOf(code: number, from: number): number {
    const offset = this.#bytes.indexOf(code, from)
    return offset < 0 ? this.#bytes.length : offset
  }
}
