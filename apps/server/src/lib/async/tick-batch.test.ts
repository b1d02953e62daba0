import { describe, expect, it } from 'bun:test'
import { createTickBatch } from './tick-batch.ts'

describe('TickBatch', () => {
  it('has every call that joined in one turn take each step before any takes the next', async () => {
    const batch = createTickBatch()
    const steps: string[] = []
    const travel = async (name: string) => {
      await batch.join()
      steps.push(`${name} first`)
      await null
      steps.push(`${name} second`)
    }
    await Promise.all([travel('a'), travel('b'), travel('c')])
    expect(steps).toEqual(['a first', 'b first', 'c first', 'a second', 'b second', 'c second'])
  })

  it('resolves for those that joined: who comes later joins the next', async () => {
    const batch = createTickBatch()
    const first = batch.join()
    await first
    const second = batch.join()
    expect(second).not.toBe(first)
    await second
  })
})
