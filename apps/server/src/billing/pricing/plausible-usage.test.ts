import { describe, expect, it } from 'bun:test'
import type { Prompt, PromptMessage, Usage } from '@tollgate/formats'
import fc from 'fast-check'
import {
  isBelievedUnseen,
  isResponseBelieved,
  maxBelievedSize,
  mayReadMore,
  plausibleUsage,
  type UsageBounds,
} from './plausible-usage.ts'
import { usage } from './test-support/prices.ts'

function prompt(message: Partial<PromptMessage> = {}): Prompt {
  const empty = { role: 'user', name: '', texts: ['hi'], images: [], audioParts: 0, fileParts: 0 }
  return { messages: [{ ...empty, ...message }], tools: [], texts: [], tokens: 0 }
}

interface Bounds extends Partial<Omit<UsageBounds, 'deliveredCharacters'>> {
  readonly message?: Partial<PromptMessage>
  readonly deliveredCharacters?: number
}

function isPlausible(
  counted: Partial<Usage>,
  { message = {}, deliveredCharacters = 5, ...bounds }: Bounds = {},
): boolean {
  const reported = usage(counted)
  const found = plausibleUsage(reported, {
    prompt: () => prompt(message),
    readsMore: () => false,
    candidates: 1,
    maxOutputTokens: undefined,
    deliveredCharacters: () => deliveredCharacters,
    ...bounds,
  })
  expect([reported, 'absurd']).toContain(found)
  return found === reported
}

describe('believableUsage of input', () => {
  it('does not believe a hundred million tokens for "hi", however they are called', () => {
    for (const name of [
      'inputTokens',
      'cacheReadTokens',
      'cacheWriteTokens',
      'cacheWrite1hTokens',
    ] as const) {
      expect(isPlausible({ [name]: 99_999_999, outputTokens: 1 })).toBe(false)
      expect(isPlausible({ [name]: 9, outputTokens: 1 })).toBe(true)
    }
  })

  it('leaves room for instructions that the upstream adds', () => {
    expect(isPlausible({ inputTokens: 30_000 })).toBe(true)
    expect(isPlausible({ inputTokens: 40_000 })).toBe(false)
  })

  it('believes a token for every byte that was sent', () => {
    const texts = ['字'.repeat(100_000)]
    expect(isPlausible({ inputTokens: 300_000 }, { message: { texts } })).toBe(true)
    expect(isPlausible({ inputTokens: 340_000 }, { message: { texts } })).toBe(false)
    expect(isPlausible({ inputTokens: 500_000 }, { message: { texts }, candidates: 2 })).toBe(true)
  })

  it('knows that images, recordings and files are larger than their addresses', () => {
    const url = 'https://example.com/a'
    expect(
      isPlausible({ inputTokens: 48_169 + 100 }, { message: { images: [{ detail: 'high', url }] } }),
    ).toBe(true)
    expect(isPlausible({ inputTokens: 180_000 }, { message: { audioParts: 1 } })).toBe(true)
    expect(isPlausible({ inputTokens: 900_000 }, { message: { fileParts: 1 } })).toBe(true)
    expect(isPlausible({ inputTokens: 2_000_000 }, { message: { fileParts: 1 } })).toBe(false)
  })

  it('leaves room for what the upstream read by itself, and bounds it too', () => {
    const readsMore = () => true
    expect(isPlausible({ inputTokens: 3_000_000 }, { readsMore })).toBe(true)
    expect(isPlausible({ inputTokens: 5_000_000 }, { readsMore })).toBe(false)
  })

  it('allows few tool calls where the call requested no tool', () => {
    const calls = (web_search: number) => ({ inputTokens: 9, toolCalls: { web_search } })
    expect(isPlausible(calls(16))).toBe(true)
    expect(isPlausible(calls(17))).toBe(false)
    expect(isPlausible(calls(900), { readsMore: () => true })).toBe(true)
  })

  it('asks for the prompt only where the figure is large', () => {
    const never = () => {
      throw new Error('asked')
    }
    expect(
      isPlausible({ inputTokens: 30_000, outputTokens: 4000 }, { prompt: never, readsMore: never }),
    ).toBe(true)
  })
})

