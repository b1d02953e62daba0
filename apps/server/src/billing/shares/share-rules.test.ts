import { describe, expect, it } from 'bun:test'
import type { Account } from '../balances/account-cache.ts'
import { allOf, restOf, surrenderOf } from './share-rules.ts'

function accountOf(change: Partial<Account>): Account {
  const idle = {
    free: 0,
    others: 0,
    isLimited: true,
    isAmple: false,
    lowWater: 0,
    reserved: 0,
    expected: 0,
    inFlight: 0,
    uncovered: 0,
    lastCharge: 0,
  }
  return { kind: 'user', id: 1, balance: 0, ...idle, pins: 0, recent: true, ...change }
}

describe('the share that a node returns', () => {
  it('is what no call has reserved, unless it is ample or the node is alone', () => {
    expect(restOf(accountOf({ balance: 100, reserved: 30 }), 3)).toBe(70)
    expect(restOf(accountOf({ balance: 100, reserved: 30, isAmple: true }), 3)).toBe(0)
    expect(restOf(accountOf({ balance: 100, reserved: 30 }), 1)).toBe(0)
  })

  it('covers what the balance is overdrawn by, as far as it goes', () => {
    expect(restOf(accountOf({ balance: 100, reserved: 30, free: -20 }), 1)).toBe(20)
    expect(restOf(accountOf({ balance: 100, reserved: 30, free: -90, isAmple: true }), 3)).toBe(70)
  })

  it('is below zero after charges beyond it', () => {
    const overspent = accountOf({ balance: -40, reserved: 10 })
    expect([restOf(overspent, 1), surrenderOf(overspent, 5), allOf(overspent)]).toEqual([-40, -40, -40])
    expect([
      surrenderOf(accountOf({ balance: 10, reserved: 30 }), 5),
      allOf(accountOf({ balance: 10, reserved: 30 })),
    ]).toEqual([0, 0])
  })

  it('is half of what another node asks for while the other half is ample, else all', () => {
    expect(surrenderOf(accountOf({ balance: 165, reserved: 5 }), 10)).toBe(80)
    expect(surrenderOf(accountOf({ balance: 164, reserved: 5 }), 10)).toBe(159)
    expect(allOf(accountOf({ balance: 165, reserved: 5 }))).toBe(160)
  })
})
