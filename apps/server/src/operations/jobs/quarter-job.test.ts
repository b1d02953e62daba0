import { expect, it } from 'bun:test'
import { quarterJob } from './quarter-job.ts'

const now = 7200
const quarters = (open: number[], parts: number) => {
  const taken: number[] = []
  return {
    taken,
    listOpen: async (before: number) => open.filter((quarter) => quarter < before),
    takeOver: async (quarter: number) => {
      taken.push(quarter)
      return taken.filter((each) => each === quarter).length % parts === 0
    },
  }
}

it('takes over quarters that are over, one after the other and each to its end', async () => {
  const found = quarters([900, 6300], 2)
  const job = quarterJob({ quarters: found, clock: { now: () => now * 1000 } })
  await job.run(new AbortController().signal)
  expect(found.taken).toEqual([900, 900])
  await quarterJob({ quarters: found, clock: { now: () => (now + 31) * 1000 } }).run(AbortSignal.abort())
  expect(found.taken).toHaveLength(2)
  await quarterJob({ quarters: found, clock: { now: () => (now + 31) * 1000 } }).run(
    new AbortController().signal,
  )
  expect(found.taken.slice(2)).toEqual([900, 900, 6300, 6300])
})
