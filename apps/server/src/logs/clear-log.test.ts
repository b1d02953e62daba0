import { describe, expect, it } from 'bun:test'
import type { Actor, AuditLog } from '../audit-log/audit-log.ts'
import { createLogClearer } from './clear-log.ts'

const now = 1_700_000_000
const actor: Actor = { userId: 2, username: 'admin', role: 'admin', address: '192.0.2.1' }

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
  const clearer = createLogClearer({ usage, auditLog, clock: { now: () => now * 1000 } })
  return { auditEvents, steps, clearer }
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
