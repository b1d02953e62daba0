import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { Demand, Taken, Verdict } from './limit-counts.ts'
import { createMemoryCounts } from './memory-counts.ts'

function counting(upperBound?: number) {
  let now = 0
  const counts = createMemoryCounts({ now: () => now }, upperBound)
  return {
    take: (...demands: Demand[]) => counts.take(demands) as Verdict,
    settle: (taken: Taken, tokens = 0, refused = false) => counts.settle(taken, { tokens, refused }),
    advance: (ms: number) => {
      now += ms
    },
  }
}

const requests = (limit: number, subject = 'key 1'): Demand => ({
  subject,
  measure: 'requests',
  limit,
  amount: 1,
})
const tokens = (limit: number, amount: number): Demand => ({
  subject: 'key 1',
  measure: 'tokens',
  limit,
  amount,
})
const slot = (limit: number): Demand => ({ subject: 'key 1', measure: 'concurrency', limit, amount: 1 })

function takenOf(verdict: Verdict): Taken {
  if (!verdict.granted) throw new Error('refused')
  return verdict.taken
}

describe('counts in memory', () => {
  it('grants exactly the limit of a minute, and keeps its word on when to come back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 59_000 }), (limit, at) => {
        const { take, advance } = counting()
        advance(at)
        for (let index = 0; index < limit; index += 1) expect(take(requests(limit)).granted).toBe(true)
        for (let tries = 0; tries < 50; tries += 1) {
          const refusal = take(requests(limit))
          if (refusal.granted) throw new Error('more than the limit')
          expect(refusal.limitStatuses).toMatchObject([{ limit, remaining: 0 }])
          if (tries < 49) continue
          advance(refusal.retryAfterSeconds * 1000)
        }
        expect(take(requests(limit)).granted).toBe(true)
      }),
    )
  })

  it('takes of all limits or of none', () => {
    const { take } = counting()
    take(requests(1, 'model m'))
    expect(take(requests(5), requests(1, 'model m')).granted).toBe(false)
    const verdict = take(requests(5))
    expect(verdict.limitStatuses).toMatchObject([{ remaining: 4 }])
  })

  it('counts the tokens that a call used instead of those it might', () => {
    const { take, settle } = counting()
    settle(takenOf(take(tokens(1000, 900))), 100)
    expect(take(tokens(1000, 900)).limitStatuses).toMatchObject([{ remaining: 0 }])
    const { take: take2, settle: settle2 } = counting()
    settle2(takenOf(take2(tokens(1000, 100))), 950)
    expect(take2(tokens(1000, 100)).granted).toBe(false)
  })

  it('gives back only what is still in view of a call that took minutes', () => {
    const { take, settle, advance } = counting()
    const long = takenOf(take(tokens(1000, 800)))
    advance(180_000)
    takenOf(take(tokens(1000, 600)))
    settle(long, 10)
    expect(take(tokens(1000, 600)).granted).toBe(false)
  })

  it('lends slots for as long as calls last, and gives each back once', () => {
    const { take, settle } = counting()
    const first = takenOf(take(slot(2)))
    takenOf(take(slot(2)))
    expect(take(slot(2))).toMatchObject({ granted: false, retryAfterSeconds: 1 })
    settle(first)
    expect(take(slot(2)).granted).toBe(true)
    expect(take(slot(2)).granted).toBe(false)
  })

  it('forgets nothing of a refused call but that it came', () => {
    const { take, settle } = counting()
    settle(takenOf(take(requests(1), slot(1))), 0, true)
    expect(take(requests(1), slot(1)).granted).toBe(true)
  })

  it('keeps a bounded number of counters, the latest ones', () => {
    const { take } = counting(3)
    for (const key of ['a', 'b', 'c', 'd']) take(requests(1, key))
    expect(take(requests(1, 'd')).granted).toBe(false)
    expect(take(requests(1, 'a')).granted).toBe(true)
  })
})
