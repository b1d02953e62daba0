import { describe, expect, it } from 'bun:test'
import {
  booleanParam,
  enumParam,
  integerParam,
  monthParam,
  pageParam,
  parseSearch,
  searchParams,
  stringifySearch,
  textParam,
  timeParam,
} from './search-params.ts'

const read = searchParams({
  page: pageParam,
  key: integerParam,
  from: timeParam,
  month: monthParam,
  keyword: textParam,
  open: booleanParam,
  range: enumParam(['24h', '7d']),
})

describe('search parameters of a page', () => {
  it('are read by kind, from values and from the texts of an address', () => {
    const search = {
      page: 2,
      key: -5,
      from: 0,
      month: '2026-12',
      keyword: '123',
      open: true,
      range: '7d',
    } as const
    expect(read(search)).toEqual(search)
    expect(read({ ...search, page: '2', key: '-5', from: '0', keyword: 123, open: 'true' })).toEqual(search)
  })

  it('count as absent when they do not fit', () => {
    const search = {
      page: 0,
      key: '1.5',
      from: -1,
      month: '2026-13',
      keyword: {},
      open: 'yes',
      range: '1y',
      other: 1,
    }
    expect(Object.entries(read(search)).filter(([, value]) => value !== undefined)).toEqual([])
    expect(Object.keys(read(search))).not.toContain('other')
    expect(read({ from: '8640000000001', month: 'nonsense' })).toEqual(read({}))
  })
})

describe('the search of an address', () => {
  it('is plain text that comes back as it was', () => {
    const search = { keyword: 'a b/c, d&e=f %"ü"', page: 2, model: 'org/gpt-4:free', gone: undefined }
    const text = stringifySearch(search)
    expect(text).toBe('?keyword=a+b/c,+d%26e%3Df+%25%22%C3%BC%22&page=2&model=org/gpt-4:free')
    const { gone: _gone, ...retained } = search
    expect(parseSearch(text)).toEqual({ ...retained, page: '2' })
  })

  it('is nothing where there is none', () => {
    expect(stringifySearch({})).toBe('')
  })
})
