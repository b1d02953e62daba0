import type { HeaderFields } from '@tollgate/http/server'
import { knownDeviceSeconds } from '../../accounts/users/login/guesses/known-devices.ts'
import type { Sender } from '../client-address.ts'

/** Name of the session cookie; it is set for the whole site and lives as long as a session. */
const sessionCookieName = 'session'

/**
 * Browsers take a cookie of such a name only from the host itself and over https, for the whole host (RFC 6265bis §4.1.3): no
 * neighbouring subdomain can plant one.
 */
const hostPrefix = '__Host-'

export interface CookieFields {
  /** Over https it is set as `__Host-<name>`. */
  readonly name: string
  /** Value of characters that need no quoting. */
  readonly value: string
  /** Path to which it is sent; over https the whole site, as its name demands. */
  readonly path: `/${string}`
  readonly maxAgeSeconds: number
  /** Set for a browser that reached us over https. */
  readonly secure: boolean
}

/** Set-Cookie value. Scripts cannot read it; other sites cannot post with it. */
export function browserCookie({ name, value, path, maxAgeSeconds, secure }: CookieFields): string {
  const named = secure ? `${hostPrefix}${name}=${value}; Path=/` : `${name}=${value}; Path=${path}`
  return `${named}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** Connection of a browser and the cookies that it sends. */
export interface CookieJar {
  readonly requestHeaders: HeaderFields
  readonly secure: boolean
}

/** Set-Cookie values that hand a session to the browser, and take back one that it has by the other name. */
export function sessionCookies(
  sessionId: string,
  maxAgeSeconds: number,
  { requestHeaders, secure }: CookieJar,
): readonly string[] {
  const session = { name: sessionCookieName, path: '/' } as const
  const other = secure ? sessionCookieName : hostPrefix + sessionCookieName
  const isLeft = namedCookie(requestHeaders, other) !== undefined
  return [
    browserCookie({ ...session, value: sessionId, maxAgeSeconds, secure }),
    ...(isLeft ? [clearedSessionCookie(!secure)] : []),
  ]
}

/** Set-Cookie values that take the session back, by both of its names. */
export function clearedSessionCookies(): readonly string[] {
  return [clearedSessionCookie(false), clearedSessionCookie(true)]
}

function clearedSessionCookie(secure: boolean): string {
  return browserCookie({ name: sessionCookieName, path: '/', value: '', maxAgeSeconds: 0, secure })
}

/** The session id a request carries; `undefined` when it carries none. */
export function readSessionCookie(headers: HeaderFields, secure: boolean): string | undefined {
  return readCookie({ requestHeaders: headers, secure }, sessionCookieName)
}

/**
 * Value of a cookie that a request carries; `undefined` when it carries none, or an empty one. Over https the bare name is not
 * read: the owner of a neighbouring subdomain can set it, and would log others into their own account.
 */
export function readCookie({ requestHeaders, secure }: CookieJar, name: string): string | undefined {
  const own = namedCookie(requestHeaders, hostPrefix + name)
  return secure ? own : (own ?? namedCookie(requestHeaders, name))
}

const deviceCookieName = (userId: number) => `device_${userId}`
/** Each costs a check of its signature. */
const maxDeviceCookies = 8

/** Set-Cookie value by which the browser is known from now on as one of the user's. It opens nothing. */
export function deviceCookie(userId: number, value: string, secure: boolean): string {
  const name = deviceCookieName(userId)
  return browserCookie({ name, value, path: '/', maxAgeSeconds: knownDeviceSeconds, secure })
}

/** Values of the device cookies that a request carries. */
export function readDeviceCookies(headers: HeaderFields, secure: boolean): readonly string[] {
  const form = secure
    ? /(?:^|;\s*)__Host-device_\d+=([^;\s]+)/g
    : /(?:^|;\s*)(?:__Host-)?device_\d+=([^;\s]+)/g
  const found = [...(headers.get('cookie') ?? '').matchAll(form)].map(([, value = '']) => value)
  return found.slice(0, maxDeviceCookies)
}

function namedCookie(headers: HeaderFields, wanted: string): string | undefined {
  const cookies = headers.get('cookie')
  if (cookies === null) return undefined
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value !== undefined && value !== '') return value
  }
  return undefined
}

/**
 * Recognises a request that another site made the browser send. Browsers say so in `Sec-Fetch-Site`; where they do not (plain http),
 * the Origin's host must be the one we were asked for, directly or before a proxy. Programs send neither.
 */
export function isForeign(request: Pick<Sender, 'headers'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = request.headers.get('origin')
  return origin !== null && !ownHosts(request).includes(hostOf(origin))
}

function ownHosts(request: Pick<Sender, 'headers'>): string[] {
  const forwarded = request.headers.get('x-forwarded-host')?.split(',')[0]?.trim()
  const requested = request.headers.get('host') ?? ''
  return forwarded === undefined ? [requested] : [requested, forwarded]
}

/** Returns the host of an origin; the opaque origin `null` stays what it is: no host of ours has that name. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : 'null'
}
