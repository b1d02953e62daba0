import { describe, expect, it } from 'bun:test'
import { createTickBatch } from './tick-batch.ts'

describe('TickBatch', () => {
  it('runs each step for every call of one turn before the next step', async () => {
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

  it('resolves for the calls that joined; later calls join the next batch', async () => {
    const batch = createTickBatch()
    const first = batch.join()
    await first
    const second = batch.join()
    expect(second).not.toBe(first)
    await second
  })
})
