import { describe, expect, it } from 'bun:test'
import { costOf, estimateOf } from './charge.ts'
import { explainCharge } from './explain-charge.ts'
import { type ImageOrder, imagePrice, isVideoPriced, videoPrice } from './media-price.ts'
import { perCall, perToken, usage } from './test-support/prices.ts'

const unit = 500_000
const standard: ImageOrder = { model: 'dall-e-3', n: 1, size: '1024x1024', quality: 'standard' }
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
    const price = imagePrice(perCall(each, group), { ...standard, ...change }, unit)
    expect(costOf(usage({}), price)).toBe(quota)
    expect(estimateOf(size, price, 0)).toBe(quota)
  })

  it('says in the row what it is made of', () => {
    const price = imagePrice(perCall(0.04), { ...standard, quality: 'hd', size: '1024x1792', n: 2 }, unit)
    expect(JSON.parse(`{${explainCharge(usage({}), price)}}`)).toEqual({
      model_price: 0.24,
      quota_per_unit: unit,
      group_ratio: 1,
      user_group_ratio: -1,
      image_price: 0.04,
      image_count: 2,
      image_size: '1024x1792',
      image_quality: 'hd',
      image_size_ratio: 2,
      image_quality_ratio: 1.5,
    })
  })

  it('leaves a price per token to the tokens, and has one per image where none are counted', () => {
    const price = imagePrice(perToken({ modelRatio: 8, groupRatio: 2 }), { ...standard, n: 3 }, unit)
    expect(costOf(usage({ inputTokens: 10, outputTokens: 5 }), price)).toBe((10 + 5 * 4) * 16)
    // 0.0025 × 8 × 3 images × 2.
    expect(price.whenUncounted && costOf(usage({}), price.whenUncounted)).toBe(60_000)
    expect(estimateOf(size, price, 0)).toBe(60_000)
  })
})

const bySecond = { unit: 'second', resolutions: { '480p': 0.5, '1080p': 1.5 } } as const
const none = usage({})

describe('videoPrice', () => {
  it.each([
    [undefined, 8, '1080p', 50_000],
    [{ unit: 'call', resolutions: {} } as const, 8, '1080p', 50_000],
    [{ unit: 'call', resolutions: { '1080p': 1.75 } } as const, 10, '1080p', 87_500],
    [bySecond, 8, '720p', 400_000],
    [bySecond, 8, '1080p', 600_000],
    [bySecond, 5, '480p', 125_000],
    [bySecond, 5, 'constructor', 250_000],
  ])('at 0.1 with %j a video of %d s in %s costs %d', (rule, seconds, resolution, quota) => {
    expect(costOf(none, videoPrice(perCall(0.1), rule, { seconds, resolution }))).toBe(quota)
  })

  it('is exact, and counts the group once', () => {
    const price = videoPrice(
      perCall(0.1, 3),
      { unit: 'second', resolutions: { '720p': 0.7 } },
      {
        seconds: 3,
        resolution: '720p',
      },
    )
    // 0.1 × 3 × 0.7 × 3 × 500,000; in binary fractions the first product is not 0.21.
    expect(costOf(none, price)).toBe(315_000)
  })

  it('says in the row what it is made of', () => {
    const price = videoPrice(perCall(0.1), bySecond, { seconds: 8, resolution: '1080p' })
    expect(JSON.parse(`{${explainCharge(none, price)}}`)).toEqual({
      model_price: 1.2,
      quota_per_unit: 500_000,
      group_ratio: 1,
      user_group_ratio: -1,
      video_price: 0.1,
      video_unit: 'second',
      video_seconds: 8,
      video_resolution: '1080p',
      video_resolution_ratio: 1.5,
    })
  })

  it('counts sound where the video has some, and says so', () => {
    const withSound = { ...bySecond, sound: 2 }
    const costIn = (rule: typeof bySecond, sound?: 'usual' | 'ordered') =>
      costOf(
        none,
        videoPrice(perCall(0.1), rule, { seconds: 5, resolution: '720p', ...(sound && { sound }) }),
      )
    expect([costIn(withSound), costIn(withSound, 'usual'), costIn(withSound, 'ordered')]).toEqual([
      250_000, 500_000, 500_000,
    ])
    expect(costIn(bySecond, 'usual')).toBe(250_000)
    const price = videoPrice(perCall(0.1), withSound, { seconds: 5, resolution: '720p', sound: 'ordered' })
    expect(explainCharge(none, price)).toContain('"video_sound_ratio":2')
  })

  it('sells no sound that is ordered and has no price', () => {
    const ordered = { seconds: 5, resolution: '720p', sound: 'ordered' } as const
    expect(
      [undefined, bySecond, { ...bySecond, sound: 2 }].map((rule) => isVideoPriced(rule, ordered)),
    ).toEqual([false, false, true])
    expect(isVideoPriced(undefined, { ...ordered, sound: 'usual' })).toBe(true)
  })

  it('leaves a price per token alone', () => {
    const price = perToken({ modelRatio: 1 })
    expect(videoPrice(price, bySecond, { seconds: 8, resolution: '720p' })).toBe(price)
  })
})
