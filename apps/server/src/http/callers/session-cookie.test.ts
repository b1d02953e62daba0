import { describe, expect, it } from 'bun:test'
import {
  browserCookie,
  clearedSessionCookies,
  isForeign,
  readSessionCookie,
  sessionCookies,
} from './session-cookie.ts'

const jar = (secure: boolean, cookie = '') => ({ requestHeaders: new Headers({ cookie }), secure })

describe('session cookie', () => {
  it('is hidden from scripts and from posts of other sites', () => {
    expect(sessionCookies('abc', 60, jar(false))).toEqual([
      'session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
    ])
  })

  it('is the host’s own over https, and never sent without', () => {
    expect(sessionCookies('abc', 60, jar(true))).toEqual([
      '__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    ])
  })

  it('replaces one of the other name', () => {
    expect(sessionCookies('abc', 60, jar(true, 'session=old'))[1]).toStartWith('session=; Path=/; Max-Age=0')
    expect(sessionCookies('abc', 60, jar(false, '__Host-session=old'))[1]).toEndWith(
      'Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    )
  })

  it('is taken back by both names', () => {
    const [bare, own] = clearedSessionCookies()
    expect(bare).toBe('session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect(own).toBe('__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure')
  })

  it.each([
    ['session=abc', 'abc', undefined],
    ['theme=dark; session=abc; x=1', 'abc', undefined],
    ['__Host-session=abc', 'abc', 'abc'],
    // The owner of a neighbouring subdomain can plant the first.
    ['session=planted; __Host-session=abc', 'abc', 'abc'],
    ['session=', undefined, undefined],
    ['my-session=abc', undefined, undefined],
    ['', undefined, undefined],
  ])('is read from %p', (cookie, overHttp, overHttps) => {
    const headers = new Headers({ cookie })
    expect([readSessionCookie(headers, false), readSessionCookie(headers, true)]).toEqual([
      overHttp,
      overHttps,
    ])
  })
})

it('sends cookies of a path to the whole site where their names demand it', () => {
  const cookie = { name: 'flow', value: 'abc', path: '/api/oauth', maxAgeSeconds: 60 } as const
  expect(browserCookie({ ...cookie, secure: false })).toStartWith('flow=abc; Path=/api/oauth;')
  expect(browserCookie({ ...cookie, secure: true })).toStartWith('__Host-flow=abc; Path=/;')
})

function foreign(headers: Record<string, string>): boolean {
  return isForeign({ headers: new Headers({ host: 'gate.test:3000', ...headers }) })
}

describe('a call started by another site', () => {
  it('is recognised by what the browser says', () => {
    expect(foreign({ 'sec-fetch-site': 'cross-site' })).toBe(true)
    expect(foreign({ 'sec-fetch-site': 'same-site' })).toBe(true)
    expect(foreign({ 'sec-fetch-site': 'same-origin', origin: 'https://elsewhere.test' })).toBe(false)
    expect(foreign({ 'sec-fetch-site': 'none' })).toBe(false)
  })

  it('is recognised by its origin where the browser does not say', () => {
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
