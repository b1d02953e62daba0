import { describe, expect, it } from 'bun:test'
import type { LogOther } from '@tollgate/api'
import { noUsage, promptTokensOf, type Usage } from '@tollgate/formats'
import fc from 'fast-check'
import {
  costOf,
  createPrice,
  estimateOf,
  explainCharge,
  type Price,
  type PriceTerms,
  type TokenTerms,
} from './pricing.ts'

const plain: TokenTerms = {
  kind: 'per-token',
  modelRatio: 1.25,
  completionRatio: 4,
  cacheReadRatio: 0.5,
  cacheWriteRatio: 1.25,
  groupRatio: 1,
}
const perToken = (change: Partial<TokenTerms> = {}) => createPrice({ ...plain, ...change })
const perCall = (modelPrice: number, groupRatio = 1) =>
  createPrice({ kind: 'per-call', modelPrice, quotaPerUnit: 500_000, groupRatio })
const usage = (change: Partial<Usage>): Usage => ({ ...noUsage, ...change })

describe('costOf', () => {
  const gpt4oMini = { modelRatio: 0.075 }
  const sonnet = { modelRatio: 1.5, completionRatio: 5, cacheReadRatio: 0.1 }
  it.each<[string, Partial<Usage>, Price, number]>([
    ['input and output', { inputTokens: 1000, outputTokens: 200 }, perToken(), 2250],
    ['cached input', { inputTokens: 400, cacheReadTokens: 600, outputTokens: 200 }, perToken(), 1875],
    ['a group', { inputTokens: 1000, outputTokens: 200 }, perToken({ groupRatio: 0.8 }), 1800],
    ['2.25 → 2', { inputTokens: 10, outputTokens: 5 }, perToken(gpt4oMini), 2],
    ['0.375 → the minimum', { inputTokens: 5 }, perToken(gpt4oMini), 1],
    ['0.5 → away from zero', { inputTokens: 50 }, perToken({ modelRatio: 0.01 }), 1],
    [
      'cache reads and writes',
      { inputTokens: 100, cacheReadTokens: 1000, cacheWriteTokens: 200, outputTokens: 50 },
      perToken(sonnet),
      1050,
    ],
    ['1.5 → rounded, not cut', { inputTokens: 1 }, perToken(sonnet), 2],
    ['all cached at ratio 0 → the minimum', { cacheReadTokens: 10 }, perToken({ cacheReadRatio: 0 }), 1],
    ['a free model', { inputTokens: 1000, outputTokens: 1000 }, perToken({ modelRatio: 0 }), 0],
    ['a free group', { inputTokens: 1000, outputTokens: 1000 }, perToken({ groupRatio: 0 }), 0],
    ['no tokens', {}, perToken(), 0],
    ['a price per call', { inputTokens: 10, outputTokens: 10 }, perCall(0.04, 1.5), 30_000],
    ['a price per call of a drawing', {}, perCall(0.1), 50_000],
    ['a price per call when nothing was counted', {}, perCall(0.04), 20_000],
    ['a price per call below half a unit', {}, perCall(0.0000001), 1],
    ['a price per call of nothing', {}, perCall(0), 0],
  ])('charges %s', (_, counted, price, expected) => {
    expect(costOf(usage(counted), price)).toBe(expected)
  })

  it('has no binary surprises: 0.1 × 0.7 × 50 tokens is 3.5 and rounds to 4', () => {
    expect(0.7 * 0.1 * 50).toBeLessThan(3.5)
    const price = perToken({ modelRatio: 0.7, groupRatio: 0.1 })
    expect(costOf(usage({ inputTokens: 50 }), price)).toBe(4)
  })

  it('stays exact where doubles end', () => {
    const price = perToken({ modelRatio: 8.219178, completionRatio: 4 / 3, groupRatio: 1.0000001 })
    const counted = usage({ inputTokens: 2_000_000_000, outputTokens: 1_999_999_999 })
    const scale = 10n ** 29n
    const unit = 8_219_178n * 10_000_001n
    const total = unit * (2_000_000_000n * 10n ** 16n + 1_999_999_999n * 13_333_333_333_333_333n)
    expect(BigInt(costOf(counted, price))).toBe((total + scale / 2n) / scale)
  })

  it('agrees with plain integer arithmetic on every ratio and count', () => {
    const ratio = fc.integer({ min: 0, max: 100_000 })
    const tokens = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(
        ratio,
        ratio,
        ratio,
        ratio,
        tokens,
        tokens,
        tokens,
        (mr, cr, rr, gr, input, read, output) => {
          const price = createPrice({
            kind: 'per-token',
            modelRatio: mr / 1000,
            completionRatio: cr / 1000,
            cacheReadRatio: rr / 1000,
            cacheWriteRatio: 1.25,
            groupRatio: gr / 1000,
          })
          const weighted = BigInt(input) * 1000n + BigInt(read) * BigInt(rr) + BigInt(output) * BigInt(cr)
          const total = weighted * BigInt(mr) * BigInt(gr)
          const rounded = Number((total * 2n + 10n ** 9n) / (2n * 10n ** 9n))
          const least = mr * gr > 0 && input + read + output > 0 ? 1 : 0
          const counted = usage({ inputTokens: input, cacheReadTokens: read, outputTokens: output })
          expect(costOf(counted, price)).toBe(Math.min(10 ** 12, Math.max(least, rounded)))
        },
      ),
    )
  })

  it('does not believe counts that cannot be', () => {
    const odd = usage({ inputTokens: -5, outputTokens: Number.NaN, cacheReadTokens: 0.5 })
    expect(costOf(odd, perToken())).toBe(0)
    const huge = usage({ outputTokens: Number.POSITIVE_INFINITY })
    expect(costOf(huge, perToken({ modelRatio: 1, completionRatio: 1 }))).toBe(2_147_483_647)
  })

  it('never reaches figures whose sums would not be exact', () => {
    const absurd = perToken({ modelRatio: 100_000, groupRatio: 1000, completionRatio: 1000 })
    expect(costOf(usage({ outputTokens: 2_000_000_000 }), absurd)).toBe(10 ** 12)
    expect(estimateOf({ promptTokens: 1, maxOutputTokens: 2_000_000_000 }, absurd, 500)).toBe(10 ** 12)
    expect(costOf(noUsage, perCall(100_000, 1000))).toBe(10 ** 12)
  })

  it('refuses a price that cannot be charged', () => {
    expect(() => perToken({ modelRatio: -1 })).toThrow(RangeError)
    expect(() => perToken({ groupRatio: Number.NaN })).toThrow(RangeError)
    expect(() => perCall(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })
})

describe('estimateOf', () => {
  it('holds the prompt and the whole allowed output', () => {
    expect(estimateOf({ promptTokens: 1000, maxOutputTokens: 500 }, perToken(), 500)).toBe(3750)
  })

  it('holds PreConsumedQuota tokens when the output is not limited, and never less than the prompt', () => {
    expect(estimateOf({ promptTokens: 10, maxOutputTokens: undefined }, perToken(), 500)).toBe(625)
    expect(estimateOf({ promptTokens: 200_000, maxOutputTokens: undefined }, perToken(), 500)).toBe(250_000)
  })

  it('is exact for a price per call and 0 for a free model', () => {
    expect(estimateOf({ promptTokens: 10, maxOutputTokens: 10 }, perCall(0.04), 500)).toBe(20_000)
    expect(estimateOf({ promptTokens: 10, maxOutputTokens: 10 }, perToken({ modelRatio: 0 }), 500)).toBe(0)
  })

  it('is never below the charge of a call that stays within it', () => {
    const ratio = fc.double({ min: 0, max: 100, noNaN: true })
    const tokens = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(
        ratio,
        ratio,
        ratio,
        tokens,
        tokens,
        (modelRatio, completionRatio, groupRatio, input, output) => {
          const price = perToken({ modelRatio, completionRatio, groupRatio })
          const estimate = estimateOf({ promptTokens: input, maxOutputTokens: output }, price, 500)
          expect(estimate).toBeGreaterThanOrEqual(
            costOf(usage({ inputTokens: input, outputTokens: output }), price),
          )
        },
      ),
    )
  })
})

