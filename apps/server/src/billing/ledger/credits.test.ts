import { describe, expect, it } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credit, Ledger } from '../ledger-types.ts'
import { admitted, flushed, ledgerBench, requestOf, settleFor } from '../test-support/ledger-bench.ts'

const creditOf = (change: Partial<Credit> = {}): Credit => ({
  kind: 'user',
  id: 1,
  cause: 'admin-change',
  amount: 100,
  actorId: 7,
  note: 'gift',
  ...change,
})

async function funded(user = 1000) {
  const bench = await ledgerBench()
  bench.repository.open('user', 1, user)
  bench.repository.open('token', 1, 0)
  await bench.ledger.load(1, 1)
  return bench
}

function charge(ledger: Ledger, quota: number): void {
  settleFor(ledger, admitted(ledger.reserve(requestOf({ estimate: 0 }))), quota)
}

describe('credit', () => {
  it('is in the database with its cause before it counts', async () => {
    const { ledger, repository } = await funded()
    const work = ledger.credit(creditOf())
    expect(ledger.balance('user', 1)).toBe(1000)
    expect(await work).toBe(1100)
    expect(repository.entries).toMatchObject([
      { accountKind: 'user', accountId: 1, cause: 'admin-change', amount: 100, actorId: 7, note: 'gift' },
    ])
    expect(repository.stored('user', 1)).toBe(1100)
  })

  it('that its cause refuses changes nothing, and the next one counts', async () => {
    const { ledger, repository } = await funded()
    const inTransaction = () => Promise.reject(new Error('used already'))
    await expect(ledger.credit(creditOf({ inTransaction }))).rejects.toThrow('used already')
    expect(ledger.balance('user', 1)).toBe(1000)
    expect(repository.entries).toEqual([])
    expect(await ledger.credit(creditOf())).toBe(1100)
  })

  it('brings an account in that was not in memory', async () => {
    const { ledger, repository } = await ledgerBench()
    repository.open('token', 5, 40)
    expect(await ledger.credit(creditOf({ kind: 'token', id: 5, amount: -15 }))).toBe(25)
    expect(ledger.balance('token', 5)).toBe(25)
  })

  it('neither loses nor doubles calls that are charged while it runs', async () => {
    const { ledger, repository } = await funded()
    charge(ledger, 30)
    const work = ledger.credit(creditOf())
    charge(ledger, 50)
    await work
    charge(ledger, 5)
    expect(ledger.balance('user', 1)).toBe(1015)
    await flushed(ledger)
    expect(repository.stored('user', 1)).toBe(1015)
  })

  it('makes one credit of an account wait for the other', async () => {
    const { ledger, repository } = await funded()
    const amounts = [10, 20, 30, 40]
    const balances = await Promise.all(amounts.map((amount) => ledger.credit(creditOf({ amount }))))
    expect(balances).toEqual([1010, 1030, 1060, 1100])
    expect(repository.stored('user', 1)).toBe(1100)
  })

  it('changes nothing when the database refuses it', async () => {
    const { ledger, repository } = await funded()
    repository.faults.push('before')
    await expect(ledger.credit(creditOf())).rejects.toThrow('the connection was lost')
    expect(ledger.balance('user', 1)).toBe(1000)
    expect(repository.stored('user', 1)).toBe(1000)
  })

  it('counts when it was written although the response was lost', async () => {
    const { ledger, repository } = await funded()
    charge(ledger, 30)
    await flushed(ledger)
    repository.faults.push('after')
    const work = ledger.credit(creditOf())
    charge(ledger, 5)
    await expect(work).rejects.toThrow('the connection was lost')
    expect(ledger.balance('user', 1)).toBe(1065)
    await flushed(ledger)
    expect(repository.stored('user', 1)).toBe(1065)
  })

  it('is read again until the database responds, when it failed without a response', async () => {
    const { ledger, repository, messages } = await funded()
    repository.faults.push('after')
    const creditIn = repository.credit
    repository.credit = (entry) => creditIn(entry).finally(() => (repository.down = true))
    await expect(ledger.credit(creditOf())).rejects.toThrow('the connection was lost')
    repository.credit = creditIn
    expect(messages).toContain(
      'ledger: the database did not confirm this credit, and the balance is read again soon: check the database',
    )
    expect(ledger.balance('user', 1)).toBe(1000)
    repository.down = false
    expect(await ledger.credit(creditOf({ amount: 1 }))).toBe(1101)
    await sleep(0)
    expect(repository.stored('user', 1)).toBe(1101)
  })

  it('refuses unknown accounts and invalid amounts', async () => {
    const { ledger, repository } = await funded()
    await expect(ledger.credit(creditOf({ id: 99 }))).rejects.toThrow('there is no user 99')
    await expect(ledger.credit(creditOf({ amount: 0.5 }))).rejects.toThrow(RangeError)
    expect(repository.entries).toEqual([])
  })

  it('reaches channels, which are not in memory', async () => {
    const { ledger, repository } = await ledgerBench()
    repository.open('channel', 3, -500)
    expect(await ledger.credit(creditOf({ kind: 'channel', id: 3, amount: 500 }))).toBe(0)
    expect(ledger.balance('channel', 3)).toBeUndefined()
  })
})

describe('setBalance', () => {
  const target = ({ amount: _, ...credit }: Credit, balance: number) => ({ ...credit, balance })

  it('sets the balance as a credit of the difference at that moment', async () => {
    const { ledger, repository } = await funded()
    charge(ledger, 300)
    expect(await ledger.setBalance(target(creditOf(), 5000))).toBe(5000)
    expect(repository.entries).toMatchObject([{ amount: 4300 }])
    await flushed(ledger)
    expect(repository.stored('user', 1)).toBe(5000)
  })

  it('lets calls that are charged while it runs count on top', async () => {
    const { ledger, repository } = await funded()
    const work = ledger.setBalance(target(creditOf(), 50))
    await sleep(0)
    charge(ledger, 20)
    await work
    expect(ledger.balance('user', 1)).toBe(30)
    await flushed(ledger)
    expect(repository.stored('user', 1)).toBe(30)
  })

  it('writes no entry when nothing changes', async () => {
    const { ledger, repository } = await funded()
    expect(await ledger.setBalance(target(creditOf(), 1000))).toBe(1000)
    expect(repository.entries).toEqual([])
  })

  it('sets channels too', async () => {
    const { ledger, repository } = await ledgerBench()
    repository.open('channel', 3, -500)
    expect(await ledger.setBalance(target(creditOf({ kind: 'channel', id: 3 }), 0))).toBe(0)
    expect(repository.entries).toMatchObject([{ amount: 500 }])
  })
})
