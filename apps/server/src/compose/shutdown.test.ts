import { describe, expect, it } from 'bun:test'
import { NodeState } from '../fleet/node-state.ts'
import { createInFlight } from '../gateway/relay/in-flight.ts'
import { createShutdown } from './shutdown.ts'

/** A server without sockets, and what it was asked to do, with what the gateway did in between. */
function gateway(change: { readonly drainMs?: number; readonly admitting?: boolean } = {}) {
  const steps: string[] = []
  const refused = Promise.withResolvers<void>()
  const server = {
    serving: 0,
    drain: () => void steps.push('drain'),
    refuse() {
      steps.push('refuse')
      return refused.promise
    },
    async stop(lingerMs = 0) {
      steps.push(`stop ${lingerMs}`)
    },
    cut: () => void steps.push('cut'),
  }
  const node = new NodeState({
    ledger: { admitting: change.admitting ?? true },
    space: { hasSpace: true },
    claim: { held: true },
    fleet: { hears: true },
  })
  const shutdown = createShutdown({
    server,
    inFlight: createInFlight(),
    node,
    drainMs: () => change.drainMs ?? 0,
    limitMs: 1000,
    leave: () => void steps.push('leave'),
    close: async () => void steps.push('close'),
    logger: { fatal: () => undefined },
  })
  return { steps, server, node, shutdown, refused: refused.resolve }
}

describe('a stop', () => {
  it('admits calls until new connections are refused and the last call has ended', async () => {
    const { steps, server, node, shutdown, refused } = gateway({ drainMs: 30 })
    const stopped = shutdown.stop()
    expect([node.isEnding, node.admits]).toEqual([true, true])
    await Bun.sleep(100)
    expect(steps).toEqual(['leave', 'drain', 'refuse'])
    // A connection that was established before it was refused.
    server.serving = 1
    refused()
    await Bun.sleep(50)
    expect([node.admits, steps.at(-1)]).toEqual([true, 'stop 30'])
    server.serving = 0
    await stopped
    expect(node.admits).toBe(false)
    expect(steps).toEqual(['leave', 'drain', 'refuse', 'stop 30', 'cut', 'close'])
  })

  it('takes no time to drain where none is wanted', async () => {
    const { steps, shutdown } = gateway()
    await shutdown.stop()
    expect(steps).toEqual(['leave', 'stop 0', 'cut', 'close'])
  })

  it('does not wait for those who have turned away already, because every call is refused', async () => {
    const { steps, shutdown, refused } = gateway({ drainMs: 600_000, admitting: false })
    refused()
    await shutdown.stop()
    expect(steps).toEqual(['leave', 'drain', 'refuse', 'stop 600000', 'cut', 'close'])
  })

  it('drains no longer once a fault is met', async () => {
    const { steps, shutdown } = gateway({ drainMs: 600_000 })
    const stopped = shutdown.stop()
    void shutdown.fault(new Error('no'), 'uncaughtException')
    await stopped
    expect(steps).toEqual(['leave', 'drain', 'stop 0', 'cut', 'close'])
  })
})
