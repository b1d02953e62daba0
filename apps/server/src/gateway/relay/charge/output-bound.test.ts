import { describe, expect, it } from 'bun:test'
import type { OutputLimits } from '../../../billing/pricing/output-limits.ts'
import { maxDelivered, OutputBound } from './output-bound.ts'

/** A stream of words, each a token and five characters. */
function streaming(limits: OutputLimits) {
  let counts = 0
  const request = {
    countTokens: async ({ text }: { text: string }) => {
      counts += 1
      return { inputTokens: 1, outputTokens: text.length / 5 }
    },
  }
  const reader = {
    deliveredSize: 0,
    delivered: () => ({ text: 'word '.repeat(reader.deliveredSize / 5), overflowBytes: 0, toolCalls: 0 }),
    lengthTrailer: () => '',
  }
  const bound = new OutputBound(limits, request)
  return { bound, reader, counts: () => counts }
}

describe('OutputBound', () => {
  it('is passed by what no upstream is believed, and by nothing less', async () => {
    const { bound, reader, counts } = streaming({ maxOutputTokens: 100, candidates: 1 })
    let passedAt = 0
    for (let words = 0; words < 50_000 && passedAt === 0; words += 50) {
      reader.deliveredSize = words * 5
      if (await bound.isPassed(reader)) passedAt = words
    }
    expect(passedAt).toBeGreaterThan(32_868)
    expect(passedAt).toBeLessThan(32_868 + 1000)
    // A tokenizer reads all of the text each time.
    expect(counts()).toBeLessThan(25)
  })

  it('counts nothing of a stream that stays near its limit', () => {
    const { bound, reader, counts } = streaming({ maxOutputTokens: 4000, candidates: 1 })
    reader.deliveredSize = 36_768
    expect(bound.isPassed(reader)).toBe(false)
    reader.deliveredSize = 60_000
    expect(bound.isPassed(reader)).toBe(false)
    expect(counts()).toBe(0)
  })

  it('leaves room for other tokenizers, and does not concern transcripts', () => {
    expect(maxDelivered({ maxOutputTokens: 200_000, candidates: 1 })).toBe(300_000)
    expect(maxDelivered({ maxOutputTokens: 100, candidates: 2 })).toBe(100 + 2 * 32_768)
    expect(maxDelivered({ maxOutputTokens: undefined, candidates: 1 })).toBe(200_000)
    expect(maxDelivered({ maxOutputTokens: 0, candidates: 1 })).toBeUndefined()
  })
})
