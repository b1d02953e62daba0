import type { HeaderFields } from '@tollgate/http/server'

/** Name of the session cookie; it is set for the whole site and lives as long as a session. */
const sessionCookieName = 'session'

/** Set-Cookie value that hands a session to the browser. Scripts cannot read it; other sites cannot post with it. */
export function sessionCookie(sessionId: string, maxAgeSeconds: number, secure: boolean): string {
  const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${sessionCookieName}=${sessionId}; ${flags}`
}

/** Set-Cookie value that takes the session back. */
export function clearedSessionCookie(secure: boolean): string {
  return sessionCookie('', 0, secure)
}

/** The session id a request carries; `undefined` when it carries none. */
export function readSessionCookie(headers: HeaderFields): string | undefined {
  const cookies = headers.get('cookie')
  if (cookies === null) return undefined
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === sessionCookieName && value !== undefined && value !== '') return value
  }
  return undefined
}
