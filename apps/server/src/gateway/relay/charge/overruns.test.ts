import { describe, expect, it } from 'bun:test'
import { LinkedNode } from '@tollgate/base'
import { type Overrun, Overruns } from './overruns.ts'

const minute = 60_000
const track = () => new Overruns().trackOf(1, 'model', 0)

describe('UsageTrack', () => {
  it('trusts an upstream that has kept to a limit, and none that nothing is known of', () => {
    const known = track()
    expect(known.isTrusted).toBe(false)
    known.learn({ input: -3, output: -10 }, 0)
    expect(known.isTrusted).toBe(true)
    known.learn({ input: 0, output: 20_000 }, 0)
    expect(known.isTrusted).toBe(false)
    expect(known.overrun(0)).toEqual({ input: 0, output: 20_000 })
  })

  it('keeps the largest overrun of each side, and halves it every half hour', () => {
    const known = track()
    known.learn({ input: 500, output: 1000 }, 0)
    known.learn({ input: 800, output: 10 }, 0)
    known.learn({ input: -1, output: -1 }, 0)
    expect(known.overrun(0)).toEqual({ input: 800, output: 1000 })
    expect(known.overrun(30 * minute)).toEqual({ input: 400, output: 500 })
    known.learn({ input: 0, output: 700 }, 30 * minute)
    expect(known.overrun(30 * minute)).toEqual({ input: 400, output: 700 })
    expect(known.overrun(24 * 60 * minute)).toEqual({ input: 0, output: 0 })
    expect(known.isTrusted).toBe(true)
  })

  it('has calls in flight expect what one of them used, and no call that has ended', () => {
    const known = track()
    const expected: Overrun[][] = [[], []]
    const calls = expected.map((list) =>
      Object.assign(new LinkedNode(), { expect: (overrun: Overrun) => void list.push(overrun) }),
    )
    for (const call of calls) known.begin(call)
    for (const call of calls.slice(0, 1)) known.end(call)
    known.learn({ input: 0, output: 7 }, 0)
    known.learn({ input: 0, output: 7 }, 0)
    expect(expected).toEqual([[], [{ input: 0, output: 7 }]])
  })

  it('wakes those that wait when a call has ended', async () => {
    const known = track()
    const call = Object.assign(new LinkedNode(), { expect: () => undefined })
    known.begin(call)
    let woken = 0
    const waiting = [known.nextEnd(), known.nextEnd()].map((end) => end.then(() => (woken += 1)))
    await Promise.resolve()
    expect(woken).toBe(0)
    known.end(call)
    await Promise.all(waiting)
    expect(woken).toBe(2)
  })
})

describe('Overruns', () => {
  it('keeps channels, models and kinds of calls apart', () => {
    const overruns = new Overruns()
    overruns.trackOf(1, 'a', 0).learn({ input: 0, output: 5 }, 0)
    expect(overruns.trackOf(1, 'a', 0).isKnown).toBe(true)
    for (const [channel, model, kind] of [
      [2, 'a', 0],
      [1, 'b', 0],
      [1, 'a', 1],
    ] as const)
      expect(overruns.trackOf(channel, model, kind).isKnown).toBe(false)
  })
})
