import type { NameCharacters, NameLimit } from './target-profile.ts'

/** Characters of a name. */
interface Alphabet {
  /** A name that is taken, whatever its length. */
  readonly fitting: RegExp
  readonly refused: RegExp
  readonly begins?: RegExp
  /** Stands for a refused character, and in front of a name that may not begin as it does. */
  readonly filler: string
}

const alphabets: Readonly<Record<NameCharacters, Alphabet>> = {
  word: { fitting: /^[A-Za-z0-9_-]*$/, refused: /[^A-Za-z0-9_-]/g, filler: '_' },
  gemini: {
    fitting: /^[A-Za-z_][A-Za-z0-9_.:-]*$/,
    refused: /[^A-Za-z0-9_.:-]/g,
    begins: /^[A-Za-z_]/,
    filler: '_',
  },
  alphanumeric: { fitting: /^[A-Za-z0-9]*$/, refused: /[^A-Za-z0-9]/g, filler: '' },
  any: { fitting: /^/, refused: /(?!)/g, filler: '' },
}

/** Checks that a target takes a name or id unchanged. */
export function fits(name: string, { max, exactly, characters }: NameLimit): boolean {
  if (name.length > max || (exactly !== undefined && name.length !== exactly)) return false
  return alphabets[characters].fitting.test(name)
}

/**
 * The name as the target takes it: itself where it can, else its beginning and a sum of the whole, the same every time, so that two
 * names stay two and a call still names its result.
 */
export function shortName(name: string, limit: NameLimit): string {
  if (fits(name, limit)) return name
  const { refused, begins, filler } = alphabets[limit.characters]
  if (limit.exactly !== undefined) return digitsOf(name, limit.exactly)
  const clean = name.replace(refused, filler)
  const begun = begins === undefined || begins.test(clean) ? clean : filler + clean
  const sum = filler + digitsOf(name, sumLength)
  return begun.slice(0, Math.max(limit.max - sum.length, 0)) + sum
}

const sumLength = 8

const digits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Two FNV-1a sums with different primes: 53 bits, as many as a number holds exactly. */
const seedA = 0x811c9dc5
const seedB = 0x050c5d1f
const primeA = 0x01000193
const primeB = 0x01000197

/** A sum of a text in letters and digits, of the given length; nine of them are 53 bits. */
function digitsOf(text: string, length: number): string {
  let [first, second] = [seedA, seedB]
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    first = Math.imul(first ^ code, primeA) >>> 0
    second = Math.imul(second ^ code, primeB) >>> 0
  }
  let rest = first * 2 ** 21 + (second >>> 11)
  return Array.from({ length }, () => {
    const digit = digits[rest % digits.length]
    rest = Math.floor(rest / digits.length)
    return digit
  }).join('')
}
