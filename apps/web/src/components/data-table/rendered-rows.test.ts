import { expect, test } from 'bun:test'
import { nextRendered, visibleRows } from './rendered-rows.ts'

const rowsFrom = (first: number, version = 1) =>
  Array.from({ length: 100 }, (_, index) => ({ id: String(first + index), version }))
const [former, next] = [rowsFrom(0), rowsFrom(100)]

test('a page of new rows comes in parts that a window has room for, from the top', () => {
  const first = nextRendered(next, former, 30)
  expect(first).toEqual(next.slice(0, 30))
  expect(visibleRows(next, first, 30)).toEqual(first)
  const second = nextRendered(next, first, 30)
  expect(second).toEqual(next.slice(0, 60))
  expect(nextRendered(next, next.slice(0, 90), 30)).toBe(next)
})

test('rows of the page before stay until the first new ones are drawn', () => {
  expect(visibleRows(next, former, 30)).toBe(former)
  expect(visibleRows(former, [], 30)).toBeUndefined()
})

test('rows that were drawn before show at once what is new of them, and lose those that are gone', () => {
  const again = rowsFrom(0, 2)
  expect(visibleRows(again, former, 30)).toEqual(again)
  expect(visibleRows(again.slice(1), former, 30)).toEqual(again.slice(1))
})

test('a new row above the others pushes none of them out', () => {
  const after = [{ id: 'new', version: 1 }, ...former]
  expect(nextRendered(after, former, 30)).toEqual(after)
})
