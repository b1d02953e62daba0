import { expect, it } from 'bun:test'
import { acceptsGzip } from './accepts-gzip.ts'

it.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8', true],
  ['deflate,gzip;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, br', false],
  ['br', false],
  ['x-gzip-not', false],
  ['', false],
])('reads Accept-Encoding %p as %p', (value, expected) => {
  expect(acceptsGzip(new Headers({ 'accept-encoding': value }))).toBe(expected)
})

it('takes a missing header as no', () => {
  expect(acceptsGzip(new Headers())).toBe(false)
})
