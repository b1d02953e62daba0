import { describe, expect, it } from 'bun:test'
import { createResponseMemory } from '../../../upstream/response-body/response-memory.ts'
import { StreamMemory } from './stream-memory.ts'

const kilobyte = 1024

/** Streams of one account that has room for one that is stalled. */
function streams() {
  let entered = 0
  const responses = createResponseMemory({ limitBytes: 1e6, accountLimitBytes: 300 * kilobyte })
  const open = () =>
    new StreamMemory(() => {
      entered += 1
      return responses.enter(1)
    })
  return { open, entered: () => entered }
}

describe('what a stream holds', () => {
  it('is nothing while its events are small and its caller reads', () => {
    const { open, entered } = streams()
    const stream = open()
    for (let event = 0; event < 1000; event += 1)
      expect(stream.take(kilobyte, event % 8 === 0)).toBeUndefined()
    stream.resumed()
    stream.release()
    expect(entered()).toBe(0)
  })

  it('is an event that does not end, until it is forwarded', () => {
    const { open } = streams()
    const [first, second] = [open(), open()]
    expect([first.take(200 * kilobyte, false), second.take(101 * kilobyte, false)]).toEqual([
      undefined,
      'account',
    ])
    first.take(kilobyte, true)
    expect(second.take(0, false)).toBeUndefined()
  })

  it('is what waits for a caller that does not read, until it does or is gone', () => {
    const { open } = streams()
    const [first, second, third] = [open(), open(), open()]
    expect([first.stall(), second.stall()]).toEqual([undefined, 'account'])
    first.resumed()
    expect(second.stall()).toBeUndefined()
    second.release()
    expect(third.stall()).toBeUndefined()
  })
})
