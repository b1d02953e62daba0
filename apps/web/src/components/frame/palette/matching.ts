import { defaultFilter } from 'cmdk'

/** What can be found by its words. */
interface Findable {
  readonly title: string
  readonly keywords?: readonly string[]
}

/** Those that the typed text may mean, the likeliest first; all of them, as they stand, for no text. */
export function matching<Entry extends Findable>(entries: readonly Entry[], text: string): readonly Entry[] {
  if (text === '') return entries
  return entries
    .map((entry) => ({ entry, score: defaultFilter?.(entry.title, text, [...(entry.keywords ?? [])]) ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .map(({ entry }) => entry)
}
