import { describe, expect, it } from 'bun:test'
import { joinMachine } from './machine.ts'
import type { ToWorker } from './messages.ts'

const seat = { number: 1, count: 2, sockets: [], metricsSockets: [], isLent: false, startedAt: 0 }

/** A worker whose supervisor is the test. */
function working() {
  const listeners: ((message: ToWorker) => void)[] = []
  const channel = {
    on: (event: 'message' | 'disconnect', listener: (message: ToWorker) => void) =>
      void (event === 'message' && listeners.push(listener)),
  }
  const machine = joinMachine(seat, channel, { of: () => ({ others: () => 0, taken() {} }) })
  const say = (message: ToWorker) => {
    for (const listener of listeners) listener(message)
  }
  return { machine, say }
}

describe('a worker that gets SIGTERM', () => {
  it('hears first whether its machine ends, as it does where the signal came to all processes', async () => {
    const { machine, say } = working()
    machine.signalled()
    setTimeout(() => say({ type: 'stop', isLast: true }), 20)
    await machine.stopped
    expect(machine.isEnding).toBe(true)
  })

  it('ends as one that is replaced where its supervisor says nothing', async () => {
    const { machine } = working()
    machine.signalled()
    await machine.stopped
    expect(machine.isEnding).toBe(false)
  })
})
