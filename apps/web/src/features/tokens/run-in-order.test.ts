import { describe, expect, it } from 'bun:test'
import { failuresOf, resultsOf, runInOrder } from './run-in-order.ts'

async function run(failing: readonly number[], stopAtFailure: boolean, stopAfter = Infinity) {
  const controller = new AbortController()
  const started: number[] = []
  const progress: number[] = []
  const outcomes = await runInOrder(
    [1, 2, 3, 4],
    async (item) => {
      started.push(item)
      if (started.length >= stopAfter) controller.abort()
      if (failing.includes(item)) throw new Error(`refused ${item}`)
      return item * 10
    },
    { signal: controller.signal, stopAtFailure, onProgress: (done) => progress.push(done) },
  )
  return { outcomes, started, progress }
}

describe('runInOrder', () => {
  it('goes on after a failure, or stops at the first one', async () => {
    const onward = await run([2], false)
    expect(onward.started).toEqual([1, 2, 3, 4])
    expect(resultsOf(onward.outcomes)).toEqual([10, 30, 40])
    expect(failuresOf(onward.outcomes).map(({ item, error }) => [item, error.message])).toEqual([
      [2, 'refused 2'],
    ])
    const stopped = await run([2], true)
    expect(stopped.started).toEqual([1, 2])
    expect(resultsOf(stopped.outcomes)).toEqual([10])
  })

  it('starts nothing more once it is stopped, and still answers for the running call', async () => {
    const { outcomes, progress } = await run([], false, 2)
    expect(resultsOf(outcomes)).toEqual([10, 20])
    expect(progress).toEqual([1, 2])
  })
})
