import { describe, expect, it } from 'bun:test'
import { readSources } from '../boundaries/sources.ts'
import { bareLimits } from './bare-limits.ts'
import { afterDeadline, deadline, slowness, startDeadline } from './deadline.mjs'

describe('slowness', () => {
  it('is at least 1, and bounded', () => {
    expect(slowness()).toBeGreaterThanOrEqual(1)
    expect(slowness()).toBeLessThanOrEqual(10)
  })
})

describe('deadline', () => {
  it('leaves more time than an idle machine takes', () => {
    expect(deadline(1000)).toBeGreaterThanOrEqual(3000)
  })
})

describe('startDeadline', () => {
  it('is over in its time on a machine that is not slow', async () => {
    const limit = startDeadline(
      20,
      () => 1,
      () => 0,
    )
    expect(limit.remainingMs()).toBeGreaterThan(0)
    await Bun.sleep(25)
    expect(limit.remainingMs()).toBeLessThanOrEqual(0)
  })

  it('is extended as often as the machine got slower', async () => {
    const measured = [2, 100]
    const limit = startDeadline(
      20,
      () => measured.shift() ?? 1,
      () => 0,
    )
    await Bun.sleep(25)
    expect(limit.remainingMs()).toBeLessThan(20)
    await Bun.sleep(20)
    expect(limit.remainingMs()).toBeGreaterThan(500)
  })
})

describe('a limit that begins now', () => {
  it('is extended by a burst of load that is over, and bounded', () => {
    const queues = [9, 9, 0]
    let time = 0
    const limit = startDeadline(
      10,
      () => 1,
      () => queues.shift() ?? 0,
      () => time,
    )
    limit.remainingMs()
    limit.remainingMs()
    time = 12
    expect(limit.remainingMs()).toBe(48)
    expect(limit.extent()).toBe(6)
    const endless = startDeadline(
      5,
      () => 1,
      () => 1000,
      () => time,
    )
    time = 18
    endless.remainingMs()
    expect(endless.extent()).toBe(10)
  })
})

describe('afterDeadline', () => {
  it('acts when the time is over, and not when it was taken back', async () => {
    const acts: string[] = []
    afterDeadline(5, () => acts.push('late'))
    afterDeadline(5, () => acts.push('never'))()
    while (acts.length === 0) await Bun.sleep(5)
    expect(acts).toEqual(['late'])
  })
})

describe('a limit in a test', () => {
  const at = (source: string) =>
    bareLimits('a.test.ts', source).map(({ start, end }) => source.slice(start, end))

  it('is found wherever a test, a hook, a signal or a browser takes one', () => {
    expect(at("it('a', () => {}, 5_000)")).toEqual(['5_000'])
    expect(at("it.each([1, 2])('a', () => {}, 2 * 5000)")).toEqual(['2 * 5000'])
    expect(at("describe('b', () => { test.skipIf(x)('a', async () => {}, { timeout: 7 }) })")).toEqual(['7'])
    expect(at('beforeAll(async () => {}, 9)')).toEqual(['9'])
    expect(at('const ms = 2 * 50; row.waitFor({ timeout: ms }); row.waitFor({ timeout: other })')).toEqual([
      'ms',
    ])
    expect(at('setDefaultTimeout(20_000); page.setDefaultTimeout(3)')).toEqual(['20_000', '3'])
    expect(
      at("fetch('', { signal: AbortSignal.timeout(10) }); page.waitForSelector('a', { timeout: 4 })"),
    ).toEqual(['10', '4'])
  })

  it('is found where a timer ends a process', () => {
    expect(at("setTimeout(() => child.kill('SIGKILL'), 15_000); setTimeout(() => child.end(), 5)")).toEqual([
      '15_000',
    ])
  })

  it('is none where a number is anything else', () => {
    expect(at("it('a', () => {}, deadline(5_000)); it.each([[1, 2]])('a', () => {})")).toEqual([])
    expect(at('setTimeout(() => {}, 500); until(() => {}, 500); call({ timeout: 3 })')).toEqual([])
  })

  it('is written as deadline(ms) everywhere, so that a loaded machine fails no test', async () => {
    const sources = await readSources(
      '{apps,packages}/*/src/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
      'tests/**/*.ts',
    )
    const bare = [...sources].flatMap(([path, source]) =>
      bareLimits(path, source).map(({ line }) => `${path}:${line}`),
    )
    expect(sources.size).toBeGreaterThan(500)
    expect(bare).toEqual([])
  })
})
