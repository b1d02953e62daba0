import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { countableText, maxRun } from './countable-text.ts'

describe('countableText', () => {
  it('leaves ordinary text whole', () => {
    const text = 'It was a bright cold day in April. '.repeat(100)
    expect(countableText(text)).toEqual({ pieces: [text], estimated: 0 })
  })

  it('loses nothing and leaves no unbroken run longer than the bound', () => {
    const word = fc.string({
      unit: fc.constantFrom('é', '=', '字', '😀', ' ', '\n'),
      minLength: 1,
      maxLength: 4000,
      size: 'max',
    })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const text = `!${words.join('')}!`
        const { pieces, estimated } = countableText(text)
        expect(estimated).toBe(0)
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) {
          const upperBound = Math.max(...(piece.match(/\S+|\s+/g) ?? []).map((run) => run.length))
          expect(upperBound).toBeLessThanOrEqual(maxRun + 1)
          expect(piece).not.toMatch(/\p{Cs}/u)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('does not count base64 but estimates it', () => {
    const base64 = Buffer.alloc(30_000, 7).toString('base64')
    const { pieces, estimated } = countableText(`see data:image/png;base64,${base64} there`)
    expect(pieces).toEqual(['see ', ' there'])
    expect(estimated).toBeGreaterThan(10_000)
  })
})
