import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../../../tests/support/until.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { createJobLeases } from './job-leases.ts'
import { createScheduler, type Job } from './scheduler.ts'

const times = { ttlMs: 300, renewMs: 50 }
const logger = { error: () => undefined, warn: () => undefined }

describe('a job of the fleet', () => {
  let store: Store
  let dataDir: string
  let names = 0

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-leases-'))
    store = await openStore({ dataDir, logger })
  })
  afterAll(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** A node that runs one job; `reach` stands for its connection to the database. */
  function nodeOf(node: string, job: Pick<Job, 'name' | 'everyMs'>, seen: string[]) {
    const reach = { isCut: false }
    const leases = {
      ...store.leases,
      take: async (...args: Parameters<Store['leases']['take']>) => {
        if (reach.isCut) throw new Error('the database is away')
        return await store.leases.take(...args)
      },
    }
    const run = async (signal: AbortSignal) => {
      seen.push(node)
      signal.addEventListener('abort', () => seen.push(`${node} ends`))
    }
    const scheduler = createScheduler([{ ...job, scope: 'fleet', run }], {
      logger,
      leases: createJobLeases({ leases, node, logger, times }),
    })
    scheduler.start()
    return { reach, stop: () => scheduler.stop() }
  }

  const ticking = () => ({ name: `job-${++names}`, everyMs: 10 })

  it('runs on one node, and on another as soon as that one stops', async () => {
    const seen: string[] = []
    const job = ticking()
    const first = nodeOf('a', job, seen)
    await until(() => seen.includes('a') || undefined)
    const second = nodeOf('b', job, seen)
    await Bun.sleep(200)
    expect(new Set(seen)).toEqual(new Set(['a']))
    await first.stop()
    const before = seen.length
    await until(() => seen.length > before || undefined)
    await second.stop()
    expect(seen.slice(before)).toContain('b')
    expect(seen.slice(before)).not.toContain('a')
  })

  it('ends on a node that cannot prolong its lease before another one runs it', async () => {
    const seen: string[] = []
    const job = ticking()
    const first = nodeOf('a', job, seen)
    await Bun.sleep(100)
    const second = nodeOf('b', job, seen)
    first.reach.isCut = true
    await Bun.sleep(times.ttlMs + 300)
    expect(seen).toContain('b')
    expect(seen.lastIndexOf('a')).toBeLessThan(seen.indexOf('b'))
    expect(seen.indexOf('a ends')).toBeLessThan(seen.indexOf('b'))
    await second.stop()
    first.reach.isCut = false
    await Bun.sleep(200)
    expect(seen.lastIndexOf('a')).toBeGreaterThan(seen.lastIndexOf('b'))
    await first.stop()
  })

  it('keeps its pace when it moves: its next holder waits for what is left of the pause', async () => {
    const seen: string[] = []
    const job = { name: `job-${++names}`, everyMs: 60_000 }
    await store.leases.take([job.name], 'gone', 0)
    await store.leases.noteRun(job.name, 'gone')
    const early = nodeOf('early', job, seen)
    await Bun.sleep(150)
    await early.stop()
    expect(seen).toEqual([])

    // As if that run were a minute ago.
    const late = nodeOf('late', { ...job, everyMs: 100 }, seen)
    await Bun.sleep(300)
    await late.stop()
    expect(seen).toContain('late')
  })
})
