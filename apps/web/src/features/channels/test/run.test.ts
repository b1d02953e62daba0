import { describe, expect, it } from 'bun:test'
import { countOutcomes, type Outcome, runEach } from './run.ts'

const targets = [1, 2, 3].map((id) => ({ id, name: `channel ${id}` }))

function record() {
  const outcomes = new Map<number, Outcome>(targets.map(({ id }) => [id, { state: 'waiting' }]))
  const order: string[] = []
  return {
    outcomes,
    order,
    onOutcome(id: number, outcome: Outcome) {
      outcomes.set(id, outcome)
      order.push(`${id} ${outcome.state}`)
    },
  }
}

describe('a run over many channels', () => {
  it('goes one by one, and on after a failure', async () => {
    const { outcomes, order, onOutcome } = record()
    const work = async ({ id }: { id: number }) => {
      if (id === 2) throw new Error('refused')
      return id === 1 ? '0.71 s' : undefined
    }
    await runEach(targets, work, onOutcome, new AbortController().signal)
    expect(order).toEqual(['1 running', '1 done', '2 running', '2 failed', '3 running', '3 done'])
    expect([...outcomes.values()]).toEqual([
      { state: 'done', note: '0.71 s' },
      { state: 'failed', message: 'refused' },
      { state: 'done' },
    ])
    expect(countOutcomes(outcomes)).toEqual({ done: 2, failed: 1, waiting: 0, total: 3 })
  })

  it('starts nothing more once it is stopped, and still tells what became of the running call', async () => {
    const { outcomes, onOutcome } = record()
    const stop = new AbortController()
    const work = async () => {
      stop.abort()
      return undefined
    }
    await runEach(targets, work, onOutcome, stop.signal)
    expect([...outcomes.values()].map(({ state }) => state)).toEqual(['done', 'waiting', 'waiting'])
    expect(countOutcomes(outcomes).waiting).toBe(2)
  })
})
