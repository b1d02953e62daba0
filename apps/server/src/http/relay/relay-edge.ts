import { playgroundPath } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { type JsonObject, memberText } from '@tollgate/formats'
import type { InboundRequest, Reply } from '@tollgate/http/server'
import type { Logger } from '../../lib/logger.ts'
import type { TickBatch } from '../../lib/tick-batch.ts'
import {
  type AdmissionDependencies,
  admitToken,
  loadBalances,
  type RelayCaller,
} from '../../relay/admission.ts'
import { newCallTrace, type RelayCall, requestIdHeaders } from '../../relay/call.ts'
import { countTokens } from '../../relay/count-tokens.ts'
import type { CallPath, CallRequest, Dialect } from '../../relay/dialects/dialect.ts'
import { isFormMode } from '../../relay/forms/form-checks.ts'
import { relay } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { StoredResponses } from '../../stored-responses/stored-responses.ts'
import type { TaskLookup } from '../../tasks/own-tasks.ts'
import type { TaskDependencies } from '../../tasks/submit-task.ts'
import type { TaskListener } from '../../tasks/task-store.ts'
import type { ReadKeyUsage } from '../../tokens/key-usage.ts'
import type { ClientAddresses } from '../client-address.ts'
import { subscriptionOf, usageOf } from './billing-replies.ts'
import type { CallBodies } from './call-bodies.ts'
import { keyOf } from './caller-key.ts'
import { type ContinuedCall, continueResponse } from './continue-response.ts'
import { errorReply, jsonReply, unknownPathReply } from './error-reply.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { listModels, showModel } from './model-lists.ts'
import { type CallPathMatch, type DialectName, type RelayPath, relayPath } from './paths.ts'
import type { PlaygroundDoor } from './playground-door.ts'
import { allowOrigin, preflightReply, RelayContext } from './relay-context.ts'
import { type RealtimeEdgeDependencies, serveRealtime } from './serve-realtime.ts'
import { ownerOf, serveStored } from './stored-responses.ts'
import type { ImageProxy } from './tasks/image-proxy.ts'
import { serveMidjourney } from './tasks/serve-midjourney.ts'
import { serveSuno } from './tasks/serve-suno.ts'
import { serveVideo } from './tasks/serve-video.ts'
import type { VideoContents } from './tasks/video-contents.ts'

export interface RelayEdgeDependencies extends RealtimeEdgeDependencies {
  readonly relay: RelayDependencies
  /** What hands over work that is finished later. */
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
  /** Answers of the Responses API that callers come back to. */
  readonly stored: StoredResponses
  readonly maxJsonDepth: number
  readonly wallClock: Clock
  readonly logger: Logger
}

export type RelayEdge = (request: InboundRequest, path: string) => Promise<Reply>

