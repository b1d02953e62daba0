/** Entry that its words find. */
export interface Findable {
  readonly title: string
  /** Other words that find it, after its title. */
  readonly keywords?: readonly string[]
}

/** Ranks of the ways in which typed text fits: the better way has the larger number. */
const fits = { exact: 5, prefix: 4, words: 3, inside: 2, subsequence: 1, none: 0 } as const

/** Ranks how well the text fits an entry; 0 when it does not. */
export function rankOf({ title, keywords = [] }: Findable, text: string): number {
  const typed = text.toLowerCase()
  const ofKeywords = keywords.map((keyword) => fitOf(keyword.toLowerCase(), typed))
  return Math.max(
    fitOf(title.toLowerCase(), typed),
    // Letters that are scattered over a keyword are chance.
    ...ofKeywords.map((fit) => (fit === fits.subsequence ? fits.none : Math.min(fit, fits.words))),
  )
}

function fitOf(words: string, typed: string): number {
  if (words === typed) return fits.exact
  if (words.startsWith(typed)) return fits.prefix
  const parts = words.split(/[\s/_.:-]+/)
  if (typed.split(/\s+/).every((word) => parts.some((part) => part.startsWith(word)))) return fits.words
  if (words.includes(typed)) return fits.inside
  return isSubsequence(typed.replaceAll(/\s/g, ''), words) ? fits.subsequence : fits.none
}

function isSubsequence(typed: string, words: string): boolean {
  let from = 0
  for (const letter of typed) {
    const at = words.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}

/** Entries that fit the text, the best first, and those that fit alike in their order. */
export function fitting<Entry extends Findable>(entries: readonly Entry[], text: string): readonly Entry[] {
  return text === '' ? entries : byRank(entries, text).filter((entry) => rankOf(entry, text) > 0)
}

/** All entries, the best first: what the server found may fit by a field that is not shown. */
export function byRank<Entry extends Findable>(entries: readonly Entry[], text: string): readonly Entry[] {
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, text) }))
    .sort((left, right) => right.rank - left.rank)
    .map(({ entry }) => entry)
}

export interface Group<Entry> {
  readonly heading: string
  readonly entries: readonly Entry[]
}

/** One group for each heading, with each entry once: a page may offer what the server finds too. */
export function merged<Entry extends { readonly id: string }>(
  groups: readonly Group<Entry>[],
): readonly Group<Entry>[] {
  const headings = new Map<string, string>()
  const entries = new Map<string, Entry>()
  for (const group of groups)
    for (const entry of group.entries)
      if (!entries.has(entry.id)) {
        entries.set(entry.id, entry)
        headings.set(entry.id, group.heading)
      }
  return [...new Set(headings.values())].map((heading) => ({
    heading,
    entries: [...entries.values()].filter(({ id }) => headings.get(id) === heading),
  }))
}

/** Groups in the order of their best entries; none moves for no text. */
export function groupsByRank<Entry extends Findable>(
  groups: readonly Group<Entry>[],
  text: string,
): readonly Group<Entry>[] {
  if (text === '') return groups
  const best = ({ entries }: Group<Entry>) => Math.max(0, ...entries.map((entry) => rankOf(entry, text)))
  return groups
    .map(({ heading, entries }) => ({ heading, entries: byRank(entries, text) }))
    .sort((left, right) => best(right) - best(left))
}
