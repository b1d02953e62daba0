import { describe, expect, it } from 'bun:test'
import { flagParam, integerParam, pageParam, searchParam, searchParams, wordParam } from './search-params.ts'

const read = searchParams({
  page: pageParam,
  from: integerParam,
  keyword: searchParam,
  open: flagParam,
  range: wordParam(['24h', '7d']),
})

describe('search parameters of a page', () => {
  it('are read by kind, and a number is text where text is looked for', () => {
    const search = { page: 2, from: -5, keyword: 123, open: true, range: '7d' } as const
    expect(read(search)).toEqual({ ...search, keyword: '123' })
  })

  it('count as absent when they do not fit, and unknown ones are dropped', () => {
    expect(
      Object.keys(read({ page: 0, from: 1.5, keyword: {}, open: 'yes', range: '1y', other: 1 })),
    ).toEqual([])
  })
})