/** Everything between the socket and the relay: keys, bodies, request ids, CORS, and the shape of errors. */
export function createRelayEdge(deps: RelayEdgeDependencies): RelayEdge {
  return (request, path) => {
    const context = new RelayContext(
      request,
      path,
      deps.nextRequestId(),
      deps.relay.clock.now(),
      deps.addresses,
    )
    // The playground is the console's own: its session must not be any other site's to use.
    if (path === playgroundPath) return withErrorReply(context, deps, servePlayground(context, deps))
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

/** What nearly all requests are, in one function: each that waits for another one makes objects for every call. */
async function serveCall(
  context: RelayContext,
  match: CallPathMatch,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  let reply: Reply
  try {
    await deps.arrivalBatch.join()
    const admitted = admitToken(keyOf(context, match.dialect), context, deps.admission)
    const caller = admitted instanceof Promise ? await admitted : admitted
    if (isForm(context.request, match)) reply = await serveForm(context, match, caller, deps)
    else {
      const reading = deps.bodies.text(context.request, caller.user.id)
      const body = typeof reading === 'string' ? reading : await reading
      const dialect = deps.dialects[match.dialect]
      const going = match.dialect === 'responses' ? continueResponse(body, ownerOf(caller), deps) : undefined
      const continued = going === undefined ? undefined : await going
      const path = callPath(context, match, deps, continued)
      const request = dialect.readRequest(match.mode, continued?.body ?? body, path)
      const call = relayCall(context, { caller, dialect, mode: match.mode, request, continued }, deps)
      reply = await (match.mode === 'count-tokens' ? countTokens : relay)(call, deps.relay)
    }
  } catch (error) {
    reply = errorReply(error, context, deps)
  }
  return allowOrigin(context.request, reply)
}

/** Changes of images may be asked for as JSON, too. */
function isForm({ headers }: InboundRequest, { mode }: CallPathMatch): boolean {
  return isFormMode(mode) && !(mode === 'image-edits' && isJson(headers.get('content-type')))
}

function isJson(contentType: string | null): boolean {
  return contentType?.toLowerCase().startsWith('application/json') === true
}

/** A call that is a form: its files are there until an upstream has begun to answer. */
async function serveForm(
  context: RelayContext,
  match: CallPathMatch,
  caller: RelayCaller,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const form = await deps.bodies.form(context.request, caller.user.id)
  try {
    const dialect = deps.dialects[match.dialect]
    const read = await dialect.readForm?.(match.mode, form, callPath(context, match, deps))
    if (read === undefined) throw new RelayError('api_not_implemented', 'API not implemented')
    return await relay(
      relayCall(context, { caller, dialect, mode: match.mode, request: read }, deps),
      deps.relay,
    )
  } finally {
    await form.discard()
  }
}

function callPath(
  { request, query }: RelayContext,
  { dialect, model, stream, isEdit, isBatch, isCompaction }: CallPathMatch,
  { stored }: RelayEdgeDependencies,
  continued?: ContinuedCall,
): CallPath {
  const asArray = dialect === 'gemini' && stream === true && !/[?&]alt=sse(&|$)/.test(query)
  return {
    headers: forwardedHeaders(dialect, request.headers),
    ...(model !== undefined && { model }),
    ...(stream !== undefined && { stream }),
    ...(asArray && { asArray }),
    ...(isEdit === true && { isEdit }),
    ...(isBatch === true && { isBatch }),
    ...(isCompaction === true && { isCompaction }),
    ...(dialect === 'anthropic' && query === '?beta=true' && { query }),
    ...(dialect === 'responses' && { echo: echoOf(continued, stored) }),
  }
}

/** What answers say again of what is not in the body that goes upstream. */
function echoOf(continued: ContinuedCall | undefined, stored: StoredResponses): JsonObject {
  const previous = continued?.ancestorIds.at(-1)
  return {
    ...(previous !== undefined && { previous_response_id: previous }),
    ...(!stored.isOn && { store: false }),
  }
}

interface ReadCall {
  readonly caller: RelayCaller
  readonly dialect: Dialect
  readonly mode: CallPathMatch['mode']
  readonly request: CallRequest
  readonly continued?: ContinuedCall | undefined
}

function relayCall(context: RelayContext, read: ReadCall, deps: RelayEdgeDependencies): RelayCall {
  const { caller, dialect, mode, request } = read
  const storeResponse = dialect === deps.dialects.responses ? storeResponseOf(read, deps.stored) : undefined
  return {
    ...(storeResponse !== undefined && { storeResponse }),
    requestId: context.requestId,
    createdAt: unixSeconds(deps.wallClock),
    nowSeconds: () => unixSeconds(deps.wallClock),
    startedAt: context.startedAt,
    connection: context.request,
    headers: context.request.headers,
    trace: newCallTrace(),
    mode,
    dialect,
    caller,
    request,
  }
}

/** Keeps the answer for its caller, unless it asked for the contrary. */
function storeResponseOf(
  { caller, request, continued }: ReadCall,
  stored: StoredResponses,
): RelayCall['storeResponse'] {
  const { body, text, scan } = request.native
  // A compaction is no answer that a caller goes on from by its id.
  if (body.store === false || !stored.isOn || request.format === 'openai-compaction') return undefined
  const input = scan.members.get('input')
  return (reply) =>
    stored.storeResponse({
      owner: ownerOf(caller),
      input: continued?.input ?? (input === undefined ? '[]' : memberText(text, input)),
      ancestorIds: continued?.ancestorIds ?? [],
      reply,
      streamed: request.stream,
    })
}

/** The same journey, paid by a session: the body names the group, and no key's limits apply. */
async function servePlayground(context: RelayContext, deps: RelayEdgeDependencies): Promise<Reply> {
  const { request: connection, path } = context
  if (relayPath(connection.method, path).kind !== 'playground') return unknownPathReply(context, deps)
  const user = await deps.playground.admit(connection)
  await loadBalances(deps.admission.ledger, user.id, 0)
  const { caller, body } = deps.playground.chooseGroup(user, await deps.bodies.text(connection, user.id))
  const dialect = deps.dialects.openai
  const request = dialect.readRequest('chat', body, {})
  return relay(relayCall(context, { caller, dialect, mode: 'chat', request }, deps), deps.relay)
}

/** The answer, or that to whatever went wrong. */
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
      throw new RelayError('api_not_implemented', 'API not implemented')
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
  const { tokenId, user } = await admitToken(keyOf(context, 'openai'), context, deps.admission)
  const figures = await deps.keyFigures({ tokenId, userId: user.id })
  if (figures === undefined) throw new RelayError('invalid_api_key', 'Invalid API key.')
  return jsonReply(context, about === 'subscription' ? subscriptionOf(figures) : usageOf(figures))
}
