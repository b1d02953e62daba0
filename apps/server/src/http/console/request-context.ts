import type { Language } from '@tollgate/api'
import type { Context } from 'hono'
import { languageOf } from '../../lib/language.ts'
import { readDeviceCookies, readSessionCookie } from '../callers/session-cookie.ts'
import type { ClientAddresses, EdgeBindings, LimitSubject } from '../client-address.ts'
import { dataSecurityHeaders } from '../security-headers.ts'

/** One request on its way through the console's edge. */
export interface RequestContext {
  readonly request: Request
  readonly requestId: string
  readonly language: Language
  readonly address: string
  readonly limitSubject: LimitSubject
  readonly secure: boolean
  readonly isLocal: boolean
  readonly sessionId: string | undefined
  /** Tokens by which a browser proves log-ins of the past, unchecked. */
  readonly deviceTokens: readonly string[]
  readonly responseHeaders: Headers
}

export type ConsoleContext = Context<{ Bindings: EdgeBindings }>

export interface RequestContextDependencies {
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
}

export function requestContextOf(
  { addresses, nextRequestId }: RequestContextDependencies,
  c: ConsoleContext,
): RequestContext {
  const request = c.req.raw
  // In process (tests, tools) there is no server behind the request, and Hono passes no bindings at all.
  const sender = (c.env as EdgeBindings | undefined)?.sender
  const requestId = nextRequestId()
  const secure = addresses.isSecure(sender)
  return {
    request,
    requestId,
    language: languageOf(request.headers),
    address: addresses.of(sender),
    limitSubject: addresses.limitSubject(sender),
    secure,
    isLocal: addresses.isLocal(sender),
    sessionId: readSessionCookie(request.headers, secure),
    deviceTokens: readDeviceCookies(request.headers, secure),
    responseHeaders: new Headers({
      ...dataSecurityHeaders,
      'cache-control': 'no-store',
      'x-oneapi-request-id': requestId,
      'x-request-id': requestId,
    }),
  }
}
