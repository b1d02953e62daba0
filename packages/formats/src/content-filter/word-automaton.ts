import type { WordSearch } from './word-search.ts'

/** The tables of an automaton. A node is the beginning of some words; the root, number 0, is the empty one. */
export interface WordTables {
  /** Class of each UTF-16 code unit; 0 for those that are in no word. */
  readonly classes: Uint16Array
  /** Children of the root by class. */
  readonly roots: Int32Array
  /** Children of a node: the nodes from `first[node]` up to `first[node + 1]`, in the order of their labels. */
  readonly first: Int32Array
  /** Class by which a node is reached. */
  readonly labels: Uint16Array
  /** Longest other beginning of a word that a node's text ends with. */
  readonly fallback: Int32Array
  readonly depths: Int32Array
  /** Length of the longest word that a node's text ends with; 0 for none. */
  readonly lengths: Int32Array
}

/**
 * Finds any of many words in a text, in one pass whose time depends on the text alone (Aho and Corasick, 1975). A state is a
 * number, 0 at the beginning of a text; it may be kept between pieces.
 */
export class WordAutomaton {
  readonly #tables: WordTables
  readonly #search: WordSearch

  /** @param search answers for most texts without a pass over each of their units */
  constructor(tables: WordTables, search: WordSearch = () => 'maybe') {
    this.#tables = tables
    this.#search = search
  }

  get isEmpty(): boolean {
    return this.#tables.lengths.length <= 1
  }

  /** @param unit a UTF-16 code unit, as written */
  next(state: number, unit: number): number {
    const { classes, roots, fallback } = this.#tables
    const label = classes[unit] ?? 0
    if (label === 0) return 0
    for (let node = state; node !== 0; node = fallback[node] ?? 0) {
      const child = this.#child(node, label)
      if (child !== 0) return child
    }
    return roots[label] ?? 0
  }

  /** Code units of the longest word that ends here; 0 for none. */
  matchedUnits(state: number): number {
    return this.#tables.lengths[state] ?? 0
  }

  /** Code units at the end of what was read that may be the beginning of a word. */
  pendingUnits(state: number): number {
    return this.#tables.depths[state] ?? 0
  }

  isIn(text: string): boolean {
    const found = this.#search(text)
    return found === 'maybe' ? this.#pass(text) >= 0 : found === 'some'
  }

  /** Returns where the first word begins; -1 without any. */
  find(text: string): number {
    return this.#search(text) === 'none' ? -1 : this.#pass(text)
  }

  /** The text with every word replaced; the same text without any. */
  mask(text: string): string {
    if (this.#search(text) === 'none') return text
    let masked = ''
    let retained = 0
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      state = this.next(state, text.charCodeAt(at))
      const length = this.matchedUnits(state)
      if (length === 0) continue
      masked += text.slice(retained, at + 1 - length) + wordMask
      retained = at + 1
      state = 0
    }
    return retained === 0 ? text : masked + text.slice(retained)
  }

  /** `find` without a search before it. Nearly every unit is read in the root, so its step stands here. */
  #pass(text: string): number {
    const { classes, roots, lengths } = this.#tables
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      state = state === 0 ? (roots[classes[unit] ?? 0] ?? 0) : this.next(state, unit)
      const length = lengths[state] ?? 0
      if (length > 0) return at + 1 - length
    }
    return -1
  }

  #child(node: number, label: number): number {
    const { first, labels } = this.#tables
    let low = first[node] ?? 0
    let high = (first[node + 1] ?? 0) - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = labels[middle] ?? 0
      if (found === label) return middle
      if (found < label) low = middle + 1
      else high = middle - 1
    }
    return 0
  }
}

/** The replacement for a word in a response. */
export const wordMask = '**###**'
