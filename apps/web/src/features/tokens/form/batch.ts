const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const suffixLength = 6

/** Number of characters by which the second name of a batch is longer than the first. */
export const batchSuffixLength = suffixLength + 1

/** Names of keys that are created together: the first as typed, the others with six random letters or digits. */
export function batchNames(name: string, count: number, pick: (below: number) => number): readonly string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? name : `${name}-${suffix(pick)}`))
}

function suffix(pick: (below: number) => number): string {
  return Array.from({ length: suffixLength }, () => alphanumerics.charAt(pick(alphanumerics.length))).join('')
}

/** A whole number from 0 up to, and without, `below`. Names are no secrets: an even spread is all that is asked. */
export function randomBelow(below: number): number {
  return Math.floor(Math.random() * below)
}
