import { type Access, acts, type Call, type ResponseKind, withoutSecrets } from '@tollgate/api'
import type { HonoRequest } from 'hono'
import type { KnownDevices } from '../../accounts/users/login/guesses/known-devices.ts'
import { asVisitor, type Visitor } from '../../accounts/users/login/guesses/visitor.ts'
import type { SecurityAlerts } from '../../accounts/users/login/security-alerts.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SlidingWindow } from '../../lib/sliding-window.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { Caller, KeyCaller } from '../callers/caller.ts'
import type { Guard, Identity } from '../callers/guard.ts'
import { opensAccounts, refuseWithoutProof, requireProof } from '../callers/guard.ts'
import { deviceCookie, isForeign } from '../callers/session-cookie.ts'
import type { LimitSubject } from '../client-address.ts'
import type { Ignored, IgnoredReports } from './ignored/ignored-reports.ts'
import type { CriticalLimit } from './limits/critical-limit.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { listFormOf } from './list-form.ts'
import { readArguments, readBytes } from './read-arguments.ts'
import type { RequestContext } from './request-context.ts'
import type { CallContext, ConsoleRoute, Exported } from './route.ts'
import { successMessage } from './write-response.ts'

export interface ServeDependencies {
  readonly guard: Guard
  readonly limits: Pick<RateLimits, 'byUser' | 'byAddress'>
  readonly critical: CriticalLimit
  readonly alerts: SecurityAlerts
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly devices: KnownDevices
  readonly nowSeconds: () => number
  /** Tells the caller, and the log, of what a call does not read. */
  readonly ignored: IgnoredReports
}

/** Result of a handler, and the message that it set. */
export interface Served {
  readonly result: unknown
  readonly message: string
}

/** Serves a call: identifies and counts the caller, checks access, reads the arguments, runs the handler. */
export async function serveCall(
  deps: ServeDependencies,
  route: ConsoleRoute,
  context: RequestContext,
  request: HonoRequest,
): Promise<Served> {
  const { call, handle } = route
  const identity = await identifyWithinLimits(deps, context, call.access)
  const counted = call.critical ? await countCritical(deps, context) : undefined
  // A signature covers the body, so the body is read before access is decided.
  const signed = call.access === 'signature' ? await verifiedBody(deps, route, context) : undefined
  const caller = await callerOf(deps.guard, call, identity, context)
  refuseForeign(call, context)
  refuseUnencrypted(call, context)
  const list = listFormOf(call, request.query(), request.raw.headers, caller?.via === 'access-token')
  const warn = deps.ignored(call, context)
  const args = await readArguments(call, request, list.query, signed, warn)
  if (isUser(caller)) refuseWithoutProof(call, args, caller, deps.nowSeconds())
  const sendAlert = await alertOf(deps.alerts, call, args, caller, context)
  const own = { countsSuccess: call.countsSuccess === true, message: '', warn }
  const callContext = callContextOf(deps, context, caller, own)
  const handled = await asVisitor(visitorOf(deps, context, caller), () =>
    handle(args as never, callContext as never),
  )
  await recordExport(deps.auditLog, call, handled, callContext.actor)
  const result = list.write(isReader(caller) ? masked(call, handled) : handled, args.query)
  sendAlert?.()
  if (counted !== undefined && !own.countsSuccess) await deps.critical.giveBack(counted)
  return { result, message: own.message || successMessage(call, context.language) }
}

const fileKinds: readonly (ResponseKind | undefined)[] = ['stream', 'bytes', 'text']

/** Records the file of an administrator. `begun` makes its first piece later, so that nothing of it leaves without the record. */
async function recordExport(
  auditLog: ServeDependencies['auditLog'],
  { access, response, path }: Call,
  handled: unknown,
  actor: Actor | undefined,
): Promise<void> {
  if (actor === undefined || !(access === 'admin' || access === 'root') || !fileKinds.includes(response))
    return
  const { exported } = handled as Partial<Exported>
  if (exported === undefined) throw new Error(`the file of ${path} comes without its record`)
  await auditLog.record(actor, exported)
}

/**
 * Counts a call that tests a secret for its address; where others have used that up, for the account that has logged in before in
 * this browser. Returns what it was counted for.
 */
async function countCritical(
  { critical, devices }: Pick<ServeDependencies, 'critical' | 'devices'>,
  context: RequestContext,
): Promise<LimitSubject> {
  const { limitSubject, deviceTokens } = context
  const seconds = await critical.take(limitSubject)
  if (seconds === 0) return limitSubject
  for (const { userId } of devices.find(deviceTokens)) {
    const owner = { address: `browser of ${userId}` }
    if ((await critical.take(owner)) === 0) return owner
  }
  return refuseFor(seconds, context)
}

function visitorOf(
  { devices }: Pick<ServeDependencies, 'devices'>,
  { address, deviceTokens }: RequestContext,
  caller: Caller | KeyCaller | undefined,
): Visitor {
  const userId = caller?.via === 'session' ? caller.userId : undefined
  return { address, devices: devices.find(deviceTokens), userId }
}

async function callerOf(
  guard: Guard,
  { access, ...call }: Call,
  identity: Identity,
  { request: { headers, url }, address }: RequestContext,
): Promise<Caller | KeyCaller | undefined> {
  switch (access) {
    case 'signature':
      return undefined
    case 'relay-key':
      return guard.admitKey(headers, address, call.keyInQuery ? new URL(url).search : '')
    default:
      return guard.admit({ ...call, access }, identity, { headers, address })
  }
}

