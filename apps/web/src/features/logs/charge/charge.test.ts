import { describe, expect, it } from 'bun:test'
import type { LogOther } from '@tollgate/api'
import { add, formatDecimal, multiply } from '@tollgate/base/decimal'
import fc from 'fast-check'
import { type Charge, chargeOf, type TokenCharge } from './charge.ts'
import { decimal } from './decimal.ts'

const perUnit = 500_000
const gpt4o = { model_ratio: 1.25, model_price: -1, completion_ratio: 4, group_ratio: 1, cache_ratio: 0.5 }
const mini = { model_ratio: 0.075, model_price: -1, completion_ratio: 4, group_ratio: 1 }

function charge(prompt: number, completion: number, quota: number, other: LogOther): Charge {
  const found = chargeOf({ prompt_tokens: prompt, completion_tokens: completion, quota }, other, perUnit)
  if (!found) throw new Error('the row does not say its price')
  return found
}

function tokenCharge(...row: Parameters<typeof charge>): TokenCharge {
  const found = charge(...row)
  if (found.kind !== 'per-token') throw new Error('priced per call')
  return found
}

const amounts = (found: TokenCharge) => found.lines.map((line) => [line.kind, formatDecimal(line.amount)])

// Prices and expected quota are worked examples of how gateways of this kind charge.
const examples: readonly [
  name: string,
  prompt: number,
  completion: number,
  other: LogOther,
  quota: number,
  settling: Charge['settling'],
][] = [
  ['plain tokens', 1000, 200, gpt4o, 2250, 'exact'],
  ['cached input at half price', 1000, 200, { ...gpt4o, cache_tokens: 600 }, 1875, 'exact'],
  ['a cheaper group', 1000, 200, { ...gpt4o, group_ratio: 0.8 }, 1800, 'exact'],
  ['a fraction rounded to the nearest unit', 10, 5, mini, 2, 'rounded'],
  ['too little to round to one', 5, 0, mini, 1, 'least'],
  ['exactly half a unit', 50, 0, { model_ratio: 0.01, model_price: -1 }, 1, 'rounded'],
  [
    'cache reads and writes inside the prompt',
    1300,
    50,
    {
      model_ratio: 1.5,
      completion_ratio: 5,
      cache_tokens: 1000,
      cache_ratio: 0.1,
      cache_creation_tokens: 200,
      cache_creation_ratio: 1.25,
    },
    1050,
    'exact',
  ],
  ['everything cached for nothing', 10, 0, { ...gpt4o, cache_tokens: 10, cache_ratio: 0 }, 1, 'least'],
  ['a free model', 1000, 1000, { model_ratio: 0, model_price: -1 }, 0, 'free'],
  ['a free group', 1000, 1000, { ...gpt4o, group_ratio: 0 }, 0, 'free'],
  ['no tokens at all', 0, 0, gpt4o, 0, 'nothingUsed'],
  [
    'a price per call',
    7,
    0,
    { model_price: 0.04, quota_per_unit: perUnit, group_ratio: 1.5 },
    30_000,
    'exact',
  ],
  [
    'a price per call of several images',
    3,
    0,
    { model_price: 0.04 * 2 * 1.5 * 2, group_ratio: 1 },
    120_000,
    'exact',
  ],
  ['a task', 0, 0, { model_price: 0.1, group_ratio: 1 }, 50_000, 'exact'],
  ['a price below one unit', 1, 1, { model_price: 0.0000001, group_ratio: 1 }, 1, 'least'],
  ['a call that is free', 1, 1, { model_price: 0, group_ratio: 1 }, 0, 'free'],
]

