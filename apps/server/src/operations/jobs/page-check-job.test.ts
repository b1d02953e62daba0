import { expect, it } from 'bun:test'
import { pageCheckJob } from './page-check-job.ts'

it('looks soon after a start, and every six hours afterwards', async () => {
  let now = 1_800_000_000_000
  const looks: number[] = []
  const job = pageCheckJob({
    clock: { now: () => now },
    store: { checkPages: async () => void looks.push(now) },
  })
  const { signal } = new AbortController()
  const end = now + 13 * 3_600_000
  const begin = now
  for (; now < end; now += job.everyMs) await job.run(signal)
  expect(looks.map((at) => (at - begin) / 3_600_000)).toEqual([0, 6, 12])
})
