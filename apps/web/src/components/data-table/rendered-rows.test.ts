import { expect, test } from 'bun:test'
import { firstRendered } from './rendered-rows.ts'

const rowsFrom = (first: number) => Array.from({ length: 100 }, (_, index) => ({ id: String(first + index) }))

test('of a page of new rows as many as a window has room for come at once', () => {
  expect(firstRendered(rowsFrom(100), rowsFrom(0), 30).map(({ id }) => id)).toEqual(
    rowsFrom(100)
      .slice(0, 30)
      .map(({ id }) => id),
  )
})

test('rows that were drawn before stay when they are read again', () => {
  const again = rowsFrom(0)
  expect(firstRendered(again, rowsFrom(0), 30)).toEqual(again)
})

test('a new row above the others pushes none of them out', () => {
  const after = [{ id: 'new' }, ...rowsFrom(0)]
  expect(firstRendered(after, rowsFrom(0), 30)).toEqual(after)
})
