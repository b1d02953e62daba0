import { operatorFaults } from '@tollgate/api'
import { type Clock, secondsOf, unixSeconds } from '@tollgate/base'
import type { InboundRequest, Reply } from '@tollgate/http/server'
import type { ReadKeyUsage } from '../../accounts/tokens/key-usage.ts'
import type { DirectoryUser } from '../../accounts/users/user-directory.ts'
import type { FailedCalls } from '../../gateway/failed-calls/failed-calls.ts'
import {
  type AdmissionDependencies,
  admitToken,
  loadBalances,
  type RelayCaller,
  responseOwner,
} from '../../gateway/relay/admission.ts'
import { bodyRelease, type CallText, releaseCharged } from '../../gateway/relay/bodies/call-text.ts'
import { newCallTrace, type RelayCall, requestIdHeaders } from '../../gateway/relay/call.ts'
import { countTokens } from '../../gateway/relay/count-tokens.ts'
import type { Dialect, DialectName, ReadCall, ReceivedCall } from '../../gateway/relay/dialects/dialect.ts'
import { faultOfError } from '../../gateway/relay/faults.ts'
import { isFormMode } from '../../gateway/relay/forms/form-checks.ts'
import { relay } from '../../gateway/relay/relay.ts'
import type { RelayDependencies } from '../../gateway/relay/relay-dependencies.ts'
import { notImplemented, RelayError } from '../../gateway/relay/relay-error.ts'
import type { StoredResponses } from '../../gateway/stored-responses/stored-responses.ts'
import type { TaskLookup } from '../../gateway/tasks/own-tasks.ts'
import type { TaskDependencies } from '../../gateway/tasks/submit-task.ts'
import type { TaskListener } from '../../gateway/tasks/task-store.ts'
import type { TickBatch } from '../../lib/async/tick-batch.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AuditLog } from '../../records/audit-log/audit-log.ts'
import type { ClientAddresses } from '../client-address.ts'
import { allowOrigin, preflightReply } from '../cross-origin.ts'
import type { CallBodies } from './call-bodies.ts'
import { keyOf } from './caller-key.ts'
import { errorReply, jsonReply, subscriptionOf, unknownPathReply, usageOf } from './error-reply.ts'
import { listModels, showModel } from './model-lists.ts'
import { callNeed, pathNeeds } from './path-needs.ts'
import { type CallPathMatch, isPlaygroundPath, playgroundCall, type RelayPath, relayPath } from './paths.ts'
import type { PlaygroundCall, PlaygroundDoor } from './playground-door.ts'
import { RelayContext } from './relay-context.ts'
import { openReplay } from './replay-failed-call.ts'
import { type RealtimeEdgeDependencies, serveRealtime } from './serve-realtime.ts'
import { serveStored } from './stored-responses.ts'
import type { ImageProxy } from './tasks/image-proxy.ts'
import { serveMidjourney, submitMidjourney } from './tasks/serve-midjourney.ts'
import { serveSuno, submitSuno } from './tasks/serve-suno.ts'
import { sendOwnVideo, serveVideo, submitVideo } from './tasks/serve-video.ts'
import type { VideoContents } from './tasks/video-contents.ts'

export interface RelayEdgeDependencies extends RealtimeEdgeDependencies {
  readonly relay: RelayDependencies
  /** Serves tasks: work that ends later. */
  readonly tasks: TaskDependencies
  readonly taskLookup: TaskLookup
  readonly pictures: ImageProxy
  readonly contents: VideoContents
  readonly newVideoId: () => string
  readonly notifyCaller: TaskListener
  readonly dialects: Readonly<Record<DialectName, Dialect>>
  readonly admission: AdmissionDependencies
  readonly playground: PlaygroundDoor
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  readonly bodies: CallBodies
  /** Calls that have come in within one turn of the event loop go on in one batch. */
  readonly arrivalBatch: TickBatch
  readonly keyFigures: ReadKeyUsage
  /** Stored responses of the Responses API. */
  readonly stored: StoredResponses
  readonly failedCalls: FailedCalls
  readonly auditLog: Pick<AuditLog, 'record'>
  readonly maxJsonDepth: number
  readonly wallClock: Clock
  readonly logger: Logger
  /** Hears of every error that a caller receives; absent where nobody counts them. */
  readonly refused?: ((error: RelayError) => void) | undefined
}

export type RelayEdge = (request: InboundRequest, path: string) => Promise<Reply>

