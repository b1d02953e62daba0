import type { Call, LoginData, SecurityEventKind, SessionUser } from '@tollgate/api'
import {
  flowLifetimeSeconds,
  type StartedFlow,
} from '../../../accounts/users/login/identity-providers/flows.ts'
import {
  challengeLifetimeSeconds,
  type Login,
  type LoginContext,
  type OpenedSession,
} from '../../../accounts/users/login/login-flow.ts'
import type { ClientInfo } from '../../../accounts/users/login/security-alerts.ts'
import type { SecurityOccurrence } from '../../../accounts/users/login/security-events.ts'
import type { Device } from '../../../accounts/users/login/sessions.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { RequestOrigin } from '../../../lib/site-address.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { Caller } from '../../callers/caller.ts'
import {
  browserCookie,
  clearedSessionCookies,
  readCookie,
  sessionCookies,
} from '../../callers/session-cookie.ts'
import type { CallContext } from '../route.ts'
import { toSessionUser } from './user-wire.ts'

/** Facts that every call has about the browser that makes it. */
export type BrowserContext = Pick<
  CallContext<Call>,
  'sessionId' | 'clientAddress' | 'requestHeaders' | 'responseHeaders' | 'rememberBrowser' | 'secure'
>

const challengeCookie = { name: 'login_challenge', path: '/api/user/login' } as const

export function loginContextOf(context: BrowserContext): LoginContext {
  return { sessionId: context.sessionId, device: deviceOf(context) }
}

/** Returns the device by which the owner of an account recognizes the caller. */
function deviceOf({
  clientAddress,
  requestHeaders,
}: Pick<BrowserContext, 'clientAddress' | 'requestHeaders'>): Device {
  return { userAgent: requestHeaders.get('user-agent') ?? '', address: clientAddress }
}

/** Returns the facts of a client for notices to the owner of an account. */
export function clientInfoOf(
  context: Pick<CallContext<Call>, 'language' | 'clientAddress' | 'requestHeaders'> & {
    readonly actor?: Actor | undefined
  },
): ClientInfo {
  const { language, actor } = context
  return { language, ...deviceOf(context), ...(actor && { changedBy: actor.username }) }
}

/** Something that a user did to their own account. */
export function occurrenceOf(
  kind: SecurityEventKind,
  { caller, ...context }: BrowserContext & { readonly caller: Caller },
): SecurityOccurrence {
  const user = { id: caller.userId, username: caller.username }
  return { user, kind, device: deviceOf(context) }
}

/** Hands the session to the browser. */
export function startBrowserSession(
  { user, sessionId, maxAgeSeconds }: OpenedSession,
  context: BrowserContext,
): SessionUser {
  for (const cookie of sessionCookies(sessionId, maxAgeSeconds, context))
    context.responseHeaders.append('set-cookie', cookie)
  context.rememberBrowser(user.id)
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

/** Each flow has a cookie of its own, so that two tabs do not end each other's. */
const flowCookie = (state: string) => ({ name: `oauth_${state.slice(0, 16)}`, path: '/api/oauth' }) as const

/** Stores the flow's secret in a cookie of the browser. */
export function setFlowCookie(
  { state, browserSecret }: StartedFlow,
  { secure, responseHeaders }: Pick<BrowserContext, 'secure' | 'responseHeaders'>,
): void {
  const cookie = { ...flowCookie(state), value: browserSecret, maxAgeSeconds: flowLifetimeSeconds, secure }
  responseHeaders.append('set-cookie', browserCookie(cookie))
}

/** Reads the flow's secret from the browser's cookie, and clears the cookie. */
export function takeFlowCookie(state: string | undefined, context: BrowserContext): string | undefined {
  if (state === undefined || !/^\w{16,}$/.test(state)) return undefined
  const cookie = flowCookie(state)
  const { responseHeaders, secure } = context
  responseHeaders.append('set-cookie', browserCookie({ ...cookie, value: '', maxAgeSeconds: 0, secure }))
  return readCookie(context, cookie.name)
}

/** Returns the origin at which the browser that sent a request reached us. */
export function requestOrigin({
  requestHeaders,
  secure,
}: Pick<BrowserContext, 'requestHeaders' | 'secure'>): RequestOrigin {
  const host = requestHeaders.get('host') ?? ''
  if (!URL.canParse(`http://${host}`)) throw new Refusal('invalid_parameter', { detail: 'Host' })
  return { host, secure }
}
