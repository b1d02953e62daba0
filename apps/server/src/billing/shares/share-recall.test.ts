import { describe, expect, it } from 'bun:test'
import type { FleetMessages } from './fleet.ts'
import { ShareRecall } from './share-recall.ts'

/** Delivers at once, to everybody. */
function messagesInMemory(): FleetMessages {
  const handlers = new Set<(message: unknown) => void>()
  return {
    async send(message) {
      for (const handler of handlers) handler(JSON.parse(JSON.stringify(message)))
    },
    subscribe(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}

function recallOf(
  node: string,
  messages: FleetMessages,
  surrender: () => Promise<void> = async () => undefined,
) {
  const requested: unknown[] = []
  const clock = { nowMs: 0 }
  const recall = new ShareRecall({
    node,
    messages,
    nowMs: () => clock.nowMs,
    async surrender(...request) {
      requested.push(request)
      await surrender()
    },
  })
  return { recall, requested, clock }
}

describe('ShareRecall', () => {
  it('asks the holders alone, and waits until they have returned something', async () => {
    const messages = messagesInMemory()
    const returning = Promise.withResolvers<void>()
    const a = recallOf('a', messages)
    const b = recallOf('b', messages, () => returning.promise)
    const c = recallOf('c', messages)
    let isDone = false
    const done = a.recall.request(['b'], 'user', 7, 100).then(() => {
      isDone = true
    })
    await Bun.sleep(20)
    expect([isDone, b.requested, c.requested, a.requested]).toEqual([false, [['user', 7, 100]], [], []])
    returning.resolve()
    await done
    expect(await a.recall.request(['b'], 'user', 7, 100)).toBe(true)
  })

  it('waits half a second for a node that does not reply, and some time not at all', async () => {
    const messages = messagesInMemory()
    const { recall, clock } = recallOf('a', messages)
    const waited = async () => {
      const before = performance.now()
      expect(await recall.request(['gone'], 'token', 1, 5)).toBe(false)
      return performance.now() - before
    }
    expect(await waited()).toBeGreaterThan(450)
    expect(await waited()).toBeLessThan(200)
    clock.nowMs = 5000
    expect(await waited()).toBeGreaterThan(450)
  })

  it('ignores messages of other modules', async () => {
    const messages = messagesInMemory()
    const { requested } = recallOf('a', messages)
    await messages.send({ type: 'something-else', nodes: ['a'] })
    await messages.send([])
    expect(requested).toEqual([])
  })
})
