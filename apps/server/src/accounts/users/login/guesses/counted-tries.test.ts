import { afterEach, describe, expect, it } from 'bun:test'
import { createSlidingWindow } from '../../../../lib/sliding-window.ts'
import { closeTestStores, openTestStore } from '../../test-support/test-store.ts'
import { createCountedTries } from './counted-tries.ts'

const windowSeconds = 60

afterEach(closeTestStores)

async function twoNodes() {
  const time = { now: 1_764_000_000_000 }
  const clock = { now: () => time.now }
  const { oneTimeSecrets } = await openTestStore()
  const node = () =>
    createCountedTries<string>({
      own: createSlidingWindow({ limit: 3, windowSeconds, clock }),
      tries: oneTimeSecrets,
      purpose: 'test',
      windowSeconds,
      countsOf: (subject) => [
        { subject: `${subject} in town`, max: 6 },
        { subject, max: 3 },
      ],
      clock,
    })
  return { one: node(), other: node(), time }
}

describe('counted tries', () => {
  it('are as many over two nodes as over one, until the window is over', async () => {
    const { one, other, time } = await twoNodes()
    expect([await one.take('a'), await one.take('a'), await other.take('a')]).toEqual([0, 0, 0])
    expect(await other.take('a')).toBeGreaterThan(0)
    expect(await one.take('a')).toBeGreaterThan(0)
    expect(await other.take('b')).toBe(0)
    time.now += 2 * windowSeconds * 1000
    expect(await other.take('a')).toBe(0)
  })

  it('do not count when they are given back, nor when a later count refuses them', async () => {
    const { one, other } = await twoNodes()
    for (let each = 0; each < 5; each += 1) {
      expect(await one.take('a')).toBe(0)
      await one.giveBack('a')
    }
    for (let each = 0; each < 3; each += 1) expect(await one.take('a')).toBe(0)
    // Refused by its own count: the wider one must not grow.
    for (let each = 0; each < 9; each += 1) expect(await other.take('a')).toBeGreaterThan(0)
  })
})
