import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { promptTokensOf, serviceTiers, toolKinds, type Usage, usageOf } from '@tollgate/formats'
import fc from 'fast-check'
import { costOf } from '../pricing/charge.ts'
import { explainCharge } from '../pricing/explain-charge.ts'
import { imagePrice, videoPrice } from '../pricing/media-price.ts'
import { createPrice, type Price } from '../pricing/price.ts'
import type { CallTerms, TokenTerms } from '../pricing/price-terms.ts'
import { factsOf, rechargeOf } from './recharge.ts'

const settings = { VideoPrice: defaults.VideoPrice, QuotaPerUnit: 500_000 }
const perUnit = settings.QuotaPerUnit

const ratio = fc.integer({ min: 0, max: 40_000 }).map((value) => value / 1000)
const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300_000 }))
const tiers = fc.dictionary(fc.constantFrom(...serviceTiers), ratio, { maxKeys: 4 })

const tokenTerms: fc.Arbitrary<TokenTerms> = fc.record({
  kind: fc.constant('per-token' as const),
  modelRatio: ratio,
  completionRatio: ratio,
  cacheReadRatio: ratio,
  cacheWriteRatio: ratio,
  cacheWrite1hRatio: ratio,
  audioRatio: ratio,
  audioCompletionRatio: fc.option(ratio, { nil: undefined }),
  imageRatio: ratio,
  imageCompletionRatio: fc.option(ratio, { nil: undefined }),
  groupRatio: ratio,
  tools: fc.dictionary(fc.constantFrom(...toolKinds), ratio),
  quotaPerUnit: fc.constant(perUnit),
  tiers,
  steps: fc.constantFrom([], [{ above: 100_000, input: 2, output: 1.5, cached: 2 }]),
})
const callTerms: fc.Arbitrary<CallTerms> = fc.record({
  kind: fc.constant('per-call' as const),
  modelPrice: ratio,
  quotaPerUnit: fc.constant(perUnit),
  groupRatio: ratio,
})

const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: tokens,
    outputTokens: tokens,
    audioInputTokens: tokens,
    imageInputTokens: tokens,
    audioOutputTokens: tokens,
    imageOutputTokens: tokens,
    tier: fc.option(fc.constantFrom(...serviceTiers), { nil: undefined }),
    searches: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ tier, searches, ...counts }) =>
    usageOf({
      ...counts,
      ...(tier !== undefined && { service: { tier } }),
      ...(searches > 0 && { toolCalls: { web_search: searches } }),
    }),
  )

/** The row that a call leaves behind. */
function rowOf(used: Usage, price: Price, more: object = {}) {
  const other = JSON.stringify({ ...JSON.parse(`{${explainCharge(used, price)}}`), ...more })
  return {
    model: 'm',
    quota: costOf(used, price),
    promptTokens: promptTokensOf(used),
    completionTokens: used.outputTokens,
    other,
  }
}

function recharged(row: ReturnType<typeof rowOf>, price: Price): number | undefined {
  const facts = factsOf(row)
  return facts && rechargeOf(row, facts, price, settings)
}

describe('the charge of a logged call', () => {
  it('is worked out again from its row, by the price of then and by any other', () => {
    fc.assert(
      fc.property(usage, tokenTerms, tokenTerms, (used, then, now) => {
        // Ways of serving without a ratio are not in the row: they cost what the usual way does.
        const tiersNow = Object.fromEntries(
          Object.entries(now.tiers ?? {}).filter(([name]) => name in (then.tiers ?? {})),
        )
        const [before, after] = [
          createPrice(then),
          createPrice({ ...now, tiers: tiersNow, steps: then.steps ?? [] }),
        ]
        const row = rowOf(used, before)
        expect(recharged(row, before)).toBe(row.quota)
        expect(recharged(row, after)).toBe(costOf(used, after))
      }),
      { numRuns: 2000 },
    )
  })

  it('is the price of a call where it has one now, and follows the tokens where it had one', () => {
    fc.assert(
      fc.property(usage, tokenTerms, callTerms, (used, byToken, byCall) => {
        const price = createPrice(byCall)
        const isDrawn = used.imageInputTokens + used.imageOutputTokens > 0
        expect(recharged(rowOf(used, createPrice(byToken)), price)).toBe(
          isDrawn ? undefined : price.exact.call,
        )
        const other = createPrice({ ...byCall, modelPrice: byCall.modelPrice * 3 })
        expect(recharged(rowOf(used, price), other)).toBe(other.exact.call)
      }),
    )
  })

  it('follows images and videos by what was made', () => {
    const order = { model: 'dall-e-3', n: 3, size: '1024x1792', quality: 'hd' }
    fc.assert(
      fc.property(callTerms, callTerms, fc.integer({ min: 1, max: 60 }), (then, now, seconds) => {
        const nothing = usageOf({})
        const images = {
          ...rowOf(nothing, imagePrice(createPrice(then), order, perUnit)),
          model: order.model,
        }
        const right = imagePrice(createPrice(now), order, perUnit)
        expect(recharged(images, createPrice(now))).toBe(right.exact.call)
        const model = 'sora-2'
        const video = { seconds, resolution: '720p' }
        const rule = settings.VideoPrice[model]
        const filmed = { ...rowOf(nothing, videoPrice(createPrice(then), rule, video)), model }
        expect(recharged(filmed, createPrice(now))).toBe(videoPrice(createPrice(now), rule, video).exact.call)
      }),
    )
  })

  it('never asks for what the balance lacked, nor for a call that was broken off', () => {
    const cheap = createPrice({ kind: 'per-call', modelPrice: 0.1, quotaPerUnit: perUnit, groupRatio: 1 })
    const dear = createPrice({ kind: 'per-call', modelPrice: 10, quotaPerUnit: perUnit, groupRatio: 1 })
    const short = { ...rowOf(usageOf({}), cheap, { shortfall: 40_000 }), quota: 10_000 }
    expect(recharged(short, dear)).toBe(10_000)
    const free = createPrice({ kind: 'per-call', modelPrice: 0.01, quotaPerUnit: perUnit, groupRatio: 1 })
    expect(recharged(short, free)).toBe(5000)
    for (const ended of ['upstream_cut', 'timeout'])
      expect(recharged({ ...rowOf(usageOf({}), cheap, { ended, unfinished: true }), quota: 0 }, dear)).toBe(0)
    expect(recharged(rowOf(usageOf({}), cheap, { ended: 'client_gone' }), dear)).toBe(dear.exact.call)
  })

  it('is unknown where the row does not say what the price needs', () => {
    const byToken = createPrice({ ...perToken, modelRatio: 1 })
    const byCall = createPrice({ kind: 'per-call', modelPrice: 1, quotaPerUnit: perUnit, groupRatio: 1 })
    expect(recharged(rowOf(usageOf({}), byCall), byToken)).toBeUndefined()
    expect(factsOf({ other: '' })).toBeUndefined()
    expect(factsOf({ other: '{' })).toBeUndefined()
  })
})

const perToken: TokenTerms = {
  kind: 'per-token',
  modelRatio: 1,
  completionRatio: 1,
  cacheReadRatio: 1,
  cacheWriteRatio: 1,
  cacheWrite1hRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: undefined,
  imageRatio: 1,
  imageCompletionRatio: undefined,
  groupRatio: 1,
}
