import { describe, expect, it } from 'bun:test'
import { editOver, mergeCommaLists, mergeEntries, mergeItems, mergeJsonTexts } from './merge-edit.ts'
import { Refusal } from './refusal.ts'

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('entries of a map', () => {
  const base = { a: 1, b: 2, gone: 3 }

  it('are changed where the edit changed them, and stay where others did', () => {
    const sent = { a: 10, b: 2, added: 4 }
    const current = { a: 1, b: 20, gone: 3, theirs: 5 }
    expect(mergeEntries(base, current, sent)).toEqual({
      value: { a: 10, b: 20, theirs: 5, added: 4 },
      conflicts: [],
    })
  })

  it('are in conflict where both changed them otherwise, and not where both did the same', () => {
    const { conflicts } = mergeEntries(base, { a: 7, b: 2 }, { a: 8, b: 2 })
    expect(conflicts).toEqual([{ entry: 'a', base: 1, current: 7, sent: 8 }])
    expect(mergeEntries(base, { b: 2, gone: 3 }, { a: 8, b: 2, gone: 3 }).conflicts).toEqual([
      { entry: 'a', base: 1, current: null, sent: 8 },
    ])
  })

  it('may have the names of what every object has', () => {
    const { value } = mergeEntries({}, { constructor: 1 }, { toString: 2 })
    expect(value).toEqual({ constructor: 1, toString: 2 })
  })
})

describe('items of a list', () => {
  it('are added and removed as the edit did', () => {
    expect(mergeItems(['a', 'b', 'c'], ['a', 'c', 'x'], ['c', 'a', 'y'])).toEqual(['a', 'c', 'x', 'y'])
    expect(mergeItems(['a', 'b'], ['a', 'b'], ['b', 'a'])).toEqual(['b', 'a'])
    expect(mergeCommaLists('a, b', 'a,b,x', 'a')).toEqual({ value: 'a,x', conflicts: [] })
  })
})

describe('JSON texts', () => {
  it('are merged by entries where they are objects', () => {
    const { value, conflicts } = mergeJsonTexts('', '{"a":"b"}', '{"c":"d"}')
    expect([JSON.parse(String(value)), conflicts]).toEqual([{ a: 'b', c: 'd' }, []])
    expect(mergeJsonTexts('', 'x', '{"c":"d"}').conflicts).toHaveLength(1)
  })
})

describe('an edit of a record', () => {
  const current = { name: 'new', quota: 5, models: 'a,x' }

  it('has the fields that differ from its base', () => {
    const body = { id: 1, name: 'old', quota: 7, models: 'b', base: { name: 'old', quota: 5, models: 'a' } }
    expect(editOver(body, current, { models: mergeCommaLists })).toMatchObject({
      id: 1,
      quota: 7,
      models: 'x,b',
    })
    expect(editOver(body, current, { models: mergeCommaLists })).not.toHaveProperty('name')
  })

  it('has every field without a base', () => {
    expect(editOver({ id: 1, name: 'old' }, current)).toEqual({ id: 1, name: 'old' })
  })

  it('is refused with all three values of each field that both changed', () => {
    const body = { name: 'mine', quota: 7, base: { name: 'old', quota: 5, unknown: 1 } }
    expect(refusalOf(() => editOver(body, current))).toMatchObject({
      code: 'edit_conflict',
      extra: { conflicts: [{ field: 'name', base: 'old', current: 'new', sent: 'mine' }] },
    })
  })
})
