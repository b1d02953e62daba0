import type { HeaderFields } from '@tollgate/http/server'

/** Name of the session cookie; it is set for the whole site and lives as long as a session. */
const sessionCookieName = 'session'

export interface CookieFields {
  readonly name: string
  /** Of characters that need no quoting. */
  readonly value: string
  readonly path: `/${string}`
  readonly maxAgeSeconds: number
  /** Whether the browser reached us over https. */
  readonly secure: boolean
}

/** Set-Cookie value. Scripts cannot read it; other sites cannot post with it. */
export function browserCookie({ name, value, path, maxAgeSeconds, secure }: CookieFields): string {
  const flags = `Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${name}=${value}; ${flags}`
}

/** Set-Cookie value that hands a session to the browser. */
export function sessionCookie(sessionId: string, maxAgeSeconds: number, secure: boolean): string {
  return browserCookie({ name: sessionCookieName, value: sessionId, path: '/', maxAgeSeconds, secure })
}

/** Set-Cookie value that takes the session back. */
export function clearedSessionCookie(secure: boolean): string {
  return sessionCookie('', 0, secure)
}

/** The session id a request carries; `undefined` when it carries none. */
export function readSessionCookie(headers: HeaderFields): string | undefined {
  return readCookie(headers, sessionCookieName)
}

/** Value of a cookie that a request carries; `undefined` when it carries none, or an empty one. */
export function readCookie(headers: HeaderFields, wanted: string): string | undefined {
  const cookies = headers.get('cookie')
  if (cookies === null) return undefined
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value !== undefined && value !== '') return value
  }
  return undefined
}
