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
} from '../../relay/admission/admission.ts'
import { newTrail, type RelayCall, requestIdHeaders } from '../../relay/call.ts'
import { countTokens } from '../../relay/count-tokens.ts'
import type { CallPath, CallRequest, Dialect } from '../../relay/dialects/dialect.ts'
import { isFormMode } from '../../relay/forms/form-checks.ts'
import { relay } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { SavedTasks } from '../../relay/tasks/own-tasks.ts'
import type { TaskDependencies } from '../../relay/tasks/submit-task.ts'
import type { StoredResponses } from '../../stored-responses/stored-responses.ts'
import type { TaskListener } from '../../tasks/engine/task-book.ts'
import type { ReadKeyFigures } from '../../tokens/key-figures.ts'
import type { ClientAddresses } from '../client-address.ts'
import { subscriptionOf, usageOf } from './billing-answers.ts'
import type { CallBodies } from './call-bodies.ts'
import { keyOf } from './caller-dialect.ts'
import { type ContinuedCall, continueResponse } from './continue-response.ts'
import { allowOrigin, preflightAnswer } from './cors.ts'
import type { Pictures } from './drawing/pictures.ts'
import { serveDrawing } from './drawing/serve-drawing.ts'
import { errorAnswer, jsonAnswer, unknownAnswer } from './error-answer.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { serveMusic } from './music/serve-music.ts'
import { type CallPathMatch, type DialectName, type RelayPath, relayPath } from './paths.ts'
import type { PlaygroundDoor } from './playground-door.ts'
import { listModels, showModel } from './serve-models.ts'
import { type RealtimeEdgeDependencies, serveRealtime } from './serve-realtime.ts'
import { ownerOf, serveStored } from './serve-stored.ts'
import { serveVideo } from './video/serve-video.ts'
import type { VideoContents } from './video/video-contents.ts'
import { Visit } from './visit.ts'

export interface RelayEdgeDependencies extends RealtimeEdgeDependencies {
  readonly relay: RelayDependencies
  /** What hands over work that is finished later. */
  readonly tasks: TaskDependencies
  readonly saved: SavedTasks
  readonly pictures: Pictures
  readonly contents: VideoContents
  readonly newVideoId: () => string
  readonly tellCaller: TaskListener
  readonly dialects: Readonly<Record<DialectName, Dialect>>
  readonly admission: AdmissionDependencies
  readonly playground: PlaygroundDoor
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  readonly bodies: CallBodies
  /** Calls that have come in within one turn of the event loop go on in one batch. */
  readonly arrived: TickBatch
  readonly keyFigures: ReadKeyFigures
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
    const visit = new Visit(request, path, deps.nextRequestId(), deps.relay.clock.now(), deps.addresses)
    // The playground is the console's own: its session must not be any other site's to use.
    if (path === playgroundPath) return answered(visit, deps, servePlayground(visit, deps))
    if (request.method === 'OPTIONS')
      return Promise.resolve(preflightAnswer(request, requestIdHeaders(visit)))
    const asked = relayPath(request.method, path)
    return asked.kind === 'call'
      ? answerCall(visit, asked, deps)
      : answered(visit, deps, serveOther(visit, asked, deps)).then((answer) => allowOrigin(request, answer))
  }
}

/** What nearly all requests are, in one function: each that waits for another one makes objects for every call. */
async function answerCall(visit: Visit, asked: CallPathMatch, deps: RelayEdgeDependencies): Promise<Reply> {
  let answer: Reply
  try {
    await deps.arrived.join()
    const admitted = admitToken(keyOf(visit, asked.dialect), visit, deps.admission)
    const caller = admitted instanceof Promise ? await admitted : admitted
    if (isForm(visit.request, asked)) answer = await answerForm(visit, asked, caller, deps)
    else {
      const reading = deps.bodies.text(visit.request, caller.user.id)
      const body = typeof reading === 'string' ? reading : await reading
      const dialect = deps.dialects[asked.dialect]
      const going = asked.dialect === 'responses' ? continueResponse(body, ownerOf(caller), deps) : undefined
      const continued = going === undefined ? undefined : await going
      const path = callPath(visit, asked, deps, continued)
      const request = dialect.readRequest(asked.mode, continued?.body ?? body, path)
      const call = relayCall(visit, { caller, dialect, mode: asked.mode, request, continued }, deps)
      answer = await (asked.mode === 'count-tokens' ? countTokens : relay)(call, deps.relay)
    }
  } catch (error) {
    answer = errorAnswer(error, visit, deps)
  }
  return allowOrigin(visit.request, answer)
}

/** Changes of images may be asked for as JSON, too. */
function isForm({ headers }: InboundRequest, { mode }: CallPathMatch): boolean {
  return isFormMode(mode) && !(mode === 'image-edits' && isJson(headers.get('content-type')))
}

