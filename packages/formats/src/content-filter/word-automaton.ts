const units = 0x10000
/** Full-width forms of ASCII, as Chinese input methods write them. */
const fullWidthStart = 0xff01
const fullWidthEnd = 0xff5e
const fullWidthOffset = 0xfee0

let table: Uint16Array | undefined

/**
 * Returns for each UTF-16 code unit the one that it is compared as: lower case, and plain for full-width. Unit for unit, so that
 * places in a folded text are places in the text. Made when it is first asked for.
 */
export function foldTable(): Uint16Array {
  table ??= makeTable()
  return table
}

function makeTable(): Uint16Array {
  const made = new Uint16Array(units)
  for (let unit = 0; unit < units; unit += 1) made[unit] = foldedUnit(unit)
  return made
}

function foldedUnit(unit: number): number {
  const isFullWidth = unit >= fullWidthStart && unit <= fullWidthEnd
  const plain = isFullWidth ? unit - fullWidthOffset : unit
  const lower = String.fromCharCode(plain).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : plain
}

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

  constructor(tables: WordTables) {
    this.#tables = tables
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

  /** Returns where the first word begins; -1 without any. */
  find(text: string): number {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      state = this.next(state, text.charCodeAt(at))
      const length = this.matchedUnits(state)
      if (length > 0) return at + 1 - length
    }
    return -1
  }

  /** The text with every word replaced; the same text without any. */
  mask(text: string): string {
    let masked = ''
    let kept = 0
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      state = this.next(state, text.charCodeAt(at))
      const length = this.matchedUnits(state)
      if (length === 0) continue
      masked += text.slice(kept, at + 1 - length) + wordMask
      kept = at + 1
      state = 0
    }
    return kept === 0 ? text : masked + text.slice(kept)
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
