import { describe, expect, it } from 'bun:test'
import { AccountCache } from './account-cache.ts'

function cacheOf(balances: Record<number, number>, limit = 100, flushedTo = () => 0) {
  const reads: number[] = []
  async function read(id: number) {
    reads.push(id)
    await Promise.resolve()
    const balance = balances[id]
    return balance === undefined ? undefined : whole(balance)
  }
  return { cache: new AccountCache({ kind: 'user', read, limit, flushedTo }), reads }
}

const whole = (balance: number) => ({ balance, free: 0, others: 0 })

const ids = (count: number) => Array.from({ length: count }, (_, id) => id)

describe('account book', () => {
  it('reads an account once however many ask at the same time', async () => {
    const { cache, reads } = cacheOf({ 1: 500 })
    const accounts = await Promise.all([cache.load(1), cache.load(1), cache.load(1)])
    expect(new Set(accounts).size).toBe(1)
    expect(accounts[0]).toMatchObject({ balance: 500, reserved: 0 })
    expect(await cache.load(1)).toBe(accounts[0])
    expect(cache.find(1)).toBe(accounts[0])
    expect(reads).toEqual([1])
  })

  it('knows nothing of accounts that the database does not have, and asks again', async () => {
    const balances: Record<number, number> = {}
    const { cache } = cacheOf(balances)
    expect(await cache.load(7)).toBeUndefined()
    expect(cache.find(7)).toBeUndefined()
    balances[7] = 1
    expect(await cache.load(7)).toMatchObject({ balance: 1 })
  })

  it('asks again after a read that failed', async () => {
    let fail = true
    async function read() {
      if (fail) throw new Error('the database is down')
      return whole(5)
    }
    const cache = new AccountCache({ kind: 'user', read, limit: 10, flushedTo: () => 0 })
    await expect(cache.load(1)).rejects.toThrow('the database is down')
    fail = false
    expect(await cache.load(1)).toMatchObject({ balance: 5 })
  })

  it('keeps within its bound', async () => {
    const { cache } = cacheOf(Object.fromEntries(ids(1000).map((id) => [id, id])), 100)
    for (const id of ids(1000)) await cache.load(id)
    expect(cache.size).toBeLessThanOrEqual(100)
    expect(cache.find(999)).toMatchObject({ balance: 999 })
  })

  it('drops those unused for longest', async () => {
    const { cache } = cacheOf(Object.fromEntries(ids(200).map((id) => [id, id])), 100)
    for (const id of ids(200)) {
      await cache.load(id)
      cache.find(3)
    }
    expect(cache.find(3)).toMatchObject({ balance: 3 })
    expect(cache.find(4)).toBeUndefined()
  })

  it('never drops an account with calls in flight, unflushed calls or pins, even over its bound', async () => {
    const { cache } = cacheOf(Object.fromEntries(ids(500).map((id) => [id, id])), 10, () => 7)
    for (const id of ids(30)) {
      const account = await cache.load(id)
      if (account === undefined) throw new Error('not loaded')
      if (id % 3 === 0) account.inFlight = 1
      else if (id % 3 === 1) account.lastCharge = 8
      else account.pins = 1
    }
    for (const id of ids(500)) await cache.load(id)
    for (const id of ids(30)) expect(cache.find(id)).toMatchObject({ balance: id })
  })

  it('lets an account go once the database has its charges', async () => {
    let flushed = 7
    const { cache } = cacheOf(Object.fromEntries(ids(500).map((id) => [id, id])), 10, () => flushed)
    const account = await cache.load(1)
    if (account === undefined) throw new Error('not loaded')
    account.lastCharge = 8
    for (const id of ids(100)) await cache.load(id)
    expect(cache.find(1)).toBe(account)
    flushed = 8
    for (const id of ids(200)) await cache.load(id)
    expect(cache.find(1)).toBeUndefined()
  })
})
