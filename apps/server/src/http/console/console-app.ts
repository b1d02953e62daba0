import type { Call } from '@tollgate/api'
import { Hono } from 'hono'
import type { Logger } from '../../lib/logger.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { EdgeBindings } from '../client-address.ts'
import { consoleError, unknownPath } from '../error-response.ts'
import { pathOf } from '../request-path.ts'
import { allowAnyOrigin, preflightResponse } from './cors.ts'
import { identifyWithinLimits } from './identify.ts'
import {
  type ConsoleContext,
  type RequestContext,
  type RequestContextDependencies,
  requestContextOf,
} from './request-context.ts'
import type { ConsoleRoute } from './route.ts'
import { type ServeDependencies, serveCall } from './serve-call.ts'
import { jsonResponse } from './text-response.ts'
import { errorResponse, resultResponse } from './write-response.ts'

interface Dependencies extends ServeDependencies, RequestContextDependencies {
  readonly routes: readonly ConsoleRoute[]
  /** False once a fault has made memory untrustworthy: every call is refused. */
  readonly admits: () => boolean
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
  const visit = requestContextOf(deps, c)
  // The key, not the origin, is what is trusted, as in relayed calls.
  if (call.access === 'relay-key') allowAnyOrigin(visit)
  const onBroken = (error: unknown) => deps.logger.error(about(error, visit), 'a streamed answer broke off')
  try {
    if (!deps.admits()) throw new Refusal('server_stopping')
    const response = await serveCall(deps, route, visit, c.req)
    return resultResponse(call, response, { visit, onBroken })
  } catch (error) {
    logFailure(deps, error, visit)
    return errorResponse(call, error, visit)
  }
}

async function respondToUnknownPath(deps: Dependencies, c: ConsoleContext): Promise<Response> {
  const visit = requestContextOf(deps, c)
  const { status, body } = await identifyWithinLimits(deps, visit, 'public').then(
    () => unknownPath(c.req.method, c.req.path),
    (error) => {
      logFailure(deps, error, visit)
      return consoleError(error, visit.language)
    },
  )
  return jsonResponse(visit.request, status, body, visit.responseHeaders)
}

function logFailure({ logger }: Dependencies, error: unknown, visit: RequestContext): void {
  if (!(error instanceof Refusal)) logger.error(about(error, visit), 'a console call failed')
  else if (error.cause !== undefined) logger.warn(about(error, visit), 'a console call was refused')
}

function about(err: unknown, { requestId, request }: RequestContext) {
  return { err, requestId, method: request.method, path: pathOf(request.url) }
}
