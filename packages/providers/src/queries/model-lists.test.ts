import { expect, it } from 'bun:test'
import { nextByLastId, nextByNumber, nextByToken } from './model-lists.ts'

const requested = (url: string) => ({ url, headers: { a: 'b' } })

it('leads from page to page of a list, and ends', () => {
  const first = nextByLastId({ has_more: true, last_id: 'm/1' }, requested('https://h/v1/models?limit=9'))
  expect(first).toEqual(requested('https://h/v1/models?limit=9&after_id=m%2F1'))
  expect(nextByLastId({ has_more: true, last_id: 'z' }, first ?? requested(''))?.url).toBe(
    'https://h/v1/models?limit=9&after_id=z',
  )
  expect(nextByLastId({ has_more: false, last_id: 'z' }, requested('https://h'))).toBeUndefined()
  expect(nextByToken({ nextPageToken: 't' }, requested('https://h/models'))?.url).toBe(
    'https://h/models?pageToken=t',
  )
  expect(nextByToken({}, requested('https://h/models'))).toBeUndefined()
  const info = (page: number) => ({ result_info: { page, per_page: 100, total_count: 180 } })
  expect(nextByNumber(info(1), requested('https://h?per_page=100&page=1'))?.url).toBe(
    'https://h?per_page=100&page=2',
  )
  for (const body of [info(2), {}, null, 'x'])
    expect(nextByNumber(body, requested('https://h'))).toBeUndefined()
})
