import { describe, expect, it } from 'bun:test'
import { createBatchLoader } from './batch-loader.ts'

function counted() {
  const requested: (readonly number[])[] = []
  const find = createBatchLoader(async (keys: readonly number[]) => {
    requested.push(keys)
    if (keys.includes(13)) throw new Error('away')
    return new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, `value ${key}`]))
  })
  return { requested, find }
}

describe('createBatchLoader', () => {
  it('loads once for all requests of one turn, and gives each its own value', async () => {
    const { requested, find } = counted()
    expect(await Promise.all([2, 3, 4].map(find))).toEqual(['value 2', undefined, 'value 4'])
    expect(requested).toEqual([[2, 3, 4]])
    expect(await find(6)).toBe('value 6')
    expect(requested).toEqual([[2, 3, 4], [6]])
  })

  it('rejects for all that wait when a load fails, and loads again for later requests', async () => {
    const { find } = counted()
    const results = await Promise.allSettled([find(2), find(13)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await find(2)).toBe('value 2')
  })
})
