import { describe, expect, it } from 'bun:test'
import type { ReserveRequest } from '../ledger-types.ts'
import { chargeOf } from '../test-support/charges.ts'
import { ledgerBench, requestOf } from '../test-support/ledger-bench.ts'

async function funded(user: number, tokens: readonly number[] = []) {
  const bench = await ledgerBench()
  bench.repository.open('user', 1, user)
  for (const [index, balance] of tokens.entries()) {
    bench.repository.open('token', index + 1, balance)
    await bench.ledger.load(1, index + 1)
  }
  await bench.ledger.load(1, 0)
  const reserved = (change: Partial<ReserveRequest> = {}) => {
    const result = bench.ledger.reserve({ ...requestOf(), token: null, estimate: 10, ...change })
    if (!result.ok) throw new Error(result.refusal)
    return result.reservation
  }
  return { ...bench, reserved }
}

const key = (id: number) => ({ token: { id, unlimited: false } })

describe('secure', () => {
  it('holds all that may be believed, where the balance has it', async () => {
    const { ledger, reserved } = await funded(1000)
    const call = reserved()
    expect(ledger.secure(call, { needed: 10, believed: 800 })).toEqual({ ok: true })
    expect(call.reserved).toBe(800)
    expect(ledger.reserve({ ...requestOf(), token: null, estimate: 201 }).ok).toBe(false)
  })

  it('serves one call at a time that may cost more than the account has', async () => {
    const { ledger, reserved } = await funded(1000)
    const [first, second] = [reserved(), reserved()]
    const exposure = { needed: 10, believed: 5000 }
    expect(ledger.secure(first, exposure)).toEqual({ ok: true })
    expect(first.reserved).toBe(10)
    const waits = { ok: false, refusal: 'user-quota', balance: 990, needed: 5000, isUncovered: true } as const
    expect(ledger.secure(second, exposure)).toEqual(waits)
    // A call of an upstream that is known passes meanwhile.
    expect(ledger.secure(second, { needed: 20, believed: 20 })).toEqual({ ok: true })
    ledger.release(first)
    expect(ledger.secure(second, exposure)).toEqual({ ok: true })
  })

  it('counts per account that is short: another key of the user is served', async () => {
    const { ledger, reserved } = await funded(100_000, [100, 100])
    const exposure = { needed: 10, believed: 5000 }
    expect(ledger.secure(reserved(key(1)), exposure)).toEqual({ ok: true })
    expect(ledger.secure(reserved(key(2)), exposure)).toEqual({ ok: true })
    expect(ledger.secure(reserved(key(2)), exposure)).toMatchObject({
      refusal: 'token-quota',
      isUncovered: true,
    })
  })

  it('refuses what is needed and not there, by the figure that it was decided by', async () => {
    const { ledger, reserved } = await funded(100)
    reserved({ estimate: 60 })
    const call = reserved()
    expect(ledger.secure(call, { needed: 41, believed: 41 })).toEqual({
      ok: false,
      refusal: 'user-quota',
      balance: 40,
      needed: 41,
      isUncovered: false,
    })
    expect(call.reserved).toBe(10)
    expect(ledger.secure(call, { needed: 40, believed: 40 })).toEqual({ ok: true })
  })
})

describe('expect', () => {
  it('keeps from other calls what a call in flight is expected to cost, and never what another has reserved', async () => {
    const { ledger, reserved } = await funded(100)
    const [expensive, other] = [reserved(), reserved({ estimate: 20 })]
    ledger.expect(expensive, 500)
    const refused = ledger.reserve({ ...requestOf(), token: null, estimate: 1 })
    expect(refused).toEqual({ ok: false, refusal: 'user-quota', balance: 0, needed: 1 })
    expect(ledger.extend(other, 1)).toBe(false)
    expect(ledger.affordable(other)).toBe(90)
    expect(ledger.affordable(expensive)).toBe(80)
    // Its own growth is a part of what is expected.
    expect(ledger.extend(expensive, 70)).toBe(true)
    expect(ledger.extend(expensive, 1)).toBe(false)
    ledger.settle(expensive, chargeOf({ tokenId: 0, quota: 80 }), 500)
    expect(ledger.extend(other, 0)).toBe(true)
    expect(ledger.affordable(other)).toBe(20)
  })

  it('ends with the call', async () => {
    const { ledger, reserved } = await funded(100)
    const call = reserved()
    ledger.expect(call, 500)
    ledger.expect(call, 5)
    expect(ledger.reserve({ ...requestOf(), token: null, estimate: 90 }).ok).toBe(true)
    ledger.expect(call, 500)
    ledger.release(call)
    ledger.expect(call, 500)
    expect(ledger.reserve({ ...requestOf(), token: null, estimate: 10 }).ok).toBe(true)
  })
})
