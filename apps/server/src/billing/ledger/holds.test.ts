import { describe, expect, it } from 'bun:test'
import { chargeOf } from '../test-support/charges.ts'
import { admitted, ledgerBench, requestOf, settleFor } from '../test-support/ledger-bench.ts'

async function funded(user = 1000, token = 1000) {
  const bench = await ledgerBench()
  bench.repository.open('user', 1, user)
  bench.repository.open('token', 1, token)
  return bench
}

const holdOf = (change = {}) => ({
  id: 'task-1',
  userId: 1,
  token: { id: 1, unlimited: false },
  amount: 300,
  model: 'video',
  ...change,
})

describe('a hold', () => {
  it('is taken in the database and in memory at once', async () => {
    const { ledger, repository } = await funded()
    expect(await ledger.hold(holdOf())).toEqual({ ok: true })
    expect(repository.stored('user', 1)).toBe(700)
    expect(ledger.balance('user', 1)).toBe(700)
    expect(ledger.balance('token', 1)).toBe(700)
    expect(ledger.reserve(requestOf({ estimate: 701 }))).toMatchObject({ ok: false, balance: 700 })
    expect(ledger.reserve(requestOf({ estimate: 700 })).ok).toBe(true)
  })

  it('promises nothing that calls were promised, before, beside or after', async () => {
    const { ledger } = await funded(1000)
    await ledger.load(1, 1)
    const call = admitted(ledger.reserve(requestOf({ estimate: 500 })))
    const results = await Promise.all(
      ['a', 'b', 'c'].map((id) => ledger.hold(holdOf({ id, amount: 250, token: null }))),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(2)
    expect(results.find(({ ok }) => !ok)).toMatchObject({ refusal: 'user-quota', needed: 250 })
    settleFor(ledger, call, 500)
    expect(ledger.balance('user', 1)).toBe(0)
  })

  it('is refused as a call is', async () => {
    const { ledger, repository } = await funded(1000, 100)
    expect(await ledger.hold(holdOf())).toMatchObject({ ok: false, refusal: 'token-quota' })
    expect(await ledger.hold(holdOf({ userId: 9 }))).toMatchObject({ refusal: 'account-unknown' })
    await expect(ledger.hold(holdOf({ amount: 0.5 }))).rejects.toThrow(RangeError)
    expect(repository.holds.size).toBe(0)
    expect(ledger.reserve(requestOf({ estimate: 1000 })).ok).toBe(true)
  })

  it('ends with what the work cost, once, and over restarts', async () => {
    const { ledger, repository, openLedger } = await funded()
    await ledger.hold(holdOf())
    await ledger.close()
    const next = await openLedger()
    const charge = chargeOf({ quota: 120 })
    expect(await Promise.all([next.settleHold('task-1', charge), next.settleHold('task-1', charge)])).toEqual(
      [true, false],
    )
    expect(await next.releaseHold('task-1')).toBe(false)
    expect(next.balance('user', 1)).toBe(880)
    expect(next.balance('token', 1)).toBe(880)
    expect(repository.stored('user', 1)).toBe(880)
    expect(repository.settlements).toHaveLength(1)
    await next.close()
  })

  it('may cost more than was held', async () => {
    const { ledger, repository } = await funded()
    await ledger.hold(holdOf())
    await ledger.settleHold('task-1', chargeOf({ quota: 1200 }))
    expect(ledger.balance('user', 1)).toBe(-200)
    expect(repository.stored('token', 1)).toBe(-200)
  })

  it('is refunded, with a log row where a failure is given', async () => {
    const { ledger, repository } = await funded()
    const { quota: _, ...failure } = chargeOf({ requestId: 'failed' })
    await ledger.hold(holdOf())
    expect(await ledger.releaseHold('task-1', failure)).toBe(true)
    expect(ledger.balance('user', 1)).toBe(1000)
    expect(repository.stored('token', 1)).toBe(1000)
    expect(repository.settlements).toMatchObject([{ kind: 'error', quota: 0, requestId: 'failed' }])
    expect(await ledger.releaseHold('task-1', failure)).toBe(false)
    expect(await ledger.releaseHold('never taken')).toBe(false)
  })

  it('refuses a charge in other names', async () => {
    const { ledger } = await funded()
    await ledger.hold(holdOf())
    await expect(ledger.settleHold('task-1', chargeOf({ userId: 2 }))).rejects.toThrow(RangeError)
    await expect(ledger.settleHold('task-1', chargeOf({ tokenId: 0 }))).rejects.toThrow(RangeError)
    expect(await ledger.releaseHold('task-1')).toBe(true)
  })

  it('leaves memory equal to the database when a response is lost', async () => {
    for (const fault of ['before', 'after'] as const) {
      const { ledger, repository } = await funded()
      repository.faults.push(fault)
      await expect(ledger.hold(holdOf())).rejects.toThrow('the connection was lost')
      expect(ledger.balance('user', 1)).toBe(repository.stored('user', 1))
      expect(repository.holds.size).toBe(fault === 'after' ? 1 : 0)
      await ledger.releaseHold('task-1')
      await ledger.hold(holdOf())
      repository.faults.push(fault)
      await expect(ledger.settleHold('task-1', chargeOf({ quota: 70 }))).rejects.toThrow()
      expect(ledger.balance('token', 1)).toBe(repository.stored('token', 1))
      expect(await ledger.settleHold('task-1', chargeOf({ quota: 70 }))).toBe(fault === 'before')
      expect(ledger.balance('user', 1)).toBe(930)
      expect(repository.stored('user', 1)).toBe(930)
      expect(ledger.reserve(requestOf({ estimate: 930 })).ok).toBe(true)
    }
  })

  it('that is taken twice is taken once', async () => {
    const { ledger } = await funded()
    await ledger.hold(holdOf())
    await expect(ledger.hold(holdOf())).rejects.toThrow('there is a hold task-1')
    expect(ledger.balance('user', 1)).toBe(700)
  })
})
