import { afterEach, describe, expect, it, setSystemTime } from 'bun:test'
import { createReadThroughCache } from './read-through-cache.ts'

function setUp(options: { max?: number; absentMs?: number; presentMs?: number } = {}) {
  const rows = new Map<string, { name: string }>([['a', { name: 'first' }]])
  const state = { time: 0, loads: 0 }
  let gate = Promise.resolve()
  const cache = createReadThroughCache<string, { name: string }>({
    max: 10,
    absentMs: 1000,
    ...options,
    clock: { now: () => state.time },
    load: async (key) => {
      state.loads++
      const row = rows.get(key)
      await gate
      return row
    },
  })
  function holdLoads(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return resolve
  }
  return { rows, state, cache, holdLoads }
}

afterEach(() => setSystemTime())

describe('read-through cache', () => {
  it('loads once for concurrent requests, then returns from memory', async () => {
    const { cache, state } = setUp()
    expect(cache.peek('a')).toBeUndefined()
    const found = await Promise.all([cache.find('a'), cache.find('a'), cache.find('a')])
    expect(found.map((row) => row?.name)).toEqual(['first', 'first', 'first'])
    expect(state.loads).toBe(1)
    expect(cache.peek('a')).toEqual({ name: 'first' })
  })

  it('caches for a while that a key does not exist', async () => {
    const { cache, state } = setUp()
    expect(await cache.find('b')).toBeUndefined()
    expect(cache.peek('b')).toBeNull()
    expect(await cache.find('b')).toBeUndefined()
    expect(state.loads).toBe(1)
    state.time = 1001
    await cache.find('b')
    expect(state.loads).toBe(2)
  })

  it('loads again after a drop, also when the key was absent', async () => {
    const { cache, rows } = setUp()
    await cache.find('b')
    rows.set('b', { name: 'created' })
    cache.drop('b')
    expect((await cache.find('b'))?.name).toBe('created')
  })

  it('does not cache a value that was dropped while it was loading', async () => {
    const { cache, rows, holdLoads } = setUp()
    const release = holdLoads()
    const stale = cache.find('a')
    rows.set('a', { name: 'changed' })
    cache.drop('a')
    release()
    await stale
    expect((await cache.find('a'))?.name).toBe('changed')
  })

  it('holds at most its maximum, and absent keys evict no value', async () => {
    const { cache, rows } = setUp({ max: 2 })
    for (const key of ['b', 'c']) rows.set(key, { name: key })
    for (const key of ['a', 'b', 'c']) await cache.find(key)
    expect(cache.peek('a')).toBeUndefined()
    for (let guess = 0; guess < 50; guess++) await cache.find(`guess-${guess}`)
    expect(cache.peek('c')).toEqual({ name: 'c' })
  })

  it('does not cache a failed load', async () => {
    let failing = true
    const cache = createReadThroughCache<string, { ok: boolean }>({
      max: 10,
      absentMs: 1000,
      clock: { now: () => 0 },
      load: async () => {
        if (failing) throw new Error('database is down')
        return { ok: true }
      },
    })
    await expect(cache.find('a')).rejects.toThrow('database is down')
    failing = false
    expect(await cache.find('a')).toEqual({ ok: true })
  })

  it('loads again when a value is too old, and after dropWhere', async () => {
    const { cache, state } = setUp({ presentMs: 100 })
    await cache.find('a')
    state.time = 101
    await cache.find('a')
    expect(state.loads).toBe(2)
    cache.dropWhere((row) => row.name === 'first')
    await cache.find('a')
    expect(state.loads).toBe(3)
  })

  it('neither ages a value nor extends its life when the wall clock is set', async () => {
    let loads = 0
    const cache = createReadThroughCache<string, { loads: number }>({
      max: 10,
      absentMs: 60_000,
      presentMs: 60_000,
      load: async () => ({ loads: ++loads }),
    })
    await cache.find('a')
    setSystemTime(Date.now() + 24 * 3_600_000)
    expect(cache.peek('a')).toEqual({ loads: 1 })
  })
})
