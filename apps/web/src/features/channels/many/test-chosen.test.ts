import { describe, expect, it } from 'bun:test'
import { testChosen } from './test-chosen.ts'

const ids = [1, 2, 3, 4, 5, 6, 7, 8]

describe('a test of chosen channels', () => {
  it('calls a few at a time, goes on after a failure, and tells how far it is', async () => {
    let running = 0
    let limit = 0
    const reported: string[] = []
    const outcomes = await testChosen(
      ids,
      async (id) => {
        running += 1
        limit = Math.max(limit, running)
        await Bun.sleep(1)
        running -= 1
        if (id === 3) throw new Error('no answer')
      },
      {
        signal: new AbortController().signal,
        onProgress: (done, failed) => reported.push(`${done}/${failed}`),
      },
    )
    expect(limit).toBe(4)
    expect(reported.at(-1)).toBe('8/1')
    expect(outcomes.filter(({ success }) => !success)).toEqual([
      { id: 3, success: false, message: 'no answer' },
    ])
  })

  it('begins no other after it was stopped', async () => {
    const stop = new AbortController()
    const outcomes = await testChosen(ids, async () => stop.abort(), {
      signal: stop.signal,
      onProgress: () => undefined,
    })
    expect(outcomes.length).toBeLessThan(ids.length)
  })
})
