import { describe, expect, it } from 'bun:test'
import { costOf, estimateOf } from './charge.ts'
import { explainCharge } from './explain-charge.ts'
import { type ImageOrder, imagePrice } from './image-price.ts'
import { perCall, perToken, usage } from './test-support/prices.ts'

const unit = 500_000
const usual: ImageOrder = { model: 'dall-e-3', n: 1, size: '1024x1024', quality: 'standard' }
const size = { promptTokens: 10, maxOutputTokens: 0 }

describe('imagePrice', () => {
  it.each([
    [{}, 0.04, 1, 20_000],
    // The reference's twelfth worked example: 0.04 × 2 × 1.5 × 2.
    [{ quality: 'hd', size: '1024x1792', n: 2 }, 0.04, 1, 120_000],
    [{ quality: 'hd' }, 0.04, 1, 40_000],
    [{ size: '1792x1024' }, 0.04, 1, 40_000],
    [{ model: 'dall-e-2', size: '256x256', n: 10 }, 0.02, 1, 40_000],
    [{ model: 'dall-e-2', size: '512x512', quality: 'hd' }, 0.02, 1, 4500],
    [{ model: 'other', size: '2048x2048', quality: 'hd' }, 0.04, 1.5, 30_000],
  ])('of %p at %p a piece in a group of %p comes to %p', (change, each, group, quota) => {
    const price = imagePrice(perCall(each, group), { ...usual, ...change }, unit)
    expect(costOf(usage({}), price)).toBe(quota)
    expect(estimateOf(size, price, 0)).toBe(quota)
  })

  it('says in the row what it is made of', () => {
    const price = imagePrice(perCall(0.04), { ...usual, quality: 'hd', size: '1024x1792', n: 2 }, unit)
    expect(JSON.parse(`{${explainCharge(usage({}), price)}}`)).toEqual({
      model_price: 0.24,
      quota_per_unit: unit,
      group_ratio: 1,
      image_price: 0.04,
      image_count: 2,
      image_size: '1024x1792',
      image_quality: 'hd',
      image_size_ratio: 2,
      image_quality_ratio: 1.5,
    })
  })

  it('leaves a price per token to the tokens, and has one per image where none are counted', () => {
    const price = imagePrice(perToken({ modelRatio: 8, groupRatio: 2 }), { ...usual, n: 3 }, unit)
    expect(costOf(usage({ inputTokens: 10, outputTokens: 5 }), price)).toBe((10 + 5 * 4) * 16)
    // 0.0025 × 8 × 3 images × 2.
    expect(price.whenUncounted && costOf(usage({}), price.whenUncounted)).toBe(60_000)
    expect(estimateOf(size, price, 0)).toBe(60_000)
  })
})
