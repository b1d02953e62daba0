import type { Call, LoginData, SessionUser } from '@tollgate/api'
import {
  challengeLifetimeSeconds,
  type Login,
  type LoginContext,
  type OpenedSession,
} from '../../../users/auth/login-flow.ts'
import { sessionLifetimeSeconds } from '../../../users/auth/sessions.ts'
import type { CallContext } from '../route.ts'
import { browserCookie, clearedSessionCookies, readCookie, sessionCookies } from '../session-cookie.ts'
import { toSessionUser } from './user-wire.ts'

/** What every call knows of the browser that makes it. */
export type BrowserContext = Pick<
  CallContext<Call>,
  'sessionId' | 'clientAddress' | 'requestHeaders' | 'responseHeaders' | 'secure'
>

const challengeCookie = { name: 'login_challenge', path: '/api/user/login' } as const

export function loginContextOf({ sessionId, clientAddress, requestHeaders }: BrowserContext): LoginContext {
  const userAgent = requestHeaders.get('user-agent') ?? ''
  return { sessionId, device: { userAgent, address: clientAddress } }
}

/** Hands the session to the browser. */
export function startBrowserSession(
  { user, sessionId }: OpenedSession,
  context: BrowserContext,
): SessionUser {
  for (const cookie of sessionCookies(sessionId, sessionLifetimeSeconds, context))
    context.responseHeaders.append('set-cookie', cookie)
  return toSessionUser(user)
}

/** The same, or the challenge that has to come back with the code of the second factor. */
export function respondToLogin(login: Login, context: BrowserContext): LoginData {
  if (login.user !== undefined) return startBrowserSession(login, context)
  const { secure, responseHeaders } = context
  const cookie = {
    ...challengeCookie,
    value: login.challenge,
    maxAgeSeconds: challengeLifetimeSeconds,
    secure,
  }
  responseHeaders.append('set-cookie', browserCookie(cookie))
  return { require_2fa: true }
}

export function readChallenge(context: BrowserContext): string | undefined {
  return readCookie(context, challengeCookie.name)
}

/** Takes the session back from the browser. */
export function clearSession({ responseHeaders }: Pick<BrowserContext, 'responseHeaders'>): void {
  for (const cookie of clearedSessionCookies()) responseHeaders.append('set-cookie', cookie)
}

export function clearChallenge({ secure, responseHeaders }: BrowserContext): void {
  responseHeaders.append(
    'set-cookie',
    browserCookie({ ...challengeCookie, value: '', maxAgeSeconds: 0, secure }),
  )
}
