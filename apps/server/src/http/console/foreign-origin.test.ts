import { describe, expect, it } from 'bun:test'
import { isForeign } from './foreign-origin.ts'

function foreign(headers: Record<string, string>): boolean {
  return isForeign({ headers: new Headers({ host: 'gate.test:3000', ...headers }) })
}

describe('a call started by another site', () => {
  it('is told by the browser', () => {
    expect(foreign({ 'sec-fetch-site': 'cross-site' })).toBe(true)
    expect(foreign({ 'sec-fetch-site': 'same-site' })).toBe(true)
    expect(foreign({ 'sec-fetch-site': 'same-origin', origin: 'https://elsewhere.test' })).toBe(false)
    expect(foreign({ 'sec-fetch-site': 'none' })).toBe(false)
  })

  it('is told by its origin where browsers do not say', () => {
    expect(foreign({ origin: 'http://gate.test:3000' })).toBe(false)
    expect(foreign({ origin: 'http://evil.test' })).toBe(true)
    expect(foreign({ origin: 'http://gate.test:4000' })).toBe(true)
    expect(foreign({ origin: 'null' })).toBe(true)
  })

  it('is not one that came through a proxy with another name', () => {
    expect(
      foreign({ origin: 'https://gate.example', host: '127.0.0.1:3000', 'x-forwarded-host': 'gate.example' }),
    ).toBe(false)
    expect(foreign({ origin: 'https://gate.example', host: 'gate.example' })).toBe(false)
  })

  it('is not a program, which sends no origin', () => {
    expect(foreign({})).toBe(false)
  })
})
