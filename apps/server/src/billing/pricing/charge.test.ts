import { describe, expect, it } from 'bun:test'
import { noUsage, promptTokensOf, type Usage, usageOf } from '@tollgate/formats'
import fc from 'fast-check'
import { costOf, costOfOutput, estimateOf } from './charge.ts'
import { createPrice, type Price } from './price.ts'
import {
  anyServedUsage,
  anySurchargedTerms,
  anyTerms,
  anyUsage,
  perCall,
  perToken,
  usage,
} from './test-support/prices.ts'
import { countsByKind, tokenKinds } from './token-kinds.ts'

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

  it('charges every kind of token at its own ratio', () => {
    const base = { inputTokens: 100, outputTokens: 100 }
    const price = perToken({ modelRatio: 1, imageCompletionRatio: 5 })
    const extra = (change: Partial<Usage>) =>
      costOf(usage({ ...base, ...change }), price) - costOf(usage(base), price)
    expect(extra({ cacheReadTokens: 10 })).toBe(5)
    expect(extra({ cacheWriteTokens: 100 })).toBe(125)
    expect(extra({ cacheWrite1hTokens: 100 })).toBe(200)
    // Parts of input and output are charged instead of text, not beside it.
    expect(extra({ audioInputTokens: 10 })).toBe(10 * (16 - 1))
    expect(extra({ imageInputTokens: 10 })).toBe(10 * (3 - 1))
    expect(extra({ audioOutputTokens: 10 })).toBe(10 * (16 * 2 - 4))
    expect(extra({ imageOutputTokens: 10 })).toBe(10 * (3 * 5 - 4))
  })

  it('charges audio and image output as text where they have no ratio', () => {
    const price = perToken({ audioCompletionRatio: undefined })
    const mixed = usage({ outputTokens: 200, audioOutputTokens: 100, imageOutputTokens: 50 })
    expect(costOf(mixed, price)).toBe(costOf(usage({ outputTokens: 200 }), price))
  })

  it('never charges a part for more than the whole', () => {
    const odd = usage({ inputTokens: 10, audioInputTokens: 30, imageInputTokens: 30 })
    expect(costOf(odd, perToken({ modelRatio: 1 }))).toBe(160)
  })

  it('agrees with plain integer arithmetic on every ratio and count', () => {
    const ratio = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 10, maxLength: 10 }), anyUsage, (ratios, counted) => {
        const [mr = 0, gr = 0, ro = 0, rc = 0, rw = 0, rh = 0, ra = 0, rao = 0, ri = 0, rio = 0] = ratios
        const price = createPrice({
          kind: 'per-token',
          modelRatio: mr / 1000,
          groupRatio: gr / 1000,
          completionRatio: ro / 1000,
          cacheReadRatio: rc / 1000,
          cacheWriteRatio: rw / 1000,
          cacheWrite1hRatio: rh / 1000,
          audioRatio: ra / 1000,
          audioCompletionRatio: rao / 1000,
          imageRatio: ri / 1000,
          imageCompletionRatio: rio / 1000,
        })
        const { inputTokens: i, outputTokens: o, ...parts } = usageOf(counted)
        const terms: readonly (readonly [tokens: number, millionths: number])[] = [
          [i - parts.audioInputTokens - parts.imageInputTokens, 1_000_000],
          [parts.cacheReadTokens, rc * 1000],
          [parts.cacheWriteTokens, rw * 1000],
          [parts.cacheWrite1hTokens, rh * 1000],
          [parts.audioInputTokens, ra * 1000],
          [parts.imageInputTokens, ri * 1000],
          [o - parts.audioOutputTokens - parts.imageOutputTokens, ro * 1000],
          [parts.audioOutputTokens, ra * rao],
          [parts.imageOutputTokens, ri * rio],
        ]
        const weighted = terms.reduce((sum, [tokens, weight]) => sum + BigInt(tokens) * BigInt(weight), 0n)
        const total = weighted * BigInt(mr) * BigInt(gr)
        const rounded = Number((total * 2n + 10n ** 12n) / (2n * 10n ** 12n))
        const minCharge = mr * gr > 0 && promptTokensOf(counted) + o > 0 ? 1 : 0
        expect(costOf(counted, price)).toBe(Math.min(10 ** 12, Math.max(minCharge, rounded)))
      }),
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

  it('holds every token at the dearest kind that the call may use', () => {
    const price = perToken({ modelRatio: 1 })
    const size = { promptTokens: 100, maxOutputTokens: 100 }
    expect(estimateOf({ ...size, kinds: ['cacheWrite'] }, price, 500)).toBe(125 + 400)
    expect(estimateOf({ ...size, kinds: ['cacheWrite', 'cacheWrite1h'] }, price, 500)).toBe(200 + 400)
    expect(estimateOf({ ...size, kinds: ['imageInput', 'audioInput'] }, price, 500)).toBe(1600 + 400)
    expect(estimateOf({ ...size, kinds: ['audioOutput'] }, price, 500)).toBe(100 + 3200)
    const draws = perToken({ modelRatio: 1, imageCompletionRatio: 5 })
    expect(estimateOf(size, draws, 500)).toBe(100 + 1500)
    // A kind that is cheaper than text lowers nothing.
    expect(estimateOf({ ...size, kinds: ['imageInput'] }, perToken({ imageRatio: 0.1 }), 500)).toBe(625)
  })

  it('is never below the charge of a call that stays within it', () => {
    fc.assert(
      fc.property(anySurchargedTerms, anyServedUsage, (terms, counted) => {
        const price = createPrice(terms)
        const kinds = tokenKinds.filter((kind) => countsByKind(counted)[kind] > 0)
        const { outputTokens: maxOutputTokens, toolCalls, service } = counted
        const size = { promptTokens: promptTokensOf(counted), maxOutputTokens, kinds, toolCalls, service }
        expect(estimateOf(size, price, 500)).toBeGreaterThanOrEqual(costOf(counted, price))
      }),
    )
  })
})

describe('costOfOutput', () => {
  it('is what so many output tokens cost, rounded up', () => {
    expect(costOfOutput(perToken(), 1000)).toBe(5000)
    expect(costOfOutput(perToken({ modelRatio: 0.075 }), 5)).toBe(2)
    expect(costOfOutput(perToken(), 0)).toBe(0)
    expect(costOfOutput(perToken(), 100, ['audioOutput'])).toBe(4000)
    expect(costOfOutput(perToken({ modelRatio: 0 }), 1000)).toBe(0)
  })

  it('is nothing for a price per call', () => {
    expect(costOfOutput(perCall(0.04), 1000)).toBe(0)
  })

  it('is never below what a response adds to the charge', () => {
    fc.assert(
      fc.property(anyTerms, anyUsage, fc.nat({ max: 100_000 }), (terms, counted, tokens) => {
        const price = createPrice(terms)
        const longer = { ...counted, outputTokens: counted.outputTokens + tokens }
        const kinds = tokenKinds.filter((kind) => countsByKind(longer)[kind] > 0)
        const added = costOf(longer, price) - costOf(counted, price)
        // One unit more: both charges are rounded.
        expect(costOfOutput(price, tokens, kinds) + 1).toBeGreaterThanOrEqual(added)
      }),
    )
  })
})
