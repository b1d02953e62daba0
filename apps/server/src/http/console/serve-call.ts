import type { Call, ResponseKind } from '@tollgate/api'
import type { HonoRequest } from 'hono'
import { Refusal } from '../../lib/refusal.ts'
import type { SecurityAlerts } from '../../users/auth/security-alerts.ts'
import { isForeign } from './foreign-origin.ts'
import type { Guard, Identity } from './guard.ts'
import { countInvalidSignature, identifyWithinLimits, take } from './identify.ts'
import type { RateLimits } from './rate-limits.ts'
import { readArguments } from './read-arguments.ts'
import { readBytes } from './read-body.ts'
import { opensAccounts, refuseWithoutProof } from './recent-proof.ts'
import type { RequestContext } from './request-context.ts'
import type { CallContext, Caller, ConsoleRoute, HandlerResults, KeyCaller } from './route.ts'

export interface ServeDependencies {
  readonly guard: Guard
  readonly limits: RateLimits
  readonly notices: SecurityAlerts
  readonly nowSeconds: () => number
}

/** Everything around a handler, in order: who is it, how often, may they, with what; then the handler. */
export async function serveCall(
  deps: ServeDependencies,
  route: ConsoleRoute,
  visit: RequestContext,
  request: HonoRequest,
): Promise<HandlerResults<Call>[ResponseKind]> {
  const { call, handle } = route
  const { critical } = deps.limits
  const identity = await identifyWithinLimits(deps, visit, call.access)
  if (call.critical) take(critical, visit.limitSubject, visit)
  // A signature is over the body, so that is read before anybody is let in.
  const signed = call.access === 'signature' ? await verifiedBody(deps, route, visit) : undefined
  const caller = await callerOf(deps.guard, call, identity, visit)
  refuseForeign(call, visit)
  refuseUnencrypted(call, visit)
  const args = await readArguments(call, request, signed)
  if (isPerson(caller)) refuseWithoutProof(call, args, caller, deps.nowSeconds())
  const tellOwner = await noticeOf(deps.notices, call, args, caller, visit)
  let countsSuccess = call.countsSuccess === true
  const countSuccess = () => {
    countsSuccess = true
  }
  const response = await handle(args as never, contextOf(visit, caller, countSuccess) as never)
  tellOwner?.()
  if (call.critical && !countsSuccess) critical.giveBack(visit.limitSubject)
  return response
}

function callerOf(
  guard: Guard,
  { access, sessionOnly, cookieOnly }: Call,
  identity: Identity,
  { request: { headers }, address }: RequestContext,
): Caller | undefined | Promise<KeyCaller> {
  switch (access) {
    case 'signature':
      return undefined
    case 'relay-key':
      return guard.admitKey(headers, address)
    default:
      return guard.admit({ access, sessionOnly, cookieOnly }, identity, headers)
  }
}

async function verifiedBody(
  { limits }: ServeDependencies,
  { call, verify }: ConsoleRoute,
  visit: RequestContext,
): Promise<Uint8Array> {
  const { request } = visit
  const body = await readBytes(call, request)
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const isRight = await verify?.({ method, target: pathname + search, headers, body })
  if (isRight !== true) {
    countInvalidSignature(limits, visit)
    throw new Refusal('signature_invalid')
  }
  return body
}

function isPerson(caller: Caller | KeyCaller | undefined): caller is Caller {
  return caller !== undefined && caller.via !== 'relay-key'
}

/** Who is told of the call, and where, as things are before it. */
async function noticeOf(
  notices: SecurityAlerts,
  call: Call,
  args: Parameters<typeof opensAccounts>[1],
  caller: Caller | KeyCaller | undefined,
  { language, address }: RequestContext,
): Promise<(() => void) | undefined> {
  const { securityAlert } = call
  if (securityAlert === undefined || !isPerson(caller) || !opensAccounts(call, args)) return undefined
  const owner = await notices.find(caller.userId)
  return () => notices.tell(owner, securityAlert, { language, address })
}

/** Guarded calls need the user header, which another site cannot send; others that change something need this. */
function refuseForeign(call: Call, { request }: RequestContext): void {
  const changes = call.method !== 'GET' || call.changes === true
  const hasNoHeader = call.access === 'public' || call.cookieOnly === true
  if (hasNoHeader && changes && isForeign(request)) throw new Refusal('foreign_origin')
}

/** A browser that shows a page of plain http keeps no cookie that is for https: a log-in would lead nowhere, without a word. */
function refuseUnencrypted({ access, method }: Call, { request, secure }: RequestContext): void {
  if (access !== 'public' || method === 'GET' || !secure) return
  if (request.headers.get('origin')?.startsWith('http://')) throw new Refusal('https_required')
}

function contextOf(
  visit: RequestContext,
  caller: Caller | KeyCaller | undefined,
  countSuccess: () => void,
): CallContext<Call> {
  const { language, address, sessionId, secure, isLocal, responseHeaders } = visit
  return {
    caller,
    actor: caller && { ...caller, address },
    language,
    clientAddress: address,
    requestHeaders: visit.request.headers,
    sessionId,
    secure,
    isLocal,
    responseHeaders,
    countSuccess,
  } as CallContext<Call>
}
