import { describe, expect, it } from 'bun:test'
import { searchParams } from '../../lib/search-params.ts'
import { listParams, selectedOf, selectedText, sortOf, sortText } from './list-search.ts'

const read = searchParams(listParams)

describe('the address of a list', () => {
  it('says how it is sorted, and nothing that no column could be called', () => {
    expect(sortOf(read({ sort: '-used_quota' }))).toEqual({ column: 'used_quota', descending: true })
    expect(sortOf(read({ sort: 'name' }))).toEqual({ column: 'name', descending: false })
    expect(read({ sort: 'name;drop' })).toEqual({})
    for (const sort of ['name', '-name', undefined]) expect(sortText(sortOf({ sort }))).toBe(sort)
  })

  it('says which rows are chosen, by number', () => {
    expect([...selectedOf(read({ selected: '3,17' }))]).toEqual(['3', '17'])
    expect([...selectedOf(read({ selected: 7 }))]).toEqual(['7'])
    expect(read({ selected: '3,x' })).toEqual({})
    expect(selectedText(new Set())).toBeUndefined()
    expect(selectedText(new Set(['3', '17']))).toBe('3,17')
  })
})