/** Serves relayed calls between socket and relay: request ids, keys, bodies, CORS, and the shape of errors. @step */
export function createRelayEdge(deps: RelayEdgeDependencies): RelayEdge {
  return (request, path) => {
    const context = new RelayContext(
      request,
      path,
      deps.nextRequestId(),
      deps.relay.clock.now(),
      deps.addresses,
    )
    // The playground belongs to the console: no other site may use its session.
    if (isPlaygroundPath(path)) return withErrorReply(context, deps, servePlayground(context, deps))
    if (request.method === 'OPTIONS')
      return Promise.resolve(preflightReply(request, requestIdHeaders(context)))
    const match = relayPath(request.method, path)
    return match.kind === 'call'
      ? serveCall(context, match, deps)
      : withErrorReply(context, deps, serveOther(context, match, deps)).then((reply) =>
          allowOrigin(request, reply),
        )
  }
}

/** Serves nearly all requests in one function: each further async function would allocate objects for every call. */
async function serveCall(
  context: RelayContext,
  match: CallPathMatch,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  let reply: Reply
  let caller: RelayCaller | undefined
  let body: CallText | undefined
  try {
    await deps.arrivalBatch.join()
    const admitted = admitToken(keyOf(context, match.dialect), callNeed(match), context, deps.admission)
    caller = admitted instanceof Promise ? await admitted : admitted
    if (isForm(context.request, match)) reply = await serveForm(context, match, caller, deps)
    else {
      const reading = deps.bodies.body(context.request, caller.user.id)
      body = reading instanceof Promise ? await reading : reading
      const dialect = deps.dialects[match.dialect]
      const understanding = dialect.read(match.mode, body, received(context, match, caller))
      const read = understanding instanceof Promise ? await understanding : understanding
      const onLateFailure = lateKeeper(context, caller, body, deps)
      const releaseBody = endOfBody(body, read.storeResponse ?? onLateFailure)
      const described = { caller, dialect, mode: match.mode, onLateFailure, releaseBody, ...read }
      const call = relayCall(context, described, deps)
      reply = await (match.mode === 'count-tokens' ? countTokens : relay)(call, deps.relay)
      if (read.storeResponse === undefined) releaseCharged(body, reply)
    }
  } catch (error) {
    if (isWorthKeeping(error)) keepFailed(context, caller, body, deps)
    reply = errorReply(error, context, deps)
  }
  return allowOrigin(context.request, reply)
}

/** Returns what gives a body back at the end of its stream, unless somebody reads it later. */
function endOfBody(body: CallText, laterReader: unknown): (() => void) | undefined {
  return laterReader === undefined ? bodyRelease(body) : undefined
}

/** A call that another channel might have answered. */
function isWorthKeeping(error: unknown): boolean {
  return !(error instanceof RelayError) || operatorFaults.some((fault) => fault === faultOfError(error))
}

/** Headers that change what a request means; none of them names its caller. */
const storedHeaders = ['anthropic-version', 'anthropic-beta', 'openai-beta'] as const

