import { noUsage, serviceTiers, toolKinds, type Usage } from '@tollgate/formats'
import fc from 'fast-check'
import { createPrice, type Price } from '../price.ts'
import type { TokenTerms } from '../price-terms.ts'

/** gpt-4o's usual ratios, and ratios of their own for other kinds of tokens but drawn images. */
const plainTerms: TokenTerms = {
  kind: 'per-token',
  modelRatio: 1.25,
  completionRatio: 4,
  cacheReadRatio: 0.5,
  cacheWriteRatio: 1.25,
  cacheWrite1hRatio: 2,
  audioRatio: 16,
  audioCompletionRatio: 2,
  imageRatio: 3,
  imageCompletionRatio: undefined,
  groupRatio: 1,
}

export function perToken(change: Partial<TokenTerms> = {}): Price {
  return createPrice({ ...plainTerms, ...change })
}

export function perCall(modelPrice: number, groupRatio = 1): Price {
  return createPrice({ kind: 'per-call', modelPrice, quotaPerUnit: 500_000, groupRatio })
}

export function usage(change: Partial<Usage>): Usage {
  return { ...noUsage, ...change }
}

/** Whole and broken ratios, as operators write them and as arithmetic leaves them. */
const anyRatio = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((value) => value / 1000),
  fc.double({ min: 0, max: 100, noNaN: true }),
)

const anyStep = fc.record(
  { input: anyRatio, output: anyRatio, cached: anyRatio },
  { requiredKeys: ['input', 'output'] },
)

/** Charges beside tokens, and factors on their prices; half of the time none. */
const anySurcharges = fc.record(
  {
    tools: fc.dictionary(fc.constantFrom(...toolKinds), anyRatio),
    quotaPerUnit: fc.constantFrom(500_000, 1, 0.3),
    tiers: fc.dictionary(fc.constantFrom(...serviceTiers), anyRatio),
    steps: fc
      .array(anyStep, { maxLength: 3 })
      .map((steps) => steps.map((step, index) => ({ above: 1000 * 30 ** index, ...step }))),
  },
  { requiredKeys: [] },
)

export const anyTerms: fc.Arbitrary<TokenTerms> = fc.record({
  kind: fc.constant('per-token' as const),
  modelRatio: anyRatio,
  completionRatio: anyRatio,
  cacheReadRatio: anyRatio,
  cacheWriteRatio: anyRatio,
  cacheWrite1hRatio: anyRatio,
  audioRatio: anyRatio,
  audioCompletionRatio: fc.option(anyRatio, { nil: undefined }),
  imageRatio: anyRatio,
  imageCompletionRatio: fc.option(anyRatio, { nil: undefined }),
  groupRatio: anyRatio,
})

export const anySurchargedTerms: fc.Arbitrary<TokenTerms> = fc
  .tuple(anyTerms, anySurcharges)
  .map(([terms, surcharges]): TokenTerms => ({ ...terms, ...surcharges }))

const anyCount = fc.oneof(fc.constant(0), fc.nat({ max: 1_000_000 }))

/** Parts may be larger than their wholes, as upstreams send them. */
const anyCosts = fc.record(
  {
    toolCalls: fc.dictionary(fc.constantFrom(...toolKinds), fc.integer({ min: 1, max: 1000 }), {
      minKeys: 1,
    }),
    service: fc.record(
      { tier: fc.constantFrom(...serviceTiers, 'standard' as const), geo: fc.constant('us' as const) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

export const anyUsage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: anyCount,
  cacheReadTokens: anyCount,
  cacheWriteTokens: anyCount,
  cacheWrite1hTokens: anyCount,
  outputTokens: anyCount,
  audioInputTokens: anyCount,
  imageInputTokens: anyCount,
  audioOutputTokens: anyCount,
  imageOutputTokens: anyCount,
  reasoningTokens: anyCount,
})

/** Usage with tools that ran, and with a service tier. */
export const anyServedUsage: fc.Arbitrary<Usage> = fc
  .tuple(anyUsage, anyCosts)
  .map(([tokens, costs]): Usage => ({ ...tokens, ...costs }))
