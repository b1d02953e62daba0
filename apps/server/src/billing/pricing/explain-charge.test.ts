import { describe, expect, it } from 'bun:test'
import { type LogOther, logOther } from '@tollgate/api'
import { promptTokensOf, type Usage, usageOf } from '@tollgate/formats'
import fc from 'fast-check'
import { costOf } from './charge.ts'
import { explainCharge } from './explain-charge.ts'
import { createPrice } from './price.ts'
import type { PriceTerms } from './price-terms.ts'
import { anyServedUsage, anySurchargedTerms, perCall, perToken, usage } from './test-support/prices.ts'

function explained(...call: Parameters<typeof explainCharge>): LogOther {
  return logOther.strict().parse(JSON.parse(`{${explainCharge(...call)}}`))
}

/** Computes the charge from a row alone, as a reader of the log does. */
function recompute(promptTokens: number, completionTokens: number, other: LogOther): number {
  return costOf(usageFrom(promptTokens, completionTokens, other), createPrice(termsFrom(other)))
}

function usageFrom(promptTokens: number, completionTokens: number, other: LogOther): Usage {
  const { cache_tokens: cached = 0, cache_creation_tokens: created = 0 } = other
  const { cache_creation_tokens_1h: created1h = 0 } = other
  return usage({
    inputTokens: promptTokens - cached - created,
    cacheReadTokens: cached,
    cacheWriteTokens: created - created1h,
    cacheWrite1hTokens: created1h,
    outputTokens: completionTokens,
    audioInputTokens: other.audio_input ?? 0,
    audioOutputTokens: other.audio_output ?? 0,
    imageInputTokens: other.image_input ?? 0,
    imageOutputTokens: other.image_output ?? 0,
    ...(other.tool_calls !== undefined && {
      toolCalls: Object.fromEntries(
        Object.entries(other.tool_calls).map(([kind, { calls }]) => [kind, calls]),
      ),
    }),
  })
}

function readStep({ cached, ...step }: NonNullable<LogOther['length_step']>) {
  return cached === undefined ? step : { ...step, cached }
}

function termsFrom(other: LogOther): PriceTerms {
  const groupRatio = other.group_ratio ?? 1
  if (other.model_price !== undefined && other.model_price >= 0) {
    return {
      kind: 'per-call',
      modelPrice: other.model_price,
      quotaPerUnit: other.quota_per_unit ?? 0,
      groupRatio,
    }
  }
  return {
    kind: 'per-token',
    modelRatio: other.model_ratio ?? 0,
    completionRatio: other.completion_ratio ?? 1,
    cacheReadRatio: other.cache_ratio ?? 1,
    cacheWriteRatio: other.cache_creation_ratio ?? 1,
    cacheWrite1hRatio: other.cache_creation_ratio_1h ?? 1,
    audioRatio: other.audio_ratio ?? 1,
    audioCompletionRatio: other.audio_completion_ratio,
    imageRatio: other.image_ratio ?? 1,
    imageCompletionRatio: other.image_completion_ratio,
    groupRatio,
    tools: Object.fromEntries(
      Object.entries(other.tool_calls ?? {}).map(([kind, { price }]) => [kind, price]),
    ),
    quotaPerUnit: other.quota_per_unit ?? 0,
    served: {
      ...(other.tier_ratios !== undefined && { tiers: other.tier_ratios }),
      ...(other.length_step !== undefined && { step: readStep(other.length_step) }),
    },
  }
}

