import { expect, it } from 'bun:test'
import { createSlidingWindow } from '../lib/sliding-window.ts'
import { createSharedCounts } from './shared-counts.ts'

/** Workers whose messages arrive at once at all others. */
function workers(count: number) {
  const handlers: ((counts: unknown) => void)[][] = Array.from({ length: count }, () => [])
  return handlers.map((own, index) =>
    createSharedCounts({
      counted: (handle) => void own.push(handle),
      count(counts) {
        for (const [other, handles] of handlers.entries())
          if (other !== index) for (const handle of handles) handle(counts)
      },
    }),
  )
}

const windowOf = (share: ReturnType<typeof createSharedCounts>, name: string) =>
  createSlidingWindow({ limit: 4, windowSeconds: 60, clock: { now: () => 1 }, among: share(name) })

it('counts for each worker what the others counted, under the name of the window alone', async () => {
  const [one, other] = workers(2)
  if (one === undefined || other === undefined) throw new Error('two workers')
  const [first, second] = [windowOf(one, 'users'), windowOf(other, 'users')]
  const apart = windowOf(other, 'addresses')
  expect([first.take('a'), first.take('a'), first.take('a'), first.take('b')]).toEqual(Array(4).fill(true))
  first.giveBack('b')
  await Bun.sleep(30)
  expect([second.take('a'), second.take('a')]).toEqual([true, false])
  expect([1, 2, 3, 4, 5].map(() => second.take('b'))).toEqual([true, true, true, true, false])
  expect(apart.isSpent('a')).toBe(false)
  await Bun.sleep(30)
  expect(first.take('a')).toBe(false)
})

it('passes over what it does not understand', () => {
  let handle: (counts: unknown) => void = () => undefined
  createSharedCounts({
    count: () => undefined,
    counted(own) {
      handle = own
    },
  })
  for (const strange of [undefined, 'text', { users: 3 }, { users: { a: 'b' } }])
    expect(() => handle(strange)).not.toThrow()
})