describe('explainCharge', () => {
  function explained(counted: Usage, price: Price): LogOther {
    return JSON.parse(`{${explainCharge(counted, price)}}`)
  }

  /** What a reader of the log does: the charge from the row and nothing else. */
  function recompute(promptTokens: number, completionTokens: number, other: LogOther): number {
    const cached = other.cache_tokens ?? 0
    const created = other.cache_creation_tokens ?? 0
    const counted = usage({
      inputTokens: promptTokens - cached - created,
      cacheReadTokens: cached,
      cacheWriteTokens: created,
      outputTokens: completionTokens,
    })
    return costOf(counted, createPrice(termsFrom(other)))
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
      groupRatio,
    }
  }

  it('lets the charge be worked out again from the row, to the unit', () => {
    const ratio = fc.double({ min: 0, max: 50, noNaN: true })
    const tokens = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(
        ratio,
        ratio,
        ratio,
        tokens,
        tokens,
        tokens,
        tokens,
        (modelRatio, groupRatio, read, i, r, w, o) => {
          const price = perToken({ modelRatio, groupRatio, cacheReadRatio: read, completionRatio: 4 / 3 })
          const counted = usage({ inputTokens: i, cacheReadTokens: r, cacheWriteTokens: w, outputTokens: o })
          const other = explained(counted, price)
          expect(recompute(promptTokensOf(counted), o, other)).toBe(costOf(counted, price))
        },
      ),
    )
  })

  it('explains a price per call by price, units and group', () => {
    const other = explained(usage({ inputTokens: 3 }), perCall(0.04, 1.5))
    expect(other).toMatchObject({ model_price: 0.04, quota_per_unit: 500_000, group_ratio: 1.5 })
    expect(recompute(3, 0, other)).toBe(30_000)
  })

  it('names every ratio of a price per token', () => {
    expect(explained(usage({ inputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3 }), perToken())).toEqual(
      {
        model_ratio: 1.25,
        model_price: -1,
        completion_ratio: 4,
        group_ratio: 1,
        cache_ratio: 0.5,
        cache_creation_ratio: 1.25,
        cache_tokens: 2,
        cache_creation_tokens: 3,
        reasoning_tokens: 0,
      },
    )
  })
})