describe('explainCharge', () => {
  it('lets every charge be worked out again from the row, to the unit', () => {
    fc.assert(
      fc.property(anySurchargedTerms, anyServedUsage, (terms, counted) => {
        const price = createPrice(terms)
        const other = explained(counted, price)
        expect(recompute(promptTokensOf(counted), counted.outputTokens, other)).toBe(costOf(counted, price))
      }),
      { numRuns: 500 },
    )
  })

  it('explains a price per call by price, units and group', () => {
    const other = explained(usage({ inputTokens: 3, audioInputTokens: 2 }), perCall(0.04, 1.5))
    expect(other).toEqual({
      model_price: 0.04,
      quota_per_unit: 500_000,
      group_ratio: 1.5,
      user_group_ratio: -1,
    })
    expect(recompute(3, 0, other)).toBe(30_000)
  })

  const plain = {
    model_ratio: 1.25,
    model_price: -1,
    completion_ratio: 4,
    group_ratio: 1,
    user_group_ratio: -1,
    cache_ratio: 0.5,
    cache_tokens: 0,
  }
  const rows: readonly [what: string, counted: Partial<Usage>, row: LogOther][] = [
    ['text', { inputTokens: 1, outputTokens: 2 }, plain],
    ['cached input', { inputTokens: 1, cacheReadTokens: 2 }, { ...plain, cache_tokens: 2 }],
    ['reasoning', { outputTokens: 7, reasoningTokens: 5 }, { ...plain, reasoning_tokens: 5 }],
    [
      'cache writes',
      { cacheWriteTokens: 3 },
      { ...plain, cache_creation_tokens: 3, cache_creation_ratio: 1.25 },
    ],
    [
      'cache writes for an hour',
      { cacheWriteTokens: 3, cacheWrite1hTokens: 4 },
      {
        ...plain,
        cache_creation_tokens: 7,
        cache_creation_ratio: 1.25,
        cache_creation_tokens_5m: 3,
        cache_creation_ratio_5m: 1.25,
        cache_creation_tokens_1h: 4,
        cache_creation_ratio_1h: 2,
      },
    ],
    [
      'audio',
      { inputTokens: 10, audioInputTokens: 4, outputTokens: 6, audioOutputTokens: 6 },
      {
        ...plain,
        text_input: 6,
        text_output: 0,
        audio: true,
        audio_input: 4,
        audio_output: 6,
        audio_ratio: 16,
        audio_completion_ratio: 2,
      },
    ],
    [
      'images',
      { inputTokens: 10, imageInputTokens: 9 },
      {
        ...plain,
        text_input: 1,
        text_output: 0,
        image: true,
        image_input: 9,
        image_output: 0,
        image_ratio: 3,
        image_completion_ratio: 5,
      },
    ],
  ]
  it.each(rows)('says of %s what its charge is made of, and nothing else', (_, counted, row) => {
    expect(explained(usageOf(counted), perToken({ imageCompletionRatio: 5 }))).toEqual(row)
  })

  it('says how the call was served, how long its prompt was, and which tools ran', () => {
    const price = perToken({
      tools: { web_search: 10 },
      quotaPerUnit: 500_000,
      tiers: { priority: 2 },
      steps: [{ above: 100, input: 2, output: 1.5 }],
    })
    const counted = usage({
      inputTokens: 200,
      outputTokens: 10,
      toolCalls: { web_search: 3, x_search: 1 },
      service: { tier: 'priority', geo: 'us' },
    })
    const other = explained(counted, price)
    expect(other).toEqual({
      ...plain,
      tier_ratios: { priority: 2, us: 1 },
      length_step: { above: 100, input: 2, output: 1.5 },
      tool_calls: { web_search: { calls: 3, price: 10 }, x_search: { calls: 1, price: 0 } },
      quota_per_unit: 500_000,
    })
    expect(recompute(200, 10, other)).toBe((200 * 2 + 10 * 4 * 1.5) * 1.25 * 2 + 3 * 5000)
  })

  it('names tools that only the vendor has a name for, whatever the call is charged by', () => {
    const counted = usage({ inputTokens: 10, otherTools: { x_call: 2 }, toolCalls: { web_search: 1 } })
    const tools = { web_search: { calls: 1, price: 10 }, x_call: { calls: 2, price: 0 } }
    const price = perToken({ modelRatio: 1, tools: { web_search: 10 }, quotaPerUnit: 500_000 })
    expect(explained(counted, price)).toMatchObject({ tool_calls: tools, quota_per_unit: 500_000 })
    expect(explained(counted, perCall(1))).toMatchObject({
      tool_calls: { x_call: { calls: 2, price: 0 } },
    })
  })

  it('names no ratio for output that was charged as text', () => {
    const price = perToken({ audioCompletionRatio: undefined })
    const other = explained(usage({ outputTokens: 9, audioOutputTokens: 4, imageOutputTokens: 4 }), price)
    expect(other).not.toHaveProperty('audio_completion_ratio')
    expect(other).not.toHaveProperty('image_completion_ratio')
  })

  it('keeps the figures of an upstream that was not believed', () => {
    const lie = usage({ inputTokens: 90_000_000, cacheReadTokens: 5, outputTokens: 99, reasoningTokens: 9 })
    const other = explained(usage({ inputTokens: 3, outputTokens: 2 }), perToken(), lie)
    expect(other.usage_disbelieved).toEqual({
      prompt_tokens: 90_000_005,
      completion_tokens: 99,
      reasoning_tokens: 9,
    })
    expect(recompute(3, 2, other)).toBe(costOf(usage({ inputTokens: 3, outputTokens: 2 }), perToken()))
  })
})