/** Gemini's clients may send their key in the query. */
function withoutKey(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('key')
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** Keeps the call when it fails after its response has started. Holds the body until then, so only where it would be kept. */
function lateKeeper(
  context: RelayContext,
  caller: RelayCaller,
  body: CallText,
  deps: RelayEdgeDependencies,
): RelayCall['onLateFailure'] {
  if (!deps.failedCalls.wants(caller.user, () => body.text)) return undefined
  return (error) => {
    if (error === undefined || isWorthKeeping(error)) keepFailed(context, caller, body, deps)
  }
}

function keepFailed(
  { requestId, request, path, query }: RelayContext,
  caller: RelayCaller | undefined,
  body: CallText | undefined,
  { failedCalls }: RelayEdgeDependencies,
): void {
  if (caller === undefined || body === undefined) return
  failedCalls.keep(requestId, caller.user, {
    path,
    query: withoutKey(query),
    headers: Object.fromEntries(
      storedHeaders.flatMap((name) => {
        const value = request.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    ),
    body: body.text,
  })
}

/** Changes of images may be asked for as JSON, too. */
function isForm({ headers }: InboundRequest, { mode }: CallPathMatch): boolean {
  return isFormMode(mode) && !(mode === 'image-edits' && isJson(headers.get('content-type')))
}

function isJson(contentType: string | null): boolean {
  return contentType?.toLowerCase().startsWith('application/json') === true
}

/** Serves a call whose body is a form. Its files exist until an upstream starts its response. */
async function serveForm(
  context: RelayContext,
  match: CallPathMatch,
  caller: RelayCaller,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const form = await deps.bodies.form(context.request, caller.user.id)
  try {
    const dialect = deps.dialects[match.dialect]
    const request = await dialect.readForm?.(match.mode, form, received(context, match, caller))
    if (request === undefined) throw notImplemented()
    return await relay(relayCall(context, { caller, dialect, mode: match.mode, request }, deps), deps.relay)
  } finally {
    await form.discard()
  }
}

function received(
  { request, query }: RelayContext,
  match: ReceivedCall['match'],
  caller: RelayCaller,
): ReceivedCall {
  return { match, query, headers: request.headers, owner: responseOwner(caller) }
}

interface AdmittedCall extends ReadCall {
  readonly caller: RelayCaller
  readonly dialect: Dialect
  readonly mode: CallPathMatch['mode']
  readonly onLateFailure?: RelayCall['onLateFailure']
}

function relayCall(context: RelayContext, admitted: AdmittedCall, deps: RelayEdgeDependencies): RelayCall {
  return {
    ...admitted,
    requestId: context.requestId,
    createdAt: unixSeconds(deps.wallClock),
    nowSeconds: secondsOf(deps.wallClock),
    startedAt: context.startedAt,
    connection: context.request,
    headers: context.request.headers,
    trace: newCallTrace(),
  }
}

/** The console's own fields say nothing to an upstream. */
const noFields = new Headers()

/** A call that a session pays for: its body names the group, and no key's limits apply. */
async function servePlayground(context: RelayContext, deps: RelayEdgeDependencies): Promise<Reply> {
  const { request: connection, path } = context
  const call = playgroundCall(connection.method, path)
  if (call === undefined) return unknownPathReply(context, deps)
  const admit = (access: 'user' | 'admin') => deps.playground.admit(connection, context.address, access)
  const user = await admit(call.kind === 'replay' ? 'admin' : 'user')
  if (call.kind === 'video' && call.route.name === 'content')
    return sendOwnVideo(context, call.route.id, { user, proveAdmin: () => admit('admin') }, deps)
  await loadBalances(deps.admission.ledger, user.id, 0)
  if (call.kind === 'replay') return serveReplay(context, user, deps)
  const received = deps.playground.chooseGroup(user, await deps.bodies.text(connection, user.id))
  switch (call.kind) {
    case 'chat':
      return servePlaygroundChat(context, received, deps)
    case 'drawing':
      return submitMidjourney(context, call.route, received, deps)
    case 'music':
      return submitSuno(context, call.route.action, received, deps)
    case 'video':
      return submitVideo(context, received, deps)
  }
}

/** A failed call once more, at the channel that an administrator chose and at the administrator's cost. */
async function serveReplay(
  context: RelayContext,
  user: DirectoryUser,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const body = await deps.bodies.text(context.request, user.id)
  const { caller, match, request } = await openReplay(deps, user, context.address, body)
  const { query } = request
  const headers = new Headers(request.headers)
  const dialect = deps.dialects[match.dialect]
  const call = { match, query, headers, owner: responseOwner(caller) }
  const read = await dialect.read(match.mode, { text: request.body }, call)
  return relay(relayCall(context, { caller, dialect, mode: match.mode, ...read }, deps), deps.relay)
}

async function servePlaygroundChat(
  context: RelayContext,
  { caller, body }: PlaygroundCall,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const dialect = deps.dialects.openai
  const call = { ...received(context, {}, caller), headers: noFields }
  const read = await dialect.read('chat', { text: body }, call)
  return relay(relayCall(context, { caller, dialect, mode: 'chat', ...read }, deps), deps.relay)
}

/** Returns the response, or the reply to the error that was thrown. */
function withErrorReply(
  context: RelayContext,
  deps: RelayEdgeDependencies,
  serving: Promise<Reply>,
): Promise<Reply> {
  return serving.catch((error) => errorReply(error, context, deps))
}

async function serveOther(
  context: RelayContext,
  match: Exclude<RelayPath, { kind: 'call' }>,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  switch (match.kind) {
    case 'model-list':
      return listModels(context, deps)
    case 'model':
      return showModel(context, match.model, deps)
    case 'stored-response':
      return serveStored(context, match, deps)
    case 'billing':
      return showBilling(context, match.about, deps)
    case 'drawing':
      return serveMidjourney(context, match.route, deps)
    case 'music':
      return serveSuno(context, match.route, deps)
    case 'video':
      return serveVideo(context, match.route, deps)
    case 'realtime':
      return serveRealtime(context, deps)
    case 'not-implemented':
      throw notImplemented()
    case 'method-not-allowed':
      throw new RelayError(
        'method_not_allowed',
        `${context.request.method} is not allowed on ${context.path}. Use ${match.allow}.`,
        { headers: { allow: match.allow } },
      )
    default:
      return unknownPathReply(context, deps)
  }
}

async function showBilling(
  context: RelayContext,
  about: 'subscription' | 'usage',
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const { tokenId, user } = await admitToken(
    keyOf(context, 'openai'),
    pathNeeds.billing,
    context,
    deps.admission,
  )
  const figures = await deps.keyFigures({ tokenId, userId: user.id })
  if (figures === undefined) throw new RelayError('invalid_api_key', 'Invalid API key.')
  return jsonReply(context, about === 'subscription' ? subscriptionOf(figures) : usageOf(figures))
}
