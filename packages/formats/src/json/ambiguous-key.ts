import type { JsonScan } from './text.ts'

/** A key that readers of the body would read differently; the code says why. */
interface AmbiguousKey {
  readonly message: string
  readonly param: string
  readonly code: 'duplicate_key' | 'unknown_parameter'
}

/**
 * Readers differ in which of two equal keys they believe, so a key that decides anything must be there once. Upstreams
 * written in Go take keys in any case (`Model` for `model`), so such a key counts as the same one.
 * @param decisive the format's own names of top-level fields that decide how a call is priced and sent
 */
export function ambiguousKey(scan: JsonScan, decisive: ReadonlySet<string>): AmbiguousKey | undefined {
  for (const { key } of scan.list) {
    const isRepeated = scan.duplicates.has(key)
    if (!isRepeated && (decisive.has(key) || isLowerCase(key))) continue
    const plain = decisive.has(key) ? key : sameIgnoringCase(key, decisive)
    if (plain === undefined) continue
    return plain === key
      ? {
          message: `${key} appears more than once in the request body: send it once`,
          param: key,
          code: 'duplicate_key',
        }
      : { message: `${key} is not a field: write it ${plain}`, param: key, code: 'unknown_parameter' }
  }
  return undefined
}

function sameIgnoringCase(key: string, decisive: ReadonlySet<string>): string | undefined {
  const folded = foldedCase(key)
  for (const field of decisive) if (foldedCase(field) === folded) return field
  return undefined
}

/** Checks for the common kind of key without allocating a string. */
function isLowerCase(key: string): boolean {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    if (code !== underscore && (code < lowerA || code > lowerZ)) return false
  }
  return true
}

const underscore = 0x5f
const lowerA = 0x61
const lowerZ = 0x7a

/** Upper case first: the long s and the Kelvin sign are letters of the alphabet to those who ignore case. */
function foldedCase(key: string): string {
  return key.toUpperCase().toLowerCase()
}
