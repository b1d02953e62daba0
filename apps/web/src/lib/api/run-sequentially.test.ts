import { describe, expect, it } from 'bun:test'
import { failuresOf, resultsOf, runSequentially } from './run-sequentially.ts'

async function run(failing: readonly number[], stopAtFailure: boolean, stopAfter = Infinity) {
  const controller = new AbortController()
  const started: number[] = []
  const progress: string[] = []
  const outcomes = await runSequentially(
    [1, 2, 3, 4],
    async (item) => {
      started.push(item)
      if (started.length >= stopAfter) controller.abort()
      if (failing.includes(item)) throw new Error(`refused ${item}`)
      return item * 10
    },
    {
      signal: controller.signal,
      stopAtFailure,
      onStart: (item) => progress.push(`start ${item}`),
      onOutcome: ({ item, ok }, done) => progress.push(`${item} ${ok ? 'worked' : 'failed'}, ${done} behind`),
    },
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
    expect(stopped.progress).toEqual(['start 1', '1 worked, 1 behind', 'start 2', '2 failed, 2 behind'])
    expect(resultsOf(stopped.outcomes)).toEqual([10])
  })

  it('starts nothing more once it is stopped, and still reports the running call', async () => {
    const { outcomes, started } = await run([], false, 2)
    expect(resultsOf(outcomes)).toEqual([10, 20])
    expect(started).toEqual([1, 2])
  })
})
