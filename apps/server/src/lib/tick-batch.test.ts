import { describe, expect, it } from 'bun:test'
import { createTickBatch, together } from './tick-batch.ts'

describe('TickBatch', () => {
  it('has everybody who joined in one turn take each step before anyone takes the next', async () => {
    const convoy = createTickBatch()
    const steps: string[] = []
    const travel = async (name: string) => {
      await convoy.join()
      steps.push(`${name} first`)
      await together
      steps.push(`${name} second`)
    }
    await Promise.all([travel('a'), travel('b'), travel('c')])
    expect(steps).toEqual(['a first', 'b first', 'c first', 'a second', 'b second', 'c second'])
  })

  it('leaves with those who are there: who comes later joins the next', async () => {
    const convoy = createTickBatch()
    const first = convoy.join()
    await first
    const second = convoy.join()
    expect(second).not.toBe(first)
    await second
  })
})
