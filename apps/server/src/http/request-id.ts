import type { Clock } from '@tollgate/base'
import { randomAlphanumerics } from '../lib/random.ts'

const digits = (value: number, length: number) => String(value).padStart(length, '0')
/** Every call needs three of them. */
const threeDigits = Array.from({ length: 1000 }, (_, value) => digits(value, 3))

function localSecond(ms: number): string {
  const time = new Date(ms)
  const date = `${time.getFullYear()}${digits(time.getMonth() + 1, 2)}${digits(time.getDate(), 2)}`
  return `${date}${digits(time.getHours(), 2)}${digits(time.getMinutes(), 2)}${digits(time.getSeconds(), 2)}`
}

/**
 * Request ids of this process: local time as 14 digits, the fraction of the second as 9, 8 random
 * characters. Sorting them sorts by time; the text of a second is made once per second, that of a millisecond once in it.
 */
export function createRequestIds(clock: Clock): () => string {
  let second = -1
  let ofSecond = ''
  let millisecond = -1
  let ofMillisecond = ''
  let count = 0

  function enter(now: number): void {
    millisecond = now
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      ofSecond = localSecond(now)
    }
    ofMillisecond = `${ofSecond}${threeDigits[now % 1000]}`
  }

  return () => {
    const now = Math.floor(clock.now())
    if (now !== millisecond) enter(now)
    // The clock knows milliseconds; a running number fills the finer digits.
    count = (count + 1) % 1_000_000
    const thousands = threeDigits[Math.floor(count / 1000)]
    return `${ofMillisecond}${thousands}${threeDigits[count % 1000]}${randomAlphanumerics(8)}`
  }
}
