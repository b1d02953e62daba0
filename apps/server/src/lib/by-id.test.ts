import { describe, expect, it } from 'bun:test'
import { ById } from './by-id.ts'

describe('ById', () => {
  it('finds what was set last under an id, however large', () => {
    const byId = new ById<string>()
    const ids = [3, 1, 1023, 1024, 1_048_575, 1_048_576, 9_007_199_254_740_991]
    for (const id of ids) byId.set(id, 'former')
    for (const id of ids) byId.set(id, `value ${id}`)
    for (const id of ids) expect(byId.get(id)).toBe(`value ${id}`)
    for (const id of [2, 4, 5000, 1_048_574, 1_048_577]) expect(byId.get(id)).toBeUndefined()
    expect([...byId.values()]).toEqual(ids.toSorted((a, b) => a - b).map((id) => `value ${id}`))
  })

  it('forgets what is deleted, and only that', () => {
    const byId = new ById<string>()
    const ids = [7, 8, 1_048_575, 1_048_576, 2_000_000]
    for (const id of ids) byId.set(id, `value ${id}`)
    for (const id of [7, 1_048_576, 9, 5000, 3_000_000]) byId.delete(id)
    expect([...byId.values()]).toEqual(['value 8', 'value 1048575', 'value 2000000'])
    expect([byId.get(7), byId.get(1_048_576)]).toEqual([undefined, undefined])
  })
})
