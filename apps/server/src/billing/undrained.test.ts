import { describe, expect, it } from 'bun:test'
import { UndrainedCharges } from './undrained.ts'

function charges(position: number) {
  const undrained = new UndrainedCharges(position)
  const told: number[][] = []
  return {
    add: (...charge: [number, number, number, number]) => undrained.add(...charge),
    drainedTo(to: number): number[][] {
      told.length = 0
      undrained.drainedTo(to, (...charge) => told.push(charge))
      return [...told]
    },
  }
}

describe('UndrainedCharges', () => {
  it('tells each charge once, in order, when the database has it', () => {
    const { add, drainedTo } = charges(7)
    add(1, 2, 3, 100)
    add(1, 0, 4, 9_007_199_254_740_991)
    expect(drainedTo(7)).toEqual([])
    expect(drainedTo(8)).toEqual([[1, 2, 100]])
    // The database went back in time, and forward again.
    expect(drainedTo(5)).toEqual([])
    expect(drainedTo(8)).toEqual([])
    expect(drainedTo(100)).toEqual([[1, 0, 9_007_199_254_740_991]])
  })

  it('keeps order and figures while it grows and goes round', () => {
    const { add, drainedTo } = charges(0)
    let added = 0
    let drained = 0
    for (const [more, fewer] of [
      [700, 300],
      [5000, 10],
      [100, 5400],
      [2000, 1],
      [3, 2092],
    ] as const) {
      for (const end = added + more; added < end; added += 1) add(added, added + 1, added + 2, added + 3)
      const told = drainedTo(drained + fewer)
      expect(told).toEqual(
        Array.from({ length: fewer }, (_, index) => [0, 1, 3].map((offset) => drained + index + offset)),
      )
      drained += fewer
    }
    expect(drained).toBe(added)
  })

  it('knows what a channel served that the database lacks', () => {
    const undrained = new UndrainedCharges(0)
    for (let call = 1; call <= 3000; call += 1) undrained.add(1, 1, call % 3, call)
    undrained.drainedTo(2997, () => undefined)
    expect([0, 1, 2, 3].map((id) => undrained.ofChannel(id))).toEqual([
      { quota: 3000, calls: 1 },
      { quota: 2998, calls: 1 },
      { quota: 2999, calls: 1 },
      { quota: 0, calls: 0 },
    ])
  })
})
