import { playgroundPath } from '@tollgate/api'
import type { RelayMode } from '@tollgate/providers'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { type AdmissionDependencies, admitToken, type RelayCaller } from '../../relay/admission.ts'
import { newTrail } from '../../relay/call.ts'
import { listedModel, reachableModels } from '../../relay/model-list.ts'
import { refuseGroup, relay } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { ClientAddresses, PeerLookup } from '../client-address.ts'
import { unknownPath } from '../error-response.ts'
import { allowOrigin, preflightAnswer } from './cors.ts'
import { relayPath } from './paths.ts'
import type { PlaygroundDoor } from './playground-door.ts'
import { presentedKey } from './presented-key.ts'
import { readBody } from './read-body.ts'

export interface RelayEdgeDependencies {
  readonly relay: RelayDependencies
  readonly admission: AdmissionDependencies
  readonly playground: PlaygroundDoor
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  readonly bodyLimitBytes: number
  readonly clock: Clock
  readonly logger: Logger
}

/** One request as the relay's edge passes it along. */
interface Visit {
  readonly request: Request
  readonly path: string
  readonly peers: PeerLookup | undefined
  readonly requestId: string
  readonly receivedAt: number
}

export type RelayEdge = (request: Request, path: string, peers: PeerLookup | undefined) => Promise<Response>

/** Whether a path belongs to the relay rather than to the console or its pages. */
export function isRelayPath(path: string): boolean {
  return path.startsWith('/v1/') || path === '/v1' || path === playgroundPath
}

/** Everything between the socket and the relay: keys, bodies, request ids, CORS, and the shape of errors. */
export function createRelayEdge(deps: RelayEdgeDependencies): RelayEdge {
  return async (request, path, peers) => {
    // The playground is the console's own: its session must not be any other site's to use.
    const isPublic = path !== playgroundPath
    if (isPublic && request.method === 'OPTIONS') return preflightAnswer(request)
    const visit = { request, path, peers, requestId: deps.nextRequestId(), receivedAt: deps.clock.now() }
    const response = await serve(visit, deps).catch((error: unknown) => errorAnswer(error, visit, deps))
    response.headers.set('x-request-id', visit.requestId)
    response.headers.set('x-oneapi-request-id', visit.requestId)
    if (isPublic) allowOrigin(request, response.headers)
    return response
  }
}

async function serve(visit: Visit, deps: RelayEdgeDependencies): Promise<Response> {
  const { request, path } = visit
  const asked = relayPath(request.method, path)
  switch (asked.kind) {
    case 'call':
      return serveCall(visit, asked.mode, asked.modelFromPath, await admitKey(visit, deps), deps)
    case 'playground':
      return servePlayground(visit, deps)
    case 'model-list':
      return listModels(await admitKey(visit, deps), deps)
    case 'model':
      return showModel(asked.model, await admitKey(visit, deps), deps)
    case 'not-implemented':
      throw new RelayError('api_not_implemented', 'API not implemented')
    case 'unknown': {
      const answer = unknownPath(request.method, path)
      return Response.json(answer.body, { status: answer.status })
    }
  }
}

function admitKey({ request, peers }: Visit, deps: RelayEdgeDependencies): Promise<RelayCaller> {
  return admitToken(presentedKey(request.headers), () => deps.addresses.of(request, peers), deps.admission)
}

/** Uploads may be slow and streams silent for as long as the relay's own deadlines allow: once somebody answers for them. */
function holdOpen({ request, peers }: Visit): void {
  peers?.timeout?.(request, 0)
}

async function serveCall(
  visit: Visit,
  mode: RelayMode,
  modelFromPath: string | undefined,
  caller: RelayCaller,
  deps: RelayEdgeDependencies,
): Promise<Response> {
  holdOpen(visit)
  const body = await readBody(visit.request, deps.bodyLimitBytes)
  return relay(
    {
      requestId: visit.requestId,
      receivedAt: visit.receivedAt,
      mode,
      caller,
      request: deps.relay.dialect.readRequest(mode, body, modelFromPath),
      signal: visit.request.signal,
      trail: newTrail(),
    },
    deps.relay,
  )
}

/** The same journey, paid by a session: the body names the group, and no key's limits apply. */
async function servePlayground(visit: Visit, deps: RelayEdgeDependencies): Promise<Response> {
  const user = await deps.playground.admit(visit.request)
  holdOpen(visit)
  const body = await readBody(visit.request, deps.bodyLimitBytes)
  const { caller, body: chatBody } = deps.playground.chooseGroup(user, body)
  const loading = deps.admission.ledger.load(user.id, 0)
  if (loading !== undefined) await loading
  return relay(
    {
      requestId: visit.requestId,
      receivedAt: visit.receivedAt,
      mode: 'chat',
      caller,
      request: deps.relay.dialect.readRequest('chat', chatBody),
      signal: visit.request.signal,
      trail: newTrail(),
    },
    deps.relay,
  )
}

function listModels(caller: RelayCaller, deps: RelayEdgeDependencies): Response {
  refuseGroup(caller, deps.relay)
  const data = reachableModels(caller, deps.relay.channels.snapshot).map(listedModel)
  return Response.json({ success: true, object: 'list', data })
}

function showModel(model: string, caller: RelayCaller, deps: RelayEdgeDependencies): Response {
  refuseGroup(caller, deps.relay)
  if (reachableModels(caller, deps.relay.channels.snapshot).includes(model))
    return Response.json(listedModel(model))
  throw new RelayError('model_not_found', `The model ${model} does not exist or you have no access to it.`, {
    param: 'model',
  })
}

function errorAnswer(error: unknown, visit: Visit, deps: RelayEdgeDependencies): Response {
  const known = error instanceof RelayError ? error : unexpected(error, visit, deps)
  const body = deps.relay.dialect.errorBody(
    { message: known.publicMessage, type: known.type, param: known.param, code: known.wireCode },
    visit.requestId,
  )
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (known.retryAfterSeconds !== undefined) headers.set('Retry-After', String(known.retryAfterSeconds))
  return new Response(body, { status: known.status, headers })
}

/** Our own fault: the log knows, the caller learns nothing but the request's id. */
function unexpected(error: unknown, { requestId, path }: Visit, deps: RelayEdgeDependencies): RelayError {
  deps.logger.error({ err: error, requestId, path }, 'a relay call failed')
  return new RelayError('internal_error', 'Internal server error. Tell the administrator the request id.')
}