describe('believableUsage of output', () => {
  it('believes what was delivered beyond the limit, as far as reasoning may go beyond it', () => {
    const ignored = { maxOutputTokens: 10, deliveredCharacters: 50_000 }
    expect(isPlausible({ outputTokens: 32_778 }, ignored)).toBe(true)
    expect(isPlausible({ outputTokens: 32_779 }, ignored)).toBe(false)
    expect(isPlausible({ outputTokens: 60_000 }, { ...ignored, candidates: 2 })).toBe(true)
    // A transcript is as long as its recording.
    expect(isPlausible({ outputTokens: 150_000 }, { ...ignored, maxOutputTokens: 0 })).toBe(true)
  })

  it('believes the limit that the caller set, over all candidates, and no more than it', () => {
    expect(isPlausible({ outputTokens: 60_000 }, { maxOutputTokens: 64_000 })).toBe(true)
    expect(isPlausible({ outputTokens: 70_000 }, { maxOutputTokens: 64_000 })).toBe(false)
    expect(isPlausible({ outputTokens: 120_000 }, { maxOutputTokens: 128_000, candidates: 2 })).toBe(true)
  })

  it('leaves room for hidden reasoning where there was no limit', () => {
    expect(isPlausible({ outputTokens: 190_000 })).toBe(true)
    expect(isPlausible({ outputTokens: 190_000, reasoningTokens: 189_000 })).toBe(true)
    expect(isPlausible({ outputTokens: 210_000, reasoningTokens: 209_900 })).toBe(false)
    expect(isPlausible({ outputTokens: 210_000 })).toBe(false)
    expect(isPlausible({ outputTokens: 99_999_999 })).toBe(false)
  })

  it('requires delivered text for output that is not counted as reasoning', () => {
    expect(isPlausible({ outputTokens: 100_000, reasoningTokens: 10_000 })).toBe(false)
    expect(
      isPlausible({ outputTokens: 100_000, reasoningTokens: 10_000 }, { deliveredCharacters: 90_000 }),
    ).toBe(true)
    expect(isPlausible({ outputTokens: 100_000, audioOutputTokens: 99_000 })).toBe(true)
  })

  it('knows that some vendors think beyond the limit', () => {
    expect(isPlausible({ outputTokens: 20_000, reasoningTokens: 19_990 }, { maxOutputTokens: 100 })).toBe(
      true,
    )
    expect(isPlausible({ outputTokens: 50_000, reasoningTokens: 49_990 }, { maxOutputTokens: 100 })).toBe(
      false,
    )
  })

  it('does not want to have seen what went to tools of the vendor', () => {
    const counted = { outputTokens: 100_000, reasoningTokens: 10_000 }
    expect(isPlausible(counted, { readsMore: () => true })).toBe(true)
  })

  it('believes every call that used no more bytes than passed, and never believes less for more text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2000, size: 'max' })
    fc.assert(
      fc.property(text, text, fc.nat({ max: 100_000 }), (sent, delivered, extra) => {
        const counted = {
          inputTokens: Buffer.byteLength(sent),
          outputTokens: Buffer.byteLength(delivered),
        }
        const bounds = {
          message: { texts: [sent] },
          deliveredCharacters: delivered.length,
          maxOutputTokens: undefined,
        }
        expect(isPlausible(counted, bounds)).toBe(true)
        const longer = { ...bounds, deliveredCharacters: delivered.length + extra }
        expect(isPlausible({ ...counted, outputTokens: counted.outputTokens + extra }, longer)).toBe(true)
      }),
    )
  })
})

