import { describe, expect, it } from 'bun:test'
import { formatPrice, tokenPriceOf, tokenPrices } from './price.ts'

describe('a price', () => {
  it('keeps the decimals it has, and two at least', () => {
    const texts = [2.5, 0.075, 0.625, 0, 1234.5, 0.1375, 0.000_012, 1.643_835_6, -0.5].map(formatPrice)
    expect(texts).toEqual([
      '$2.50',
      '$0.075',
      '$0.625',
      '$0.00',
      '$1,234.50',
      '$0.1375',
      '$0.000012',
      '$1.6438',
      '-$0.50',
    ])
  })
})

describe('the prices of tokens', () => {
  const row = {
    model_ratio: 1.25,
    completion_ratio: 4,
    cache_ratio: 0.5,
    audio_ratio: 16,
    audio_completion_ratio: 2,
  }

  it('are those of a million in a group, of the kinds that the model prices apart', () => {
    expect(tokenPrices(row, 1, 500_000).map(({ kind, price }) => [kind, price])).toEqual([
      ['input', 2.5],
      ['output', 10],
      ['cacheRead', 1.25],
      ['audioInput', 40],
      ['audioOutput', 80],
    ])
    expect(tokenPriceOf(row, 'output', 0.1, 500_000)?.price).toBe(1)
    expect(tokenPriceOf(row, 'imageInput', 1, 500_000)).toBeUndefined()
  })

  it('follow the quota units of a unit of currency', () => {
    expect(tokenPriceOf(row, 'input', 1, 1_000_000)?.price).toBe(1.25)
  })
})
