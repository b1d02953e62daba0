import type { AnswerKind, Call } from '@tollgate/api'
import type { HonoRequest } from 'hono'
import { Refusal } from '../../lib/refusal.ts'
import type { OwnerNotices } from '../../users/owner-notices.ts'
import { isForeign } from './foreign-origin.ts'
import type { Guard, Identity } from './guard.ts'
import { countForged, identifyWithinLimits, take } from './identify.ts'
import type { RateLimits } from './rate-limits.ts'
import { readArguments } from './read-arguments.ts'
import { readBytes } from './read-body.ts'
import { opensAccounts, refuseWithoutProof } from './recent-proof.ts'
import type { Answers, CallContext, Caller, ConsoleRoute, KeyCaller } from './route.ts'
import type { Visit } from './visit.ts'

export interface ServeDependencies {
  readonly guard: Guard
  readonly limits: RateLimits
  readonly notices: OwnerNotices
  readonly nowSeconds: () => number
}

/** Everything around a handler, in order: who is it, how often, may they, with what; then the handler. */
export async function serveCall(
  deps: ServeDependencies,
  route: ConsoleRoute,
  visit: Visit,
  request: HonoRequest,
): Promise<Answers<Call>[AnswerKind]> {
  const { call, handle } = route
  const { critical } = deps.limits
  const identity = await identifyWithinLimits(deps, visit, call.access)
  if (call.critical) take(critical, visit.countedFor, visit)
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
  const answer = await handle(args as never, contextOf(visit, caller, countSuccess) as never)
  tellOwner?.()
  if (call.critical && !countsSuccess) critical.giveBack(visit.countedFor)
  return answer
}

function callerOf(
  guard: Guard,
  { access, sessionOnly, cookieAlone }: Call,
  identity: Identity,
  { request: { headers }, address }: Visit,
): Caller | undefined | Promise<KeyCaller> {
  switch (access) {
    case 'signature':
      return undefined
    case 'relay-key':
      return guard.admitKey(headers, address)
    default:
      return guard.admit({ access, sessionOnly, cookieAlone }, identity, headers)
  }
}

async function verifiedBody(
  { limits }: ServeDependencies,
  { call, verify }: ConsoleRoute,
  visit: Visit,
): Promise<Uint8Array> {
  const { request } = visit
  const body = await readBytes(call, request)
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const isRight = await verify?.({ method, target: pathname + search, headers, body })
  if (isRight !== true) {
    countForged(limits, visit)
    throw new Refusal('signature_invalid')
  }
  return body
}

function isPerson(caller: Caller | KeyCaller | undefined): caller is Caller {
  return caller !== undefined && caller.via !== 'relay-key'
}

/** Who is told of the call, and where, as things are before it. */
async function noticeOf(
  notices: OwnerNotices,
  call: Call,
  args: Parameters<typeof opensAccounts>[1],
  caller: Caller | KeyCaller | undefined,
  { language, address }: Visit,
): Promise<(() => void) | undefined> {
  const { ownerNotice } = call
  if (ownerNotice === undefined || !isPerson(caller) || !opensAccounts(call, args)) return undefined
  const owner = await notices.find(caller.userId)
  return () => notices.tell(owner, ownerNotice, { language, address })
}

/** Guarded calls need the user header, which another site cannot send; others that change something need this. */
function refuseForeign(call: Call, { request }: Visit): void {
  const changes = call.method !== 'GET' || call.changes === true
  const hasNoHeader = call.access === 'public' || call.cookieAlone === true
  if (hasNoHeader && changes && isForeign(request)) throw new Refusal('foreign_origin')
}

/** A browser that shows a page of plain http keeps no cookie that is for https: a log-in would lead nowhere, without a word. */
function refuseUnencrypted({ access, method }: Call, { request, secure }: Visit): void {
  if (access !== 'public' || method === 'GET' || !secure) return
  if (request.headers.get('origin')?.startsWith('http://')) throw new Refusal('https_required')
}

function contextOf(
  visit: Visit,
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
