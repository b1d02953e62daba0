import { describe, expect, it } from 'bun:test'
import { usageOf } from '@tollgate/formats'
import { boundedReading } from './bounded-reading.ts'

type Reading = Parameters<typeof boundedReading>[0]

const limits = { maxOutputTokens: 100, candidates: 1 }
const request = {
  format: 'openai-chat',
  countTokens: async ({ text }: { text: string }) => ({ inputTokens: 3, outputTokens: text.length / 5 }),
} as unknown as Parameters<typeof boundedReading>[1]

/** A response of so many words, each a token. */
function reading(words: number): Reading {
  const content = 'word '.repeat(words)
  const body = {
    id: 'r',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }
  return {
    ok: true,
    usage: usageOf({ inputTokens: 3, outputTokens: words, reasoningTokens: 2 }),
    delivered: () => ({ text: content, overflowBytes: 0, toolCalls: 0 }),
    encode: () => JSON.stringify(body),
  } as Reading
}

describe('boundedReading', () => {
  it('is the same reading, at once, up to what is believed', () => {
    const within = reading(32_000)
    expect(boundedReading(within, request, limits, 32_000)).toBe(within)
    const transcript = reading(60_000)
    expect(boundedReading(transcript, request, { ...limits, maxOutputTokens: 0 }, 300_000)).toBe(transcript)
  })

  it('ends at the limit beyond that, and is counted by what goes to the caller', async () => {
    const bounded = await boundedReading(reading(60_000), request, limits, 300_000)
    expect(bounded).toMatchObject({
      ended: 'output_limit',
      usage: undefined,
      latestUsage: { inputTokens: 3, outputTokens: 0, reasoningTokens: 0 },
    })
    const { choices } = JSON.parse(String(bounded.encode(usageOf({}))))
    expect(choices[0].finish_reason).toBe('length')
    expect(choices[0].message.content).toHaveLength(5 * (100 + 32_768))
    expect(bounded.delivered().text).toBe(choices[0].message.content)
  })
})
