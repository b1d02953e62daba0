import { describe, expect, it } from 'bun:test'
import { ById } from './by-id.ts'

describe('ById', () => {
  it('finds what was set last under an id, however large', () => {
    const byId = new ById<string>()
    const ids = [3, 1, 65_535, 65_536, 9_007_199_254_740_991]
    for (const id of ids) byId.set(id, 'former')
    for (const id of ids) byId.set(id, `value ${id}`)
    for (const id of ids) expect(byId.get(id)).toBe(`value ${id}`)
    for (const id of [2, 4, 65_537]) expect(byId.get(id)).toBeUndefined()
    expect([...byId.values()]).toEqual(
      [1, 3, 65_535, 65_536, 9_007_199_254_740_991].map((id) => `value ${id}`),
    )
  })
})
