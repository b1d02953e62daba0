import { describe, expect, it } from 'bun:test'
import { baseOf, rebased } from './edit-base.ts'

describe('what an edit was made on', () => {
  it('are the former values of the fields that a body has', () => {
    const before = { name: 'old', quota: 5, password: undefined }
    expect(baseOf(before, { id: 1, name: 'new', password: 'p' }, [])).toEqual({ name: 'old' })
  })

  it('is what the person has seen of other edits since, the last of them', () => {
    const conflict = { field: 'name', base: 'old', sent: 'mine' }
    const seen = ['theirs', 'theirs again'].map((current) => ({ ...conflict, current }))
    expect(baseOf({ name: 'old' }, { name: 'mine' }, seen)).toEqual({ name: 'theirs again' })
    expect(baseOf({ quota: 5 }, { quota: 6 }, seen)).toEqual({ quota: 5 })
  })

  it('has the entries of a map as they were seen', () => {
    const entry = (name: string, current: unknown) => ({
      field: 'map',
      entry: name,
      base: 1,
      sent: 3,
      current,
    })
    const { map } = rebased({ map: '{"a":1,"b":1,"c":1}' }, [entry('a', 2), entry('b', null)])
    expect(JSON.parse(String(map))).toEqual({ a: 2, c: 1 })
    expect(JSON.parse(String(rebased({ map: '' }, [entry('a', 2)])['map']))).toEqual({ a: 2 })
  })
})
