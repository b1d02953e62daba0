import type { Call } from '@tollgate/api'
import { Hono } from 'hono'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EdgeBindings } from '../client-address.ts'
import { preflightHeaders, readableHeaders } from '../cross-origin.ts'
import { consoleError, unknownPath } from '../error-response.ts'
import { pathOf } from '../request-path.ts'
import {
  type ConsoleContext,
  type RequestContext,
  type RequestContextDependencies,
  requestContextOf,
} from './request-context.ts'
import type { ConsoleRoute } from './route.ts'
import { identifyWithinLimits, type ServeDependencies, serveCall } from './serve-call.ts'
import { errorResponse, jsonResponse, resultResponse } from './write-response.ts'

interface Dependencies extends ServeDependencies, RequestContextDependencies {
  readonly routes: readonly ConsoleRoute[]
  /** False once a fault has made memory untrustworthy: every call is refused. */
  readonly node: { readonly isOpen: boolean }
  readonly logger: Logger
}

/**
 * The console's calls as one application: everything around a handler happens here, once, for all of them.
 * Throws when two routes serve the same call, because only one of them would ever run, and when a call that a signature
 * opens has nothing to verify it.
 */
export function createConsoleApp(deps: Dependencies): Hono<{ Bindings: EdgeBindings }> {
  const app = new Hono<{ Bindings: EdgeBindings }>()
  refuseUnservable(deps.routes)
  for (const route of byPrecision(deps.routes)) {
    const paths = bothSpellings(route.call.path)
    app.on(route.call.method, paths, (c) => respondToCall(deps, route, c))
    if (route.call.access === 'relay-key') app.on('OPTIONS', paths, (c) => preflightResponse(c.req.raw))
  }
  const refuse = (c: ConsoleContext) => respondToUnknownPath(deps, c)
  app.all('/api/*', refuse)
  app.notFound(refuse)
  return app
}

function refuseUnservable(routes: readonly ConsoleRoute[]): void {
  const seen = new Set<Call>()
  for (const { call, verify } of routes) {
    if (seen.has(call)) throw new Error(`${call.method} ${call.path} is served twice`)
    if ((call.access === 'signature') !== (verify !== undefined))
      throw new Error(`${call.method} ${call.path} needs a verifier if, and only if, a signature opens it`)
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

async function respondToCall(deps: Dependencies, route: ConsoleRoute, c: ConsoleContext): Promise<Response> {
  const { call } = route
  const context = requestContextOf(deps, c)
  // The key, not the origin, is what is trusted, as in relayed calls.
  if (call.access === 'relay-key') allowAnyOrigin(context)
  const onBroken = (error: unknown) =>
    deps.logger.error(
      about(error, context),
      'this streamed console response broke off: the browser is gone, or err says why',
    )
  try {
    if (!deps.node.isOpen) throw new Refusal('server_stopping')
    const { result, message } = await serveCall(deps, route, context, c.req)
    return await resultResponse(result, { call, context, message, onBroken })
  } catch (error) {
    logFailure(deps, error, context)
    return errorResponse(call, error, context)
  }
}

async function respondToUnknownPath(deps: Dependencies, c: ConsoleContext): Promise<Response> {
  const context = requestContextOf(deps, c)
  const { status, body } = await identifyWithinLimits(deps, context, 'public').then(
    () => unknownPath(c.req.method, c.req.path),
    (error) => {
      logFailure(deps, error, context)
      return consoleError(error, context.language)
    },
  )
  return jsonResponse(context.request, status, body, context.responseHeaders)
}

function logFailure({ logger }: Dependencies, error: unknown, context: RequestContext): void {
  if (!(error instanceof Refusal))
    logger.error(
      about(error, context),
      'this console call failed by a fault of Tollgate: report it with this entry',
    )
  else if (error.cause !== undefined)
    logger.warn(about(error, context), 'this console call was refused for the cause in err')
}

function about(err: unknown, { requestId, request }: RequestContext) {
  return { err, requestId, method: request.method, path: pathOf(request.url) }
}

/** Lets a browser program of any site read the response of a call with a relay key, as for relayed calls. */
function allowAnyOrigin({ request, responseHeaders }: RequestContext): void {
  if (request.headers.get('origin') === null) return
  for (const [name, value] of Object.entries(readableHeaders)) responseHeaders.set(name, value)
}

function preflightResponse(request: Request): Response {
  const requested = request.headers.get('access-control-request-headers') ?? '*'
  const headers = { ...preflightHeaders, ...readableHeaders, 'access-control-allow-headers': requested }
  return new Response(null, { status: 204, headers })
}
