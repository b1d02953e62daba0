import { describe, expect, it } from 'bun:test'
import type { Usage } from '@tollgate/formats'
import { costOf } from '../../../billing/pricing/charge.ts'
import { perCall, perToken, usage } from '../../../billing/pricing/test-support/prices.ts'
import type { CallCharge } from './call-charge.ts'
import { StreamBudget } from './stream-budget.ts'

/** A charge over a balance, and a stream that delivered so many words. */
function streaming(balance: number, { reserved = 100, limit }: { reserved?: number; limit?: number } = {}) {
  const charge = {
    price: perToken({ modelRatio: 1, completionRatio: 1 }),
    promptTokens: 10,
    reserved,
    extend(amount: number) {
      if (charge.reserved + amount > balance) return false
      charge.reserved += amount
      return true
    },
    extendOrAcquire: (amount: number) => charge.extend(amount),
  }
  let counts = 0
  const request = {
    maxOutputTokens: limit,
    countTokens: async ({ text }: { text: string }) => {
      counts += 1
      return { inputTokens: 10, outputTokens: text.split(' ').length }
    },
  }
  const reader = {
    deliveredSize: 0,
    latestUsage: undefined as Usage | undefined,
    delivered: () => ({ text: 'word '.repeat(reader.deliveredSize / 5), overflowBytes: 0, toolCalls: 0 }),
  }
  const budget = new StreamBudget(charge as unknown as CallCharge, request)
  return {
    budget,
    charge,
    reader,
    counts: () => counts,
    deliver: (words: number) => (reader.deliveredSize += words * 5),
  }
}

describe('StreamBudget', () => {
  it('asks nothing of a stream that stays inside its limit', () => {
    const { budget, reader, deliver } = streaming(1000, { limit: 600 })
    deliver(100)
    expect(budget.isCovered(reader)).toBe(true)
    deliver(100)
    expect(budget.isCovered(reader)).toBe(false)
  })

  it('holds more, a step ahead of what was delivered, while the balance carries it', () => {
    const { budget, charge, reader, deliver } = streaming(100_000)
    for (let index = 0; index < 20; index += 1) {
      deliver(100)
      if (!budget.isCovered(reader)) expect(budget.cover(reader)).toBe(true)
      expect(charge.reserved).toBeGreaterThanOrEqual(reader.deliveredSize / 5)
    }
  })

  it('lets a tokenizer decide when the quick estimate is too dear for the balance', async () => {
    const { budget, reader, deliver, counts } = streaming(700)
    deliver(300)
    // By bytes 500 tokens and a step more than the balance; counted 300.
    expect(await budget.cover(reader)).toBe(true)
    expect(counts()).toBe(1)
    deliver(300)
    expect(await budget.cover(reader)).toBe(false)
  })

  it('believes a count of the upstream that is higher than what was delivered', async () => {
    const { budget, reader, deliver, charge } = streaming(2000)
    deliver(60)
    reader.latestUsage = usage({ inputTokens: 10, outputTokens: 1500 })
    expect(budget.cover(reader)).toBe(true)
    expect(charge.reserved).toBeGreaterThanOrEqual(costOf(reader.latestUsage, charge.price))
    reader.latestUsage = usage({ inputTokens: 10, outputTokens: 5000 })
    expect(await budget.cover(reader)).toBe(false)
  })

  it('has as much read as is covered, and little where nothing is', () => {
    const { budget, reader, deliver } = streaming(1000, { limit: 4000 })
    expect(budget.readableBytes(reader)).toBe(4000)
    deliver(500)
    expect(budget.readableBytes(reader)).toBe(1500)
    deliver(300)
    expect(budget.readableBytes(reader)).toBe(1024)
  })

  it('never asks for more where the price is per call', () => {
    const { budget, charge, reader, deliver } = streaming(0, { reserved: 50 })
    Object.assign(charge, { price: perCall(0.0001) })
    deliver(1000)
    expect(budget.cover(reader)).toBe(true)
    expect(charge.reserved).toBe(50)
  })
})
