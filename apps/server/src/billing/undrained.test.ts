import { describe, expect, it } from 'bun:test'
import { UndrainedCharges } from './undrained.ts'

describe('UndrainedCharges', () => {
  it('knows what each account paid that the database lacks', () => {
    const undrained = new UndrainedCharges(7)
    undrained.add(1, 2, 3, 100)
    undrained.add(1, 0, 4, 50)
    expect(undrained.of('user', 1)).toEqual({ quota: 150, calls: 2 })
    expect(undrained.of('token', 2)).toEqual({ quota: 100, calls: 1 })
    expect(undrained.of('channel', 4)).toEqual({ quota: 50, calls: 1 })
    undrained.drainedTo(8)
    expect(undrained.position).toBe(8)
    expect(undrained.of('user', 1)).toEqual({ quota: 50, calls: 1 })
    expect(undrained.of('token', 2)).toEqual({ quota: 0, calls: 0 })
    undrained.add(1, 2, 3, 9_007_199_254_740_000)
    expect(undrained.of('token', 2)).toEqual({ quota: 9_007_199_254_740_000, calls: 1 })
  })

  it('counts each charge off once, wherever the database goes', () => {
    const undrained = new UndrainedCharges(7)
    for (let call = 0; call < 3; call += 1) undrained.add(1, 1, 1, 10)
    for (const [to, position, left] of [
      [7, 7, 3],
      [8, 8, 2],
      [5, 8, 2],
      [8, 8, 2],
      [100, 10, 0],
      [0, 10, 0],
    ] as const) {
      undrained.drainedTo(to)
      expect(undrained.position).toBe(position)
      expect(undrained.of('user', 1).calls).toBe(left)
    }
  })

  it('keeps its figures while it grows and goes round', () => {
    const undrained = new UndrainedCharges(0)
    let added = 0
    let drained = 0
    for (const [more, fewer] of [
      [700, 300],
      [5000, 10],
      [100, 5400],
      [2000, 1],
      [3, 2082],
    ] as const) {
      for (const end = added + more; added < end; added += 1) undrained.add(1, added % 7, added % 3, added)
      drained += fewer
      undrained.drainedTo(drained)
      const left = Array.from({ length: added - drained }, (_, index) => drained + index)
      expect(undrained.of('user', 1)).toEqual(sumOf(left))
      for (const id of [0, 1, 2]) {
        expect(undrained.of('token', id)).toEqual(sumOf(left.filter((charge) => charge % 7 === id)))
        expect(undrained.of('channel', id)).toEqual(sumOf(left.filter((charge) => charge % 3 === id)))
      }
    }
    expect(added - drained).toBe(10)
  })
})

function sumOf(quotas: readonly number[]) {
  return { quota: quotas.reduce((sum, quota) => sum + quota, 0), calls: quotas.length }
}
