import { describe, expect, it } from 'bun:test'
import { KeyedMutex, Mutex } from './mutex.ts'

function work(log: string[], name: string, fails = false) {
  return async () => {
    log.push(`${name} starts`)
    await Bun.sleep(1)
    log.push(`${name} ends`)
    if (fails) throw new Error(name)
    return name
  }
}

describe('Mutex', () => {
  it('runs one task after the other, also after one that failed', async () => {
    const mutex = new Mutex()
    const log: string[] = []
    const first = mutex.run(work(log, 'a', true))
    const second = mutex.run(work(log, 'b'))
    await expect(first).rejects.toThrow('a')
    expect(await second).toBe('b')
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends'])
  })
})

describe('KeyedMutex', () => {
  it('serialises the tasks of one key and runs other keys beside it', async () => {
    const mutex = new KeyedMutex<number>()
    const log: string[] = []
    await Promise.all([
      mutex.run(1, work(log, 'a')),
      mutex.run(1, work(log, 'b')),
      mutex.run(2, work(log, 'other')),
    ])
    expect(log.indexOf('b starts')).toBeGreaterThan(log.indexOf('a ends'))
    expect(log.indexOf('other starts')).toBeLessThan(log.indexOf('a ends'))
  })
})