async function verifiedBody(
  { limits }: ServeDependencies,
  { call, verify }: ConsoleRoute,
  context: RequestContext,
): Promise<Uint8Array> {
  const { request } = context
  const body = await readBytes(call, request)
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const isRight = await verify?.({ method, target: pathname + search, headers, body })
  if (isRight !== true) {
    countInvalidSignature(limits, context)
    throw new Refusal('signature_invalid')
  }
  return body
}

function isUser(caller: Caller | KeyCaller | undefined): caller is Caller {
  return caller !== undefined && caller.via !== 'relay-key'
}

/** Sends the alert of a call to its owner, at the address from before the call; `undefined` for a call without one. */
async function alertOf(
  alerts: SecurityAlerts,
  call: Call,
  args: Parameters<typeof opensAccounts>[1],
  caller: Caller | KeyCaller | undefined,
  { language, address, request }: RequestContext,
): Promise<(() => void) | undefined> {
  const { securityAlert } = call
  if (securityAlert === undefined || !isUser(caller) || !opensAccounts(call, args)) return undefined
  const owner = await alerts.find(caller.userId)
  const userAgent = request.headers.get('user-agent') ?? ''
  return () => alerts.send(owner, securityAlert, { language, address, userAgent })
}

/** Guarded calls need the user header, which another site cannot send; others that change something need this. */
function refuseForeign(call: Call, { request }: RequestContext): void {
  const hasNoHeader = call.access === 'public' || call.cookieOnly === true
  if (hasNoHeader && acts(call) && isForeign(request)) throw new Refusal('foreign_origin')
}

/** A browser on plain http drops a cookie that is for https, so a log-in would fail there without an error. */
function refuseUnencrypted({ access, method }: Call, { request, secure }: RequestContext): void {
  if (access !== 'public' || method === 'GET' || !secure) return
  if (request.headers.get('origin')?.startsWith('http://')) throw new Refusal('https_required')
}

/** Recognises a caller whose access token only reads. */
function isReader(caller: Caller | KeyCaller | undefined): boolean {
  return isUser(caller) && caller.scope === 'read'
}

/** A result without the secrets that its call marks. Content that is no envelope has none. */
function masked(call: Call, result: unknown): unknown {
  if (call.data === undefined) return result
  if (!('extra' in call) || call.extra === undefined) return withoutSecrets(call.data, result)
  const { data, extra } = result as { readonly data: unknown; readonly extra: unknown }
  return { data: withoutSecrets(call.data, data), extra: withoutSecrets(call.extra, extra) }
}

/** @param own what the handler may set: whether a success counts, and the message of the envelope */
function callContextOf(
  { nowSeconds, devices }: ServeDependencies,
  context: RequestContext,
  caller: Caller | KeyCaller | undefined,
  own: { countsSuccess: boolean; message: string; readonly warn: Ignored },
): CallContext<Call> {
  const { language, address, sessionId, secure, isLocal, responseHeaders, request } = context
  return {
    caller,
    actor: isUser(caller)
      ? { ...caller, address, requireProof: () => requireProof(caller, nowSeconds()) }
      : undefined,
    language,
    clientAddress: address,
    requestHeaders: request.headers,
    sessionId,
    secure,
    isLocal,
    responseHeaders,
    rememberBrowser: (userId: number) => {
      const token = devices.issue(userId, context.deviceTokens)
      responseHeaders.append('set-cookie', deviceCookie(userId, token, secure))
    },
    countSuccess: () => {
      own.countsSuccess = true
    },
    warn: own.warn,
    say: (message: string) => {
      own.message = message
    },
  } as CallContext<Call>
}

const anonymous: Identity = { kind: 'anonymous' }

/**
 * Identifies the sender of a request and counts the request: of a user by the user's id, of others by their address. An
 * address that has used up its limit is refused before the database is read.
 */
export async function identifyWithinLimits(
  { guard, limits }: Pick<ServeDependencies, 'guard' | 'limits'>,
  context: RequestContext,
  access: Access,
): Promise<Identity> {
  // Of signed calls only wrong signatures count: see `countInvalidSignature`.
  if (access === 'signature') return anonymous
  const { byUser, byAddress } = limits
  const { limitSubject } = context
  if (byAddress?.isSpent(limitSubject) && !guard.isCached(context.sessionId))
    refuseAfter(byAddress.retryAfterSeconds(limitSubject), context)
  const identity = await identify(guard, context, access)
  if (identity.kind === 'user') take(byUser, identity.userId, context)
  else take(byAddress, limitSubject, context)
  return identity
}

async function identify(
  guard: Guard,
  { request, sessionId }: RequestContext,
  access: Access,
): Promise<Identity> {
  // The key is checked once the call has been counted.
  if (access === 'relay-key') return anonymous
  try {
    return await guard.identify(request.headers, sessionId)
  } catch (error) {
    // While the database is out of reach, public calls are served as to an anonymous visitor.
    if (access === 'public') return anonymous
    throw error
  }
}

/**
 * Counts a request whose signature is wrong by the address it came from. Those that are right count nowhere: a payment
 * provider sends many notices from one address and must not get a 429.
 */
function countInvalidSignature({ byAddress }: ServeDependencies['limits'], context: RequestContext): void {
  take(byAddress, context.limitSubject, context)
}

/** Counts one use, or refuses with the time to wait; counts nothing where the limit is switched off. */
function take<Key>(window: SlidingWindow<Key> | undefined, key: Key, context: RequestContext): void {
  if (window?.take(key) === false) refuseAfter(window.retryAfterSeconds(key), context)
}

/** @throws Refusal `too_many_requests` unless there is nothing to wait for */
function refuseAfter(seconds: number, context: RequestContext): void {
  if (seconds > 0) refuseFor(seconds, context)
}

function refuseFor(seconds: number, { responseHeaders }: RequestContext): never {
  responseHeaders.set('retry-after', String(seconds))
  throw new Refusal('too_many_requests')
}
