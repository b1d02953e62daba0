import type { Access, Call, Envelope, Language } from '@tollgate/api'
import { type Context, Hono } from 'hono'
import { subscriberOf } from '../../lib/addresses.ts'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SlidingWindow } from '../../lib/sliding-window.ts'
import type { ClientAddresses, EdgeBindings } from '../client-address.ts'
import { consoleError, type ErrorAnswer, unknownPath } from '../error-response.ts'
import { pathOf } from '../request-path.ts'
import { dataSecurityHeaders } from '../security-headers.ts'
import { isForeign } from './foreign-origin.ts'
import type { Guard, Identity } from './guard.ts'
import { jsonResponse } from './json-response.ts'
import { languageOf } from './language.ts'
import type { RateLimits } from './rate-limits.ts'
import { readArguments } from './read-arguments.ts'
import type { CallContext, ConsoleRoute } from './route.ts'
import { readSessionCookie } from './session-cookie.ts'

interface Dependencies {
  readonly routes: readonly ConsoleRoute[]
  readonly guard: Guard
  readonly limits: RateLimits
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  /** False once a fault has made memory untrustworthy: every call is refused. */
  readonly admits: () => boolean
  readonly logger: Logger
}

/** One request on its way through the console's edge. */
interface Visit {
  readonly request: Request
  readonly requestId: string
  readonly language: Language
  readonly address: string
  readonly secure: boolean
  readonly sessionId: string | undefined
  readonly responseHeaders: Headers
}

type ConsoleContext = Context<{ Bindings: EdgeBindings }>

/**
 * The console's calls as one application: everything around a handler happens here, once, for all of them.
 * Throws when two routes serve the same call, because only one of them would ever run.
 */
export function createConsoleApp(deps: Dependencies): Hono<{ Bindings: EdgeBindings }> {
  const app = new Hono<{ Bindings: EdgeBindings }>()
  refuseServedTwice(deps.routes)
  for (const route of byPrecision(deps.routes)) {
    const serve = (c: ConsoleContext) =>
      answerVisit(deps, c, async (visit) => ({ status: 200, body: await serveCall(deps, route, visit, c) }))
    app.on(route.call.method, bothSpellings(route.call.path), serve)
  }
  const refuse = (c: ConsoleContext) =>
    answerVisit(deps, c, async (visit) => {
      await identifyWithinLimits(deps, visit, 'public')
      return unknownPath(c.req.method, c.req.path)
    })
  app.all('/api/*', refuse)
  app.notFound(refuse)
  return app
}

function refuseServedTwice(routes: readonly ConsoleRoute[]): void {
  const seen = new Set<Call>()
  for (const { call } of routes) {
    if (seen.has(call)) throw new Error(`${call.method} ${call.path} is served twice`)
    seen.add(call)
  }
}

/** `/api/user/self` must be tried before `/api/user/:id`. */
function byPrecision(routes: readonly ConsoleRoute[]): ConsoleRoute[] {
  const variables = ({ call }: ConsoleRoute) => call.path.split('/:').length
  return routes.toSorted((a, b) => variables(a) - variables(b))
}

/** Consoles call some paths with a slash at their end and some without; a redirect would break POST and DELETE. */
function bothSpellings(path: string): string[] {
  return path.endsWith('/') ? [path, path.slice(0, -1)] : [path, `${path}/`]
}

function visitOf({ addresses, nextRequestId }: Dependencies, c: ConsoleContext): Visit {
  const request = c.req.raw
  // In process (tests, tools) there is no server behind the request, and Hono passes no bindings at all.
  const sender = (c.env as EdgeBindings | undefined)?.sender
  const requestId = nextRequestId()
  return {
    request,
    requestId,
    language: languageOf(request.headers),
    address: addresses.of(sender),
    secure: addresses.isSecure(sender),
    sessionId: readSessionCookie(request.headers),
    responseHeaders: new Headers({
      ...dataSecurityHeaders,
      'cache-control': 'no-store',
      'x-oneapi-request-id': requestId,
      'x-request-id': requestId,
    }),
  }
}

async function answerVisit(
  deps: Dependencies,
  c: ConsoleContext,
  work: (visit: Visit) => Promise<ErrorAnswer>,
): Promise<Response> {
  const visit = visitOf(deps, c)
  const { status, body } = await admitted(deps, visit, work).catch((error) => failed(deps, error, visit))
  return jsonResponse(visit.request, status, body, visit.responseHeaders)
}

async function admitted(
  { admits }: Dependencies,
  visit: Visit,
  work: (visit: Visit) => Promise<ErrorAnswer>,
): Promise<ErrorAnswer> {
  if (!admits()) throw new Refusal('server_stopping')
  return work(visit)
}

function failed({ logger }: Dependencies, error: unknown, visit: Visit): ErrorAnswer {
  const { requestId, request, language } = visit
  const about = { err: error, requestId, method: request.method, path: pathOf(request.url) }
  if (!(error instanceof Refusal)) logger.error(about, 'a console call failed')
  else if (error.cause !== undefined) logger.warn(about, 'a console call was refused')
  return consoleError(error, language)
}

async function serveCall(
  deps: Dependencies,
  { call, handle }: ConsoleRoute,
  visit: Visit,
  c: ConsoleContext,
): Promise<Envelope> {
  const identity = await identifyWithinLimits(deps, visit, call.access)
  if (call.critical) take(deps.limits.critical, addressKey(visit), visit)
  const caller = deps.guard.admit(call, identity, visit.request.headers)
  // Guarded calls need the user header, which another site cannot send; public ones that change something need this.
  const changes = call.method !== 'GET' || call.changes === true
  if (call.access === 'public' && changes && isForeign(visit.request)) throw new Refusal('foreign_origin')
  const args = await readArguments(call, c.req)
  const { language, address, sessionId, secure, responseHeaders } = visit
  const context: CallContext<Call> = {
    caller,
    language,
    clientAddress: address,
    sessionId,
    secure,
    responseHeaders,
  } as CallContext<Call>
  const { data, extra } = await handle(args as never, context as never)
  if (call.critical) deps.limits.critical.giveBack(addressKey(visit))
  return { ...(extra as object | undefined), success: true, message: '', data }
}

/**
 * Counts the request: a person by their id, wherever they sit; a stranger by their address. An address that has
 * used up its share is refused before the database is asked who it is.
 */
async function identifyWithinLimits(deps: Dependencies, visit: Visit, access: Access): Promise<Identity> {
  const { guard } = deps
  const limit = deps.limits.global
  const address = addressKey(visit)
  if (limit?.isSpent(address) && !guard.isHeld(visit.sessionId)) refuseTooMany(limit, address, visit)
  const identity = await identify(guard, visit, access)
  if (limit !== undefined) take(limit, identity.kind === 'user' ? `user ${identity.user.id}` : address, visit)
  return identity
}

/** Public calls are answered to nobody in particular while the database cannot say who it is. */
async function identify(guard: Guard, { request, sessionId }: Visit, access: Access): Promise<Identity> {
  try {
    return await guard.identify(request.headers, sessionId)
  } catch (error) {
    if (access === 'public') return { kind: 'nobody' }
    throw error
  }
}

function addressKey({ address }: Visit): string {
  return `address ${subscriberOf(address)}`
}

function take(window: SlidingWindow, key: string, visit: Visit): void {
  if (!window.take(key)) refuseTooMany(window, key, visit)
}

function refuseTooMany(window: SlidingWindow, key: string, { responseHeaders }: Visit): never {
  responseHeaders.set('retry-after', String(window.retryAfterSeconds(key)))
  throw new Refusal('too_many_requests')
}
