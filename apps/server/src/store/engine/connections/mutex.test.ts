import { describe, expect, it } from 'bun:test'
import { StoreFault } from '../../errors.ts'
import { createMutex } from './mutex.ts'

describe('createMutex', () => {
  it('admits one holder at a time, in the order of the calls', async () => {
    const { acquire } = createMutex('the thing', 1000)
    const order: string[] = []
    const enter = async (name: string) => {
      const release = await acquire()
      order.push(`${name} in`)
      await Bun.sleep(1)
      order.push(`${name} out`)
      release()
      release()
    }
    await Promise.all(['a', 'b', 'c'].map(enter))
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  })

  it('rejects a caller that waited too long, and admits those behind it', async () => {
    const { acquire } = createMutex('the thing', 20)
    const release = await acquire()
    const late = await acquire().catch((reason: unknown) => reason)
    expect(late).toBeInstanceOf(StoreFault)
    expect(String(late)).toContain('the thing')
    const next = acquire()
    release()
    ;(await next)()
    ;(await acquire())()
  })
})
