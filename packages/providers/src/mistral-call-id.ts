const ownForm = /^[a-zA-Z0-9]{9}$/
const digits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const length = 9

/**
 * The id as Mistral takes it: nine letters and digits. One of another form becomes the same one every time, so that a
 * call and its result still name each other.
 */
export function mistralCallId(id: string): string {
  if (ownForm.test(id)) return id
  let [first, second] = [seedA, seedB]
  for (let place = 0; place < id.length; place++) {
    const code = id.charCodeAt(place)
    first = Math.imul(first ^ code, primeA) >>> 0
    second = Math.imul(second ^ code, primeB) >>> 0
  }
  return digitsOf(first * 2 ** 21 + (second >>> 11))
}

/** Two FNV-1a sums with different primes: 53 bits, as many as a number holds exactly. */
const seedA = 0x811c9dc5
const seedB = 0x050c5d1f
const primeA = 0x01000193
const primeB = 0x01000197

function digitsOf(value: number): string {
  let rest = value
  return Array.from({ length }, () => {
    const digit = digits[rest % digits.length]
    rest = Math.floor(rest / digits.length)
    return digit
  }).join('')
}
