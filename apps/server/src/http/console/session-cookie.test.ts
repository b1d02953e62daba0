import { expect, it } from 'bun:test'
import { clearedSessionCookie, readSessionCookie, sessionCookie } from './session-cookie.ts'

it('hides the session from scripts and from posts of other sites, and from plain http when https is used', () => {
  expect(sessionCookie('abc', 60, false)).toBe('session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax')
  expect(sessionCookie('abc', 60, true)).toEndWith('; Secure')
  expect(clearedSessionCookie(false)).toStartWith('session=; Path=/; Max-Age=0')
})

it.each([
  ['session=abc', 'abc'],
  ['theme=dark; session=abc; x=1', 'abc'],
  ['session=', undefined],
  ['my-session=abc', undefined],
  ['', undefined],
])('reads the session from %p', (cookie, expected) => {
  expect(readSessionCookie(new Headers({ cookie }))).toBe(expected as string)
})