function isJson(contentType: string | null): boolean {
  return contentType?.toLowerCase().startsWith('application/json') === true
}

/** A call that is a form: its files are there until an upstream has begun to answer. */
async function answerForm(
  visit: Visit,
  asked: CallPathMatch,
  caller: RelayCaller,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const form = await deps.bodies.form(visit.request, caller.user.id)
  try {
    const dialect = deps.dialects[asked.dialect]
    const read = await dialect.readForm?.(asked.mode, form, callPath(visit, asked, deps))
    if (read === undefined) throw new RelayError('api_not_implemented', 'API not implemented')
    return await relay(
      relayCall(visit, { caller, dialect, mode: asked.mode, request: read }, deps),
      deps.relay,
    )
  } finally {
    await form.discard()
  }
}

function callPath(
  { request, query }: Visit,
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

function relayCall(visit: Visit, read: ReadCall, deps: RelayEdgeDependencies): RelayCall {
  const { caller, dialect, mode, request } = read
  const keep = dialect === deps.dialects.responses ? keeperOf(read, deps.stored) : undefined
  return {
    ...(keep !== undefined && { keep }),
    requestId: visit.requestId,
    createdAt: unixSeconds(deps.wallClock),
    nowSeconds: () => unixSeconds(deps.wallClock),
    startedAt: visit.startedAt,
    connection: visit.request,
    headers: visit.request.headers,
    trail: newTrail(),
    mode,
    dialect,
    caller,
    request,
  }
}

/** Keeps the answer for its caller, unless it asked for the contrary. */
function keeperOf({ caller, request, continued }: ReadCall, stored: StoredResponses): RelayCall['keep'] {
  const { body, text, scan } = request.native
  // A compaction is no answer that a caller goes on from by its id.
  if (body.store === false || !stored.isOn || request.format === 'openai-compaction') return undefined
  const input = scan.members.get('input')
  return (answer) =>
    stored.keep({
      owner: ownerOf(caller),
      input: continued?.input ?? (input === undefined ? '[]' : memberText(text, input)),
      ancestorIds: continued?.ancestorIds ?? [],
      answer,
      streamed: request.stream,
    })
}

/** The same journey, paid by a session: the body names the group, and no key's limits apply. */
async function servePlayground(visit: Visit, deps: RelayEdgeDependencies): Promise<Reply> {
  const { request: connection, path } = visit
  if (relayPath(connection.method, path).kind !== 'playground') return unknownAnswer(visit, deps)
  const user = await deps.playground.admit(connection)
  await loadBalances(deps.admission.ledger, user.id, 0)
  const { caller, body } = deps.playground.chooseGroup(user, await deps.bodies.text(connection, user.id))
  const dialect = deps.dialects.openai
  const request = dialect.readRequest('chat', body, {})
  return relay(relayCall(visit, { caller, dialect, mode: 'chat', request }, deps), deps.relay)
}

/** The answer, or that to whatever went wrong. */
function answered(visit: Visit, deps: RelayEdgeDependencies, serving: Promise<Reply>): Promise<Reply> {
  return serving.catch((error) => errorAnswer(error, visit, deps))
}

async function serveOther(
  visit: Visit,
  asked: Exclude<RelayPath, { kind: 'call' }>,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  switch (asked.kind) {
    case 'model-list':
      return listModels(visit, deps)
    case 'model':
      return showModel(visit, asked.model, deps)
    case 'stored-response':
      return serveStored(visit, asked, deps)
    case 'billing':
      return showBilling(visit, asked.about, deps)
    case 'drawing':
      return serveDrawing(visit, asked.route, deps)
    case 'music':
      return serveMusic(visit, asked.route, deps)
    case 'video':
      return serveVideo(visit, asked.route, deps)
    case 'realtime':
      return serveRealtime(visit, deps)
    case 'not-implemented':
      throw new RelayError('api_not_implemented', 'API not implemented')
    case 'method-not-allowed':
      throw new RelayError(
        'method_not_allowed',
        `${visit.request.method} is not allowed on ${visit.path}. Use ${asked.allow}.`,
        { headers: { allow: asked.allow } },
      )
    default:
      return unknownAnswer(visit, deps)
  }
}

async function showBilling(
  visit: Visit,
  about: 'subscription' | 'usage',
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const { tokenId, user } = await admitToken(keyOf(visit, 'openai'), visit, deps.admission)
  const figures = await deps.keyFigures({ tokenId, userId: user.id })
  if (figures === undefined) throw new RelayError('invalid_api_key', 'Invalid API key.')
  return jsonAnswer(visit, about === 'subscription' ? subscriptionOf(figures) : usageOf(figures))
}