describe('chargeOf', () => {
  it('says that a balance had less than the call cost, and that a broken call has no price', () => {
    expect(charge(1000, 200, 1000, { ...gpt4o, shortfall: 1250 })).toMatchObject({
      total: 2250,
      settling: 'short',
    })
    expect(charge(1000, 200, 1000, { ...gpt4o, shortfall: 1 }).settling).toBe('differs')
    const perCall = { model_price: 0.1, group_ratio: 1 }
    expect(charge(0, 0, 0, { ...perCall, unfinished: true })).toMatchObject({
      total: 50_000,
      settling: 'unfinished',
    })
    expect(charge(0, 0, 10_000, { ...perCall, shortfall: 40_000 }).settling).toBe('short')
  })

  it.each(examples)('works out %s to the unit', (_name, prompt, completion, other, quota, settling) => {
    const found = charge(prompt, completion, quota, other)
    expect(found.total).toBe(quota)
    expect(found.settling).toBe(settling)
  })

  it('shows every line, and the lines add up', () => {
    const found = tokenCharge(1000, 200, 1500, { ...gpt4o, cache_tokens: 600, group_ratio: 0.8 })
    expect(amounts(found)).toEqual([
      ['input', '500'],
      ['cached', '375'],
      ['output', '1,000'],
    ])
    expect(formatDecimal(found.sum)).toBe('1,875')
    expect(formatDecimal(found.exact)).toBe('1,500')
    expect(found.lines.map((line) => formatDecimal(line.pricePerMillion, 2))).toEqual([
      '2.50',
      '1.25',
      '10.00',
    ])
  })

  it('prices tokens by the units of this installation', () => {
    const [input] = tokenCharge(1, 0, 1, gpt4o).lines
    expect(input && formatDecimal(input.pricePerMillion)).toBe('2.5')
    const found = chargeOf({ prompt_tokens: 1, completion_tokens: 0, quota: 1 }, gpt4o, 1_000_000)
    expect(found?.kind === 'per-token' && formatDecimal(found.lines[0]?.pricePerMillion ?? decimal(0))).toBe(
      '1.25',
    )
  })

  it('reads rows whose cached tokens are counted apart from the prompt', () => {
    const other = {
      claude: true,
      model_ratio: 1.5,
      completion_ratio: 5,
      group_ratio: 1,
      cache_tokens: 1000,
      cache_ratio: 0.1,
      cache_creation_tokens: 200,
      cache_creation_ratio: 1.25,
    }
    const apart = tokenCharge(100, 50, 1050, other)
    expect([apart.total, apart.lines[0]?.tokens]).toEqual([1050, 100])
    const inside = tokenCharge(1300, 50, 1050, other)
    expect([inside.total, inside.lines[0]?.tokens]).toEqual([1050, 100])
  })

  it('reads audio rows', () => {
    const found = tokenCharge(130, 60, 4200, {
      audio: true,
      model_ratio: 1.25,
      completion_ratio: 4,
      group_ratio: 1,
      text_input: 100,
      text_output: 10,
      audio_input: 30,
      audio_output: 50,
      audio_ratio: 16,
      audio_completion_ratio: 2,
    })
    expect(amounts(found)).toEqual([
      ['input', '125'],
      ['audioInput', '600'],
      ['output', '50'],
      ['audioOutput', '2,000'],
    ])
    expect([found.total, found.settling]).toEqual([2775, 'differs'])
  })

  it('shows tools that the vendor ran, and what tier and length made of the tokens', () => {
    const found = tokenCharge(200_010, 10, 1_003_050 + 15_000, {
      ...gpt4o,
      cache_tokens: 10,
      tier_ratios: { priority: 2 },
      length_step: { above: 200_000, input: 2, output: 1.5, cached: 1 },
      tool_calls: { web_search: { calls: 3, price: 10 } },
      quota_per_unit: perUnit,
    })
    expect(amounts(found)).toEqual([
      ['input', '1,000,000'],
      ['cached', '12.5'],
      ['output', '150'],
    ])
    expect(found.tools.map(({ kind, calls, amount }) => [kind, calls, formatDecimal(amount)])).toEqual([
      ['web_search', 3, '15,000'],
    ])
    expect(formatDecimal(found.exact)).toBe('1,015,162.5')
  })

  it('reads rows with cache writes of both kinds', () => {
    const found = tokenCharge(1007, 0, 1269, {
      ...gpt4o,
      model_ratio: 1,
      cache_creation_tokens: 1007,
      cache_creation_ratio: 1.25,
      cache_creation_tokens_5m: 1000,
      cache_creation_ratio_5m: 1.25,
      cache_creation_tokens_1h: 7,
      cache_creation_ratio_1h: 2,
    })
    expect(amounts(found)).toEqual([
      ['input', '0'],
      ['cacheCreation', '1,250'],
      ['cacheCreation1h', '14'],
      ['output', '0'],
    ])
    expect(found.total).toBe(1264)
  })

  it('reads rows with images, and output without a ratio of its own as text', () => {
    const images = {
      ...gpt4o,
      model_ratio: 1,
      image: true,
      text_input: 10,
      text_output: 20,
      image_input: 30,
      image_output: 40,
      image_ratio: 2,
    }
    expect(amounts(tokenCharge(40, 60, 310, images))).toEqual([
      ['input', '10'],
      ['imageInput', '60'],
      ['output', '80'],
      ['imageOutput', '160'],
    ])
    const drawn = tokenCharge(40, 60, 550, { ...images, image_completion_ratio: 5 })
    expect([drawn.total, drawn.settling]).toEqual([550, 'exact'])
  })

  it('uses a ratio of the person’s own group where there is one', () => {
    expect(charge(1000, 200, 1125, { ...gpt4o, user_group_ratio: 0.5 }).total).toBe(1125)
    expect(charge(1000, 200, 2250, { ...gpt4o, user_group_ratio: -1 }).total).toBe(2250)
  })

  it('says when a row was rounded down, and when it does not add up', () => {
    expect(charge(1, 0, 1, { model_ratio: 1.5 })).toMatchObject({ total: 2, settling: 'cut' })
    expect(charge(1000, 200, 9999, gpt4o)).toMatchObject({ total: 2250, settling: 'differs' })
  })

  it('explains nothing when the row does not say its price', () => {
    expect(
      chargeOf({ prompt_tokens: 1, completion_tokens: 1, quota: 5 }, { group_ratio: 1 }, perUnit),
    ).toBeUndefined()
  })

  const ratio = fc.integer({ min: 0, max: 200_000 }).map((value) => value / 1000)
  const tokens = fc.oneof(fc.constant(0), fc.nat({ max: 200_000 }))
  const figures = fc.record({
    ratios: fc.record({
      model_ratio: ratio,
      group_ratio: ratio,
      completion_ratio: ratio,
      cache_ratio: ratio,
      cache_creation_ratio: ratio,
      cache_creation_ratio_1h: ratio,
      audio_ratio: ratio,
      audio_completion_ratio: ratio,
      image_ratio: ratio,
      image_completion_ratio: ratio,
    }),
    text: fc.record({ input: tokens, output: tokens }),
    counts: fc.record({
      cache_tokens: tokens,
      cache_creation_tokens_5m: tokens,
      cache_creation_tokens_1h: tokens,
      audio_input: tokens,
      audio_output: tokens,
      image_input: tokens,
      image_output: tokens,
    }),
  })

  it('always shows lines whose sum times the group ratio is the exact amount', () => {
    fc.assert(
      fc.property(figures, ({ ratios, text, counts }) => {
        const created = counts.cache_creation_tokens_5m + counts.cache_creation_tokens_1h
        const prompt = text.input + counts.cache_tokens + created + counts.audio_input + counts.image_input
        const completion = text.output + counts.audio_output + counts.image_output
        // Ratios with three decimals, pairs of them with six: whole numbers once scaled up.
        const millionths = (one: number, two = 1) => BigInt(Math.round(one * 1000) * Math.round(two * 1000))
        const units =
          BigInt(text.input) * 1_000_000n +
          BigInt(counts.cache_tokens) * millionths(ratios.cache_ratio) +
          BigInt(counts.cache_creation_tokens_5m) * millionths(ratios.cache_creation_ratio) +
          BigInt(counts.cache_creation_tokens_1h) * millionths(ratios.cache_creation_ratio_1h) +
          BigInt(counts.audio_input) * millionths(ratios.audio_ratio) +
          BigInt(counts.image_input) * millionths(ratios.image_ratio) +
          BigInt(text.output) * millionths(ratios.completion_ratio) +
          BigInt(counts.audio_output) * millionths(ratios.audio_ratio, ratios.audio_completion_ratio) +
          BigInt(counts.image_output) * millionths(ratios.image_ratio, ratios.image_completion_ratio)
        const exact = units * millionths(ratios.model_ratio, ratios.group_ratio)
        const nearest = Number((exact * 2n + 10n ** 12n) / (2n * 10n ** 12n))
        const lowerBound = ratios.model_ratio * ratios.group_ratio > 0 && prompt + completion > 0 ? 1 : 0
        const total = Math.max(nearest, lowerBound)
        const found = tokenCharge(prompt, completion, total, {
          ...ratios,
          ...counts,
          cache_creation_tokens: created,
        })
        const sum = multiply(add(...found.lines.map((line) => line.amount)), found.groupRatio)
        expect(formatDecimal(sum)).toBe(formatDecimal(found.exact))
        expect(found.total).toBe(total)
        expect(found.settling).not.toBe('differs')
      }),
    )
  })
})
