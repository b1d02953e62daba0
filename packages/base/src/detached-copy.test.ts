import { describe, expect, it } from 'bun:test'
import { detachedCopy } from './detached-copy.ts'

describe('detachedCopy', () => {
  it('is the same text', () => {
    const all = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')
    for (const text of ['', 'a', all, `${all}${all}`.slice(100, 300)]) expect(detachedCopy(text)).toBe(text)
  })

  it('does not hold the text it was cut from in memory', () => {
    const retained = new Map<string, number>()
    const before = process.memoryUsage().rss
    for (let index = 0; index < 5000; index += 1) {
      const long = Buffer.alloc(40_000, 'x')
      long.write(String(index).padStart(48, '0'), 20_000)
      retained.set(detachedCopy(long.toString('latin1').slice(20_000, 20_048)), index)
    }
    Bun.gc(true)
    expect(retained.size).toBe(5000)
    // The 200 MB of the source texts are free.
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })
})
