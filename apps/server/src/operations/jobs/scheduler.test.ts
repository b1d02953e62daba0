import { describe, expect, it } from 'bun:test'
import { createScheduler, type Job } from './scheduler.ts'

const quiet = { error: () => undefined }

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(1)
}

describe('createScheduler', () => {
  it('runs a job again and again, never twice at once', async () => {
    let running = 0
    let limit = 0
    let runs = 0
    const job: Job = {
      name: 'slow',
      everyMs: 1,
      scope: 'node',
      async run() {
        running += 1
        limit = Math.max(limit, running)
        await Bun.sleep(5)
        running -= 1
        runs += 1
      },
    }
    const scheduler = createScheduler([job], { logger: quiet })
    scheduler.start()
    await until(() => runs >= 3)
    await scheduler.stop()
    expect(limit).toBe(1)
  })

  it('goes on after a run that failed', async () => {
    const errors: unknown[] = []
    let runs = 0
    const job: Job = {
      name: 'failing',
      everyMs: 1,
      scope: 'node',
      async run() {
        runs += 1
        throw new Error('no')
      },
    }
    const scheduler = createScheduler([job], { logger: { error: (entry: unknown) => errors.push(entry) } })
    scheduler.start()
    await until(() => runs >= 2)
    await scheduler.stop()
    expect(errors.length).toBeGreaterThanOrEqual(1)
  })

  it('ends running jobs when it is stopped, and starts none after', async () => {
    let started = 0
    let aborted = false
    const job: Job = {
      name: 'long',
      everyMs: 1,
      scope: 'node',
      async run(signal) {
        started += 1
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        aborted = true
      },
    }
    const scheduler = createScheduler([job], { logger: quiet })
    scheduler.start()
    await until(() => started === 1)
    await scheduler.stop()
    expect(aborted).toBe(true)
    await Bun.sleep(5)
    expect(started).toBe(1)
  })
})
