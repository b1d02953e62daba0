import { expect, it } from 'bun:test'
import { createRequestIds } from './request-id.ts'

it('starts with the local time, has a fixed length and never repeats', () => {
  const time = new Date(2026, 10, 21, 7, 8, 9, 45)
  const next = createRequestIds({ now: () => time.getTime() })
  const ids = Array.from({ length: 100 }, next)
  for (const id of ids) expect(id).toMatch(/^20261121070809045\d{6}[0-9A-Za-z]{8}$/)
  expect(new Set(ids).size).toBe(100)
})
