import { foldTable } from './fold-units.ts'
import { WordAutomaton, type WordTables } from './word-automaton.ts'
import { createWordSearch } from './word-search.ts'

/** Steps between two pauses: each is far below a millisecond. */
const stepsPerSlice = 8192

/**
 * Builds an automaton in slices, between which its caller may do something else. Time and memory follow the words' length.
 * Empty words are left out.
 */
export function* buildAutomaton(words: readonly string[]): Generator<undefined, WordAutomaton> {
  const sorted = yield* sortedWords(words)
  const trie = yield* buildTrie(sorted)
  yield* addFallbacks(trie)
  return new WordAutomaton(trie, createWordSearch(sorted))
}

/** The same at once, for a few words. */
export function automatonOf(words: readonly string[]): WordAutomaton {
  const building = buildAutomaton(words)
  for (;;) {
    const { done, value } = building.next()
    if (done === true) return value
  }
}

/** Folded, in the order of their code units. By first unit, so that no sort takes long. */
function* sortedWords(words: readonly string[]): Generator<undefined, readonly string[]> {
  const byFirst = new Map<number, string[]>()
  let steps = 0
  for (const word of words) {
    const folded = foldWord(word)
    if (folded === '') continue
    const first = folded.charCodeAt(0)
    const others = byFirst.get(first)
    if (others === undefined) byFirst.set(first, [folded])
    else others.push(folded)
    if (++steps % stepsPerSlice === 0) yield
  }
  const sorted: string[] = []
  for (const first of [...byFirst.keys()].sort((a, b) => a - b)) {
    for (const word of (byFirst.get(first) ?? []).sort()) sorted.push(word)
    yield
  }
  return sorted
}

function foldWord(word: string): string {
  const fold = foldTable()
  let folded = ''
  for (let at = 0; at < word.length; at += 1) folded += String.fromCharCode(fold[word.charCodeAt(at)] ?? 0)
  return folded
}

interface Trie extends WordTables {
  readonly parents: Int32Array
}

/** Nodes in the order of their depth: the words that a node begins stand side by side, and so do its children. */
function* buildTrie(sorted: readonly string[]): Generator<undefined, Trie> {
  const builder = new TrieBuilder(sorted, yield* classesOf(sorted))
  let steps = 0
  for (let node = 0; node < builder.count; node += 1) {
    for (const at of builder.wordsOf(node)) {
      if (++steps % stepsPerSlice === 0) yield
      builder.add(node, at)
    }
  }
  return builder.finish()
}

class TrieBuilder {
  count = 1
  readonly #sorted: readonly string[]
  readonly #trie: Trie
  /** The words that a node begins: from `starts[node]` up to `ends[node]`. */
  readonly #starts: Int32Array
  readonly #ends: Int32Array

  constructor(sorted: readonly string[], classes: Uint16Array) {
    const limit = sorted.reduce((sum, { length }) => sum + length, 1)
    this.#sorted = sorted
    this.#trie = emptyTrie(limit, classes)
    this.#starts = new Int32Array(limit)
    this.#ends = new Int32Array(limit)
    this.#ends[0] = sorted.length
  }

  *wordsOf(node: number): Generator<number> {
    this.#trie.first[node] = this.count
    const end = this.#ends[node] ?? 0
    for (let at = this.#starts[node] ?? 0; at < end; at += 1) yield at
  }

  /** A word that the node begins: it ends there, or goes on in a child. */
  add(node: number, at: number): void {
    const { classes, depths, lengths, first, labels } = this.#trie
    const word = this.#sorted[at] ?? ''
    const depth = depths[node] ?? 0
    if (word.length === depth) {
      lengths[node] = depth
      return
    }
    const label = classes[word.charCodeAt(depth)] ?? 0
    if (this.count === first[node] || labels[this.count - 1] !== label) this.#addNode(node, label, at)
    this.#ends[this.count - 1] = at + 1
  }

  finish(): Trie {
    this.#trie.first[this.count] = this.count
    return cut(this.#trie, this.count)
  }

  #addNode(parent: number, label: number, start: number): void {
    const node = this.count
    const { labels, depths, parents, roots } = this.#trie
    labels[node] = label
    depths[node] = (depths[parent] ?? 0) + 1
    parents[node] = parent
    this.#starts[node] = start
    if (parent === 0) roots[label] = node
    this.count += 1
  }
}

function emptyTrie(limit: number, classes: Uint16Array): Trie {
  return {
    classes,
    roots: new Int32Array(classes.reduce((limit, each) => Math.max(limit, each), 0) + 1),
    first: new Int32Array(limit + 1),
    labels: new Uint16Array(limit),
    fallback: new Int32Array(limit),
    depths: new Int32Array(limit),
    lengths: new Int32Array(limit),
    parents: new Int32Array(limit),
  }
}

/** Words share their beginnings: there are fewer nodes than letters. */
function cut(trie: Trie, count: number): Trie {
  return {
    ...trie,
    first: trie.first.slice(0, count + 1),
    labels: trie.labels.slice(0, count),
    fallback: trie.fallback.slice(0, count),
    depths: trie.depths.slice(0, count),
    lengths: trie.lengths.slice(0, count),
    parents: trie.parents.slice(0, count),
  }
}

/** Classes in the order of the folded units; all units that fold to one share its class. */
function* classesOf(sorted: readonly string[]): Generator<undefined, Uint16Array> {
  const fold = foldTable()
  const used = new Uint8Array(fold.length)
  let steps = 0
  for (const word of sorted) {
    for (let at = 0; at < word.length; at += 1) used[word.charCodeAt(at)] = 1
    if (++steps % stepsPerSlice === 0) yield
  }
  const ofFolded = new Uint16Array(fold.length)
  let count = 0
  for (let unit = 0; unit < used.length; unit += 1) if (used[unit] === 1) ofFolded[unit] = ++count
  return fold.map((unit) => ofFolded[unit] ?? 0)
}

/** Adds the fallbacks of a trie; a node's parent is always done before it. */
function* addFallbacks(trie: Trie): Generator<undefined, void> {
  const steps = new WordAutomaton(trie)
  const { classes, parents, labels, fallback, lengths } = trie
  const unitOf = unitsByClass(classes)
  for (let node = 1; node < labels.length; node += 1) {
    const parent = parents[node] ?? 0
    const unit = unitOf[labels[node] ?? 0] ?? 0
    const other = parent === 0 ? 0 : steps.next(fallback[parent] ?? 0, unit)
    fallback[node] = other
    if (lengths[node] === 0) lengths[node] = lengths[other] ?? 0
    if (node % stepsPerSlice === 0) yield
  }
}

/** One unit of each class. */
function unitsByClass(classes: Uint16Array): Uint16Array {
  const units = new Uint16Array(classes.length)
  for (let unit = 0; unit < classes.length; unit += 1) units[classes[unit] ?? 0] = unit
  return units
}
