import { describe, expect, it } from 'bun:test'
import { UnflushedCharges } from './unflushed.ts'

describe('UnflushedCharges', () => {
  it('knows what each account paid that the database lacks', () => {
    const unflushed = new UnflushedCharges(7)
    unflushed.add(1, 2, 3, 100)
    unflushed.add(1, 0, 4, 50)
    expect(unflushed.of('user', 1)).toEqual({ quota: 150, calls: 2 })
    expect(unflushed.of('token', 2)).toEqual({ quota: 100, calls: 1 })
    expect(unflushed.of('channel', 4)).toEqual({ quota: 50, calls: 1 })
    unflushed.flushedTo(8)
    expect(unflushed.position).toBe(8)
    expect(unflushed.of('user', 1)).toEqual({ quota: 50, calls: 1 })
    expect(unflushed.of('token', 2)).toEqual({ quota: 0, calls: 0 })
    unflushed.add(1, 2, 3, 9_007_199_254_740_000)
    expect(unflushed.of('token', 2)).toEqual({ quota: 9_007_199_254_740_000, calls: 1 })
  })

  it('counts each charge off once, wherever the database goes', () => {
    const unflushed = new UnflushedCharges(7)
    for (let call = 0; call < 3; call += 1) unflushed.add(1, 1, 1, 10)
    for (const [to, position, left] of [
      [7, 7, 3],
      [8, 8, 2],
      [5, 8, 2],
      [8, 8, 2],
      [100, 10, 0],
      [0, 10, 0],
    ] as const) {
      unflushed.flushedTo(to)
      expect(unflushed.position).toBe(position)
      expect(unflushed.of('user', 1).calls).toBe(left)
    }
  })

  it('keeps its figures while it grows and goes round', () => {
    const unflushed = new UnflushedCharges(0)
    let added = 0
    let flushed = 0
    for (const [more, fewer] of [
      [700, 300],
      [5000, 10],
      [100, 5400],
      [2000, 1],
      [3, 2082],
    ] as const) {
      for (const end = added + more; added < end; added += 1) unflushed.add(1, added % 7, added % 3, added)
      flushed += fewer
      unflushed.flushedTo(flushed)
      const left = Array.from({ length: added - flushed }, (_, index) => flushed + index)
      expect(unflushed.of('user', 1)).toEqual(sumOf(left))
      for (const id of [0, 1, 2]) {
        expect(unflushed.of('token', id)).toEqual(sumOf(left.filter((charge) => charge % 7 === id)))
        expect(unflushed.of('channel', id)).toEqual(sumOf(left.filter((charge) => charge % 3 === id)))
      }
    }
    expect(added - flushed).toBe(10)
  })

  it('sums an account behind a position that the database may be at already', () => {
    const charges = new UnflushedCharges(10)
    charges.add(1, 4, 9, 100)
    charges.add(2, 4, 9, 20)
    charges.add(1, 5, 9, 3)
    expect(charges.after(10, 'user', 1)).toBe(103)
    expect(charges.after(11, 'user', 1)).toBe(3)
    expect(charges.after(11, 'token', 4)).toBe(20)
    expect(charges.after(13, 'user', 1)).toBe(0)
    charges.flushedTo(12)
    expect(charges.after(10, 'user', 1)).toBe(3)
  })
})

function sumOf(quotas: readonly number[]) {
  return { quota: quotas.reduce((sum, quota) => sum + quota, 0), calls: quotas.length }
}