describe('the look at what was delivered', () => {
  const unread = {
    prompt: () => prompt(),
    readsMore: () => false,
    candidates: 1,
    deliveredCharacters: () => {
      throw new Error('the response was read again')
    },
  }

  it.each([
    ['a short response', { outputTokens: 4096 }, 8000],
    ['reasoning that is short', { outputTokens: 4096, reasoningTokens: 4000 }, undefined],
    ['text within the limit of the call', { outputTokens: 8000 }, 8000],
    ['text of a call without a limit', { outputTokens: 200_000 }, undefined],
    ['more than any limit allows', { outputTokens: 900_000 }, undefined],
  ])('is not taken for %s', (_, counted, maxOutputTokens) => {
    expect(() => plausibleUsage(usage(counted), { ...unread, maxOutputTokens })).not.toThrow()
  })

  it.each([
    ['text beyond the limit of the call', { outputTokens: 8001 }, 8000],
    ['long reasoning', { outputTokens: 8000, reasoningTokens: 1 }, 8000],
  ])('is taken for %s', (_, counted, maxOutputTokens) => {
    expect(() => plausibleUsage(usage(counted), { ...unread, maxOutputTokens })).toThrow('read again')
  })

  it('changes no verdict: a claim is believed as if the response had been read first', () => {
    const count = fc.oneof(fc.nat(300_000), fc.constantFrom(0, 4096, 4097, 8192, 200_000, 200_001))
    const claims = fc.record({
      outputTokens: count,
      hidden: fc.oneof(fc.constant(0), count),
      deliveredCharacters: fc.oneof(fc.nat(100_000), fc.constant(0)),
      maxOutputTokens: fc.option(fc.oneof(fc.constant(0), count), { nil: undefined }),
      candidates: fc.integer({ min: 0, max: 3 }),
      reads: fc.boolean(),
    })
    fc.assert(
      fc.property(claims, ({ outputTokens, hidden, reads, ...bounds }) => {
        const counted = { outputTokens, reasoningTokens: Math.min(hidden, outputTokens) }
        const known = { ...bounds, readsMore: () => reads }
        const isBelieved = isPlausible(counted, known)
        expect(isBelieved).toBe(isBelievedOnceRead({ ...counted, ...bounds, reads }))
        if (isBelievedUnseen(usage(counted))) expect(isBelieved).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

interface Claim extends Required<Pick<Usage, 'outputTokens' | 'reasoningTokens'>> {
  readonly deliveredCharacters: number
  readonly maxOutputTokens: number | undefined
  readonly candidates: number
  readonly reads: boolean
}

/** The rule as the decision record has it, with the delivered text in the hand. */
function isBelievedOnceRead(claim: Claim): boolean {
  const { outputTokens, reasoningTokens: hidden, maxOutputTokens } = claim
  const candidates = Math.max(1, claim.candidates)
  const allowed = maxOutputTokens ?? 200_000 * candidates
  const beyond = maxOutputTokens === undefined ? 0 : 32_768 * candidates
  const visible = claim.deliveredCharacters * 3 + 4096 * candidates
  if (maxOutputTokens !== 0 && outputTokens > allowed + beyond) return false
  if (outputTokens <= visible) return true
  if (hidden === 0 || claim.reads) return outputTokens <= allowed
  return hidden <= allowed + beyond && outputTokens - hidden <= visible
}

describe('maxBelievedSize', () => {
  it('is the most that is believed, for every call: one token more is not', () => {
    const limits = fc.record({
      maxOutputTokens: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
      candidates: fc.integer({ min: 1, max: 4 }),
      message: fc.record({ texts: fc.array(fc.string()), fileParts: fc.nat(2), audioParts: fc.nat(2) }),
      reads: fc.boolean(),
    })
    fc.assert(
      fc.property(limits, ({ message, reads, ...bounds }) => {
        const known = { ...bounds, readsMore: () => reads }
        const size = maxBelievedSize({ ...known, prompt: () => prompt(message) })
        const upperBound = { inputTokens: size.promptTokens, outputTokens: size.maxOutputTokens ?? 0 }
        const written = { ...known, message, deliveredCharacters: 1_000_000 }
        expect(isPlausible(upperBound, written)).toBe(true)
        expect(isPlausible({ ...upperBound, inputTokens: upperBound.inputTokens + 1 }, written)).toBe(false)
        expect(isPlausible({ ...upperBound, outputTokens: upperBound.outputTokens + 1 }, written)).toBe(false)
      }),
    )
  })
})

describe('isResponseBelieved', () => {
  it('bounds one response of a session by its limit and by what a window holds', () => {
    const believed = (counted: Partial<Usage>, limit?: number) => isResponseBelieved(usage(counted), limit)
    expect(believed({ inputTokens: 100_000, outputTokens: 32_000 }, 100)).toBe(true)
    expect(believed({ outputTokens: 33_000 }, 100)).toBe(false)
    expect(believed({ outputTokens: 33_000 })).toBe(true)
    expect(believed({ inputTokens: 99_999_999 })).toBe(false)
  })
})

describe('mayReadMore', () => {
  it.each([
    ['gpt-4o', '{"web_search_options":{}}'],
    ['claude-opus-4-5', '{"tools":[{"type":"web_search_20250305","name":"web_search"}]}'],
    ['gemini-2.5-pro', '{"tools":[{"googleSearch":{}}]}'],
    ['gemini-2.5-pro', '{"cachedContent":"cachedContents/1"}'],
    ['gpt-5', '{"previous_response_id":"resp_1"}'],
    ['moonshot-v1', '{"tools":[{"type":"builtin_function","function":{"name":"$web_search"}}]}'],
    ['sonar-pro', '{}'],
    ['o3-deep-research', '{}'],
    ['gpt-4-gizmo-g-abc', '{}'],
  ])('is so for %s asked %s', (model, body) => {
    expect(mayReadMore(model, body)).toBe(true)
  })

  it.each([
    ['gpt-4o', '{"messages":[{"role":"user","content":"search the web"}]}'],
    ['claude-opus-4-5', '{"tools":[{"name":"get_weather","input_schema":{"type":"object"}}]}'],
  ])('is not so for %s asked %s', (model, body) => {
    expect(mayReadMore(model, body)).toBe(false)
  })
})
