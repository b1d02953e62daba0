import { describe, expect, it } from 'bun:test'
import type { FleetMessages } from '../../fleet/messages.ts'
import type { Actor, AuditLog } from '../audit-log/audit-log.ts'
import { LogClearer } from './clear-log.ts'

const now = 1_700_000_000
const actor: Actor = { userId: 2, username: 'admin', role: 'admin', address: '192.0.2.1' }

/** Leases of one database, with one holder each. */
function leasesInMemory() {
  const holders = new Map<string, string>()
  return {
    take: async ([name = '']: readonly string[], holder: string) => {
      if ((holders.get(name) ?? holder) !== holder) return []
      holders.set(name, holder)
      return [{ name, sinceRunMs: undefined }]
    },
    give: async ([name = '']: readonly string[]) => void holders.delete(name),
  }
}

/** Messages between nodes that arrive at once. */
function messagesInMemory() {
  const handlers = new Map<string, (message: unknown) => void>()
  return (node: string): FleetMessages => ({
    async send(message) {
      for (const [other, handle] of handlers) if (other !== node) handle(message)
    },
    subscribe(handle) {
      handlers.set(node, handle)
      return () => handlers.delete(node)
    },
  })
}

function setUp() {
  const auditEvents: object[] = []
  const auditLog = {
    record: async (_: Actor, act: object) => void auditEvents.push(act),
  } as unknown as AuditLog
  const steps = {
    progress: (_: number) => {},
    end: () => {},
    fail: (_: Error) => {},
    signal: undefined as AbortSignal | undefined,
  }
  const usage = {
    clearBefore(_: number, progress?: (deleted: number) => void, signal?: AbortSignal) {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      let gone = 0
      Object.assign(steps, {
        progress: (deleted: number) => {
          gone = deleted
          progress?.(deleted)
        },
        end: () => resolve(gone),
        fail: reject,
        signal,
      })
      return promise
    },
  }
  const [leases, messagesOf] = [leasesInMemory(), messagesInMemory()]
  const clock = { now: () => now * 1000 }
  const [clearer, other] = ['one', 'two'].map(
    (node) =>
      new LogClearer({
        usage,
        auditLog,
        clock,
        node,
        leases,
        messages: messagesOf(node),
        logger: { warn: () => undefined },
      }),
  ) as [LogClearer, LogClearer]
  return { auditEvents, steps, clearer, other }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

describe('clearing the log', () => {
  it('reports its progress, runs one at a time, and returns the count at its end', async () => {
    const { clearer, steps } = setUp()
    expect(clearer.progress()).toMatchObject({ running: false, target_timestamp: 0 })
    const clearing = clearer.clear(actor, 1000)
    await Bun.sleep(0)
    steps.progress(8192)
    expect(clearer.progress()).toMatchObject({
      running: true,
      target_timestamp: 1000,
      deleted: 8192,
      ended_at: 0,
    })
    expect(await codeOf(clearer.clear(actor, 1000))).toBe('log_clear_running')
    steps.end()
    expect(await clearing).toBe(8192)
    expect(clearer.progress()).toMatchObject({ running: false, deleted: 8192, ended_at: now })
    expect(await codeOf(clearer.cancel(actor))).toBe('log_clear_not_running')
  })

  it('ends when it is cancelled, with the count of rows deleted by then', async () => {
    const { clearer, steps, auditEvents } = setUp()
    const clearing = clearer.clear(actor, 1000)
    await Bun.sleep(0)
    steps.progress(10)
    expect(await clearer.cancel(actor)).toMatchObject({ cancelled: true, deleted: 10 })
    expect(steps.signal?.aborted).toBe(true)
    steps.end()
    expect(await clearing).toBe(10)
    expect(clearer.progress()).toMatchObject({ running: false, cancelled: true })
    expect(auditEvents).toHaveLength(3)
  })

  it('runs on one node at a time, and the other shows and cancels it', async () => {
    const { clearer, other, steps, auditEvents } = setUp()
    const clearing = clearer.clear(actor, 1000)
    await Bun.sleep(0)
    expect(await codeOf(other.clear(actor, 1000))).toBe('log_clear_running')
    expect(other.progress()).toMatchObject({ running: true, target_timestamp: 1000 })
    const cancelled = other.cancel(actor)
    await Bun.sleep(0)
    expect(steps.signal?.aborted).toBe(true)
    steps.end()
    await clearing
    expect(await cancelled).toMatchObject({ running: false, cancelled: true })
    expect(auditEvents).toHaveLength(3)
    const again = other.clear(actor, 1000)
    await Bun.sleep(0)
    steps.end()
    expect(await again).toBe(0)
  })

  it('may start again after a failure', async () => {
    const { clearer, steps, auditEvents } = setUp()
    const clearing = clearer.clear(actor, 1000)
    await Bun.sleep(0)
    steps.fail(new Error('the disk is full'))
    expect(await codeOf(clearing)).toContain('the disk is full')
    expect(clearer.progress()).toMatchObject({ running: false, failed: true })
    expect(auditEvents.at(-1)).toMatchObject({ after: { failed: true } })
    void clearer.clear(actor, 1000)
    await Bun.sleep(0)
    expect(clearer.progress()).toMatchObject({ running: true, failed: false })
  })

  it.each([
    [undefined, 'log_clear_time_required'],
    [0, 'log_clear_time_required'],
    [-1, 'log_clear_time_invalid'],
    [now + 1, 'log_clear_time_invalid'],
  ])('is refused for the time %p', async (before, code) => {
    const { clearer, auditEvents } = setUp()
    expect(await codeOf(clearer.clear(actor, before))).toBe(code)
    expect(auditEvents).toEqual([])
  })
})
