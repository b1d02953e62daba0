import { describe, expect, it } from 'bun:test'
import type { FleetMessages } from '../../fleet/messages.ts'
import { errorOf, minute, second, times } from '../test-support/health-world.ts'
import { routedChannel } from '../test-support/routed-channel.ts'
import { createHealthRegistry } from './health-registry.ts'
import { healthHints, hearHealthHints } from './hear-health-hints.ts'

/** Nodes whose monotonic clocks started at different times, and whose hints arrive `delayMs` later. */
function nodesOf(count: number, delayMs = 3) {
  let now = 0
  let sent = 0
  const handlers: ((message: unknown) => void)[] = []
  const onTheirWay: { readonly at: number; readonly deliver: () => void }[] = []
  const channels = new Map([1, 2].map((id) => [id, routedChannel({ id })]))
  const directory = {
    snapshot: { channel: (id: number) => channels.get(id) } as never,
    settled: async () => undefined,
  }

  const nodes = Array.from({ length: count }, (_, index) => {
    const messages: FleetMessages = {
      async send(message) {
        sent += 1
        const text = JSON.stringify(message)
        for (const [other, handle] of handlers.entries())
          if (other !== index) onTheirWay.push({ at: now + delayMs, deliver: () => handle(JSON.parse(text)) })
      },
      subscribe(handler) {
        handlers[index] = handler
        return () => undefined
      },
    }
    const registry = createHealthRegistry({
      monotonic: { now: () => now + index * 1e9 },
      wallClock: { now: () => now - index * 90 * second },
      random: () => index / count,
      report: (hint) => void messages.send({ type: healthHints, hints: [hint] }),
    })
    hearHealthHints({ messages, health: registry, directory })
    const record = (kind?: 'overloaded' | 'rate_limited' | 'unauthorized') =>
      registry.record({
        channelId: 1,
        keyIndex: 0,
        model: 'm',
        ms: 0,
        ...(kind !== undefined && { error: errorOf(kind) }),
      })
    return {
      registry,
      record,
      admits: () => registry.admits(1, 0, 'm'),
      cooldownMs: () => registry.cooldownMs(1, 'm'),
    }
  })

  /** Lets time pass, and delivers what arrives meanwhile. */
  async function pass(ms: number): Promise<void> {
    const end = now + ms
    for (;;) {
      const next = onTheirWay.findIndex(({ at }) => at <= end)
      const [due] = next < 0 ? [] : onTheirWay.splice(next, 1)
      if (due === undefined) break
      now = Math.max(now, due.at)
      due.deliver()
      await Promise.resolve()
    }
    now = end
    await Promise.resolve()
  }

  const [a, b, c] = nodes
  if (a === undefined || b === undefined) throw new Error('a fleet has two nodes or more')
  return { a, b, c: c ?? b, nodes, pass, channels, sent: () => sent, handlers }
}

type Fleet = ReturnType<typeof nodesOf>

/** The nodes that let a call through, from the moment on when one of them does, while each has calls at every moment. */
async function probersOf(nodes: Fleet['nodes'], pass: Fleet['pass']): Promise<Fleet['nodes']> {
  const found: Fleet['nodes'] = []
  const stepMs = 10
  for (let leftMs = 5 * minute; leftMs > 0; leftMs -= stepMs) {
    await pass(stepMs)
    found.push(...nodes.filter((node) => node.admits()))
    if (found.length > 0) leftMs = Math.min(leftMs, 2 * second)
  }
  return found
}

describe('what one node finds out about a channel', () => {
  it('keeps the calls of the others away, for as long as it lasts and whatever their clocks say', async () => {
    const { a, b, pass } = nodesOf(2)
    times(5, () => a.record('overloaded'))
    expect(b.admits()).toBe(true)
    await pass(5)
    expect(b.admits()).toBe(false)
    expect(b.cooldownMs()).toBeGreaterThan(5 * second)
    expect(b.cooldownMs()).toBeLessThan(7 * second)
    expect(b.registry.view(1)).toMatchObject({ state: 'open', reason: { code: 'many_failed' } })
  })

  it('is not reported again by those that hear of it', async () => {
    const { a, pass, sent } = nodesOf(3)
    times(5, () => a.record('overloaded'))
    await pass(minute)
    expect(sent()).toBe(1)
  })

  it('is probed by one of them, and the others learn how that ended', async () => {
    const { nodes, a, b, pass } = nodesOf(3)
    for (const node of nodes) times(5, () => node.record('overloaded'))
    for (const fails of [true, true, true, false]) {
      const probing = await probersOf(nodes, pass)
      expect(probing).toHaveLength(1)
      probing[0]?.record(fails ? 'overloaded' : undefined)
      await pass(5)
      expect([a.admits(), b.admits()]).toEqual([!fails, !fails])
    }
  })

  it('is probed by another node when the one that found it dead has no calls', async () => {
    const { a, b, pass } = nodesOf(2)
    times(5, () => a.record('overloaded'))
    await pass(7 * second)
    expect(b.admits()).toBe(true)
    await pass(5)
    expect(a.admits()).toBe(false)
    b.record()
    await pass(5)
    expect([a.admits(), a.admits()]).toEqual([true, true])
  })

  it('does not count against the calls that go well on another node', async () => {
    const { a, b, pass } = nodesOf(2)
    times(5, () => b.record())
    times(5, () => a.record('overloaded'))
    a.record('unauthorized')
    await pass(5)
    expect([a.admits(), b.admits()]).toEqual([false, true])
  })

  it('counts there once these calls are some time ago, or when it is a limit of the account', async () => {
    const { a, b, c, pass } = nodesOf(3)
    times(5, () => b.record())
    await pass(20 * second)
    times(5, () => c.record())
    times(5, () => a.record('overloaded'))
    await pass(5)
    expect([b.admits(), c.admits()]).toEqual([false, true])
    a.record('rate_limited')
    await pass(5)
    expect(c.admits()).toBe(false)
  })

  it('is forgotten everywhere when the channel is edited or deleted', async () => {
    const { a, b, pass, channels } = nodesOf(2)
    a.record('unauthorized')
    await pass(5)
    expect(b.admits()).toBe(false)
    b.registry.reset(1)
    await pass(5)
    expect([a.admits(), b.admits()]).toEqual([true, true])
    a.record('unauthorized')
    await pass(5)
    channels.delete(1)
    a.registry.forget(1)
    await pass(5)
    expect(b.admits()).toBe(true)
  })

  it('is passed over when it is about no channel, or in the words of another version', async () => {
    const { a, b, pass, handlers } = nodesOf(2)
    const hint = { channelId: 1, model: 'm', state: 'open', leftMs: second, round: 1 }
    const params = {}
    handlers[1]?.({
      type: healthHints,
      hints: [
        { ...hint, state: 'unheard-of' },
        { ...hint, reason: { code: 'toString', params } },
        { ...hint, leftMs: -1, reason: { code: 'overloaded', params } },
        { ...hint, channelId: 99, reason: { code: 'overloaded', params } },
        null,
      ],
    })
    handlers[1]?.({ type: 'something else' })
    await pass(5)
    expect(b.admits()).toBe(true)
    times(5, () => a.record('overloaded'))
    await pass(5)
    expect(b.admits()).toBe(false)
  })
})
