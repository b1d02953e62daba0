import { describe, expect, it } from 'bun:test'
import type { ModelRow } from './model-rows.ts'
import { priceForm, priceOf, priceProblems, sampleCost, startPriceForm } from './price-form.ts'

describe('the form of a price', () => {
  it('reads as it was set, and starts with the price of the vendor where none is set', () => {
    const price = { input: 2.5, output: 10, cache_read: 1.25 }
    expect(priceOf(priceForm(price))).toEqual(price)
    const served = {
      price: {},
      list_price: price,
      unpriced: true,
      costs: [],
      entries: {},
    } as unknown as ModelRow
    expect(startPriceForm(served, 'UTC')).toMatchObject({ mode: 'token', input: '2.5', output: '10' })
    expect(
      startPriceForm({ ...served, unpriced: undefined, price: { call: 0.04 } } as never, 'UTC'),
    ).toMatchObject({
      mode: 'call',
      call: '0.04',
    })
  })

  it('says what is no price', () => {
    const blank = priceForm({})
    expect(priceProblems(blank)).toEqual({ input: 'number' })
    expect(priceProblems({ ...blank, input: '-1', output: 'x' })).toEqual({
      input: 'number',
      output: 'number',
    })
    expect(priceProblems({ ...blank, input: '0', output: '2' })).toEqual({ input: 'inputMissing' })
    expect(priceProblems({ ...blank, input: '0' })).toEqual({})
    expect(priceProblems({ ...blank, mode: 'call', call: '0' })).toEqual({ call: 'zero' })
    expect(priceProblems({ ...blank, mode: 'call' })).toEqual({ call: 'number' })
  })

  it('knows what a call would cost', () => {
    expect(sampleCost(priceForm({ input: 2, output: 8 }), undefined)).toBeCloseTo(0.006)
    expect(sampleCost(priceForm({ input: 2 }), 8)).toBeCloseTo(0.006)
    expect(sampleCost(priceForm({ input: 2 }), undefined)).toBeUndefined()
    expect(sampleCost(priceForm({ call: 0.04 }), undefined)).toBe(0.04)
  })
})
