import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { readUsage as readResponsesUsage } from '../../openai-responses/response/usage.ts'
import { promptTokensOf, usageOf } from '../../usage.ts'
import { encodeUsage, findUsage, readUsage } from './usage.ts'

describe('readUsage', () => {
  it('takes cached tokens out of the prompt, under every name they have', () => {
    const expected = usageOf({ inputTokens: 60, cacheReadTokens: 40, outputTokens: 5 })
    const counts = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }
    expect(readUsage({ ...counts, prompt_tokens_details: { cached_tokens: 40 } })).toEqual(expected)
    expect(readUsage({ ...counts, prompt_cache_hit_tokens: 40, prompt_cache_miss_tokens: 60 })).toEqual(
      expected,
    )
    expect(readUsage({ ...counts, cached_tokens: 40 })).toEqual(expected)
    expect(readUsage({ ...counts, num_cached_tokens: 40, prompt_tokens_details: null })).toEqual(expected)
    expect(
      readUsage({ ...counts, prompt_cache_hit_tokens: 40, prompt_tokens_details: { cached_tokens: 0 } }),
    ).toEqual(expected)
  })

  it('never counts more cached tokens than the prompt has', () => {
    expect(
      readUsage({ prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 90 } }),
    ).toMatchObject({
      inputTokens: 0,
      cacheReadTokens: 10,
    })
  })

  it('reads a cache that stands beside the prompt where the total is the sum of all', () => {
    const details = { cached_tokens: 72_960, cache_write_tokens: 40 }
    const counts = { completion_tokens: 87, completion_tokens_details: { reasoning_tokens: 7 } }
    const beside = { prompt_tokens: 56_322, total_tokens: 56_322 + 72_960 + 40 + 87 }
    const apart = { inputTokens: 56_322, cacheReadTokens: 72_960, cacheWriteTokens: 40, outputTokens: 87 }
    expect(readUsage({ ...beside, ...counts, prompt_tokens_details: details })).toMatchObject(apart)
    const { prompt_tokens: input_tokens, total_tokens } = beside
    expect(
      readResponsesUsage({ input_tokens, total_tokens, output_tokens: 87, input_tokens_details: details }),
    ).toMatchObject(apart)
    // A total without the cache says that the prompt holds it.
    const within = { prompt_tokens: 80_000, total_tokens: 80_087 }
    expect(readUsage({ ...within, ...counts, prompt_tokens_details: details })).toMatchObject({
      inputTokens: 7000,
      cacheReadTokens: 72_960,
      cacheWriteTokens: 40,
    })
  })

  it('adds the reasoning that xAI leaves out of the completion, and only there', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 60 } }
    expect(
      readUsage({ prompt_tokens: 20, completion_tokens: 4, total_tokens: 84, ...details }),
    ).toMatchObject({
      outputTokens: 64,
      reasoningTokens: 60,
    })
    expect(
      readUsage({ prompt_tokens: 20, completion_tokens: 64, total_tokens: 84, ...details }),
    ).toMatchObject({
      outputTokens: 64,
      reasoningTokens: 60,
    })
  })

  it.each([
    [null],
    [undefined],
    ['many'],
    [[]],
    [{}],
    [{ prompt_tokens: 0, completion_tokens: 0 }],
    [{ prompt_tokens: 0, completion_tokens: 9 }],
    [{ completion_tokens: 9 }],
    [{ total_tokens: 7 }],
    [{ prompt_tokens: -1, completion_tokens: 9 }],
    [{ prompt_tokens: 3, completion_tokens: -9 }],
    [{ prompt_tokens: 1.5, completion_tokens: 9 }],
    [{ prompt_tokens: '3', completion_tokens: '9' }],
    [{ prompt_tokens: 1e15, completion_tokens: 9 }],
    [{ prompt_tokens: 3, completion_tokens: 2_000_000_000 }],
    [{ prompt_tokens: 3, completion_tokens: 1e308 }],
  ])('finds nothing to charge in %j', (raw) => {
    expect(readUsage(raw)).toBeUndefined()
  })

  it('never throws and never gives a count that is negative or fractional', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        for (const value of Object.values(readUsage(raw) ?? {})) expect(value).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('reads back what it wrote for a caller', () => {
    const count = fc.nat(1_000_000)
    fc.assert(
      fc.property(count, count, count, fc.nat(100), (input, cacheRead, output, reasoning) => {
        const usage = usageOf({
          inputTokens: input + 1,
          cacheReadTokens: cacheRead,
          outputTokens: output + reasoning,
          reasoningTokens: reasoning,
        })
        expect(readUsage(encodeUsage(usage))).toEqual(usage)
        expect(encodeUsage(usage)).toMatchObject({ prompt_tokens: promptTokensOf(usage) })
      }),
    )
  })
})

describe('findUsage', () => {
  const usage = { prompt_tokens: 4, completion_tokens: 1, total_tokens: 5 }
  const found = usageOf({ inputTokens: 4, outputTokens: 1 })

  it('looks where upstreams put it', () => {
    expect(findUsage({ usage })).toEqual(found)
    expect(findUsage({ choices: [{ delta: {}, usage }] })).toEqual(found)
    expect(findUsage({ x_groq: { usage }, usage: null })).toEqual(found)
    expect(findUsage({ bot_usage: { model_usage: [usage, usage] } })).toMatchObject({
      inputTokens: 8,
      outputTokens: 2,
    })
    expect(findUsage({ choices: [] })).toBeUndefined()
    expect(findUsage('text')).toBeUndefined()
  })
})

it('keeps a total that stands alone apart from counts', () => {
  expect(findUsage({ usage: { total_tokens: 7 } })).toMatchObject({
    totalTokens: 7,
    inputTokens: 0,
    outputTokens: 0,
  })
  for (const usage of [{ total_tokens: 0 }, { total_tokens: 7, prompt_tokens: 0 }, { total_tokens: -1 }])
    expect(findUsage({ usage })).toBeUndefined()
})
