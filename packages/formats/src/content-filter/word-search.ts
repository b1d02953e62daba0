import { foldTable } from './fold-units.ts'

/** Words up to which each is looked for by itself: a pass of the runtime's search costs a tenth of a pass of the automaton or more. */
const maxWords = 8
/**
 * Code units of a word that are looked for. They bound the time of a text that was written to begin a word at every place: it is
 * read this often at most.
 */
const maxUnits = 8

/** Says of a text whether it may hold a word; it never misses one. */
export type WordSearch = (text: string) => 'none' | 'some' | 'maybe'

/**
 * Makes a search for few words that allocates nothing and skips most of a text, as searches for one pattern can (Boyer and Moore,
 * 1977); `undefined` for many words. A word longer than eight units is looked for by its beginning, and `maybe` found.
 * @param folded words as `foldTable` compares them, without empty ones
 */
export function createWordSearch(folded: readonly string[]): WordSearch | undefined {
  if (folded.length > maxWords) return undefined
  const whole = folded.filter((word) => word.length <= maxUnits).map(patternOf)
  const beginnings = folded.filter((word) => word.length > maxUnits).map(patternOf)
  return (text) => {
    for (const pattern of whole) if (pattern.test(text)) return 'some'
    for (const pattern of beginnings) if (pattern.test(text)) return 'maybe'
    return 'none'
  }
}

function patternOf(folded: string): RegExp {
  const units = folded
    .slice(0, maxUnits)
    .split('')
    .map((unit) => unitsThatFoldTo(unit.charCodeAt(0)))
  return new RegExp(units.map(classOf).join(''))
}

function classOf(units: readonly number[]): string {
  const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  return units.length === 1 ? escaped : `[${escaped}]`
}

let unfolded: ReadonlyMap<number, readonly number[]> | undefined

/** Every code unit that is compared as this one. */
function unitsThatFoldTo(folded: number): readonly number[] {
  unfolded ??= unfold()
  return unfolded.get(folded) ?? [folded]
}

function unfold(): ReadonlyMap<number, readonly number[]> {
  const units = new Map<number, number[]>()
  for (const [unit, folded] of foldTable().entries()) {
    const others = units.get(folded)
    if (others === undefined) units.set(folded, [unit])
    else others.push(unit)
  }
  return units
}
