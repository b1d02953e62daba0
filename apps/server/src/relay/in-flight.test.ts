import { describe, expect, it } from 'bun:test'
import { createInFlight } from './in-flight.ts'

describe('InFlight', () => {
  it('drains at once when nothing is being served', async () => {
    await createInFlight().drain(1000)
  })

  it('waits for calls that end by themselves and ends those that do not', async () => {
    const inFlight = createInFlight()
    const quick = inFlight.enter()
    const slow = inFlight.enter()
    const ended: string[] = []
    slow.exchange = {
      end(reason) {
        ended.push(reason)
        slow.leave()
      },
    }
    quick.exchange = { end: (reason) => ended.push(`quick ${reason}`) }
    setTimeout(() => quick.leave(), 5)
    await inFlight.drain(40)
    expect(ended).toEqual(['shutdown'])
    expect(inFlight.count).toBe(0)
  })
})
