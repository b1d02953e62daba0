import { playgroundPath } from '@tollgate/api'
import type { RelayMode } from '@tollgate/providers'
import type { Clock } from '../../lib/clock.ts'
import { type Convoy, together } from '../../lib/convoy.ts'
import type { Logger } from '../../lib/logger.ts'
import {
  type AdmissionDependencies,
  admitToken,
  loadBalances,
  type RelayCaller,
} from '../../relay/admission.ts'
import { answerHeaders, newTrail, type RelayCall, requestIdHeaders } from '../../relay/call.ts'
import type { Deadlines } from '../../relay/deadlines.ts'
import { listedModel, reachableModels } from '../../relay/model-list.ts'
import { refuseGroup, relay } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { ClientAddresses, PeerLookup } from '../client-address.ts'
import { unknownPath } from '../error-response.ts'
import { WatchedConnection } from './caller-connection.ts'
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
  /** Short deadlines, after which a call is watched for a hang-up. */
  readonly watches: Deadlines
  /** Gathers the calls that have just come in. */
  readonly arrived: Convoy
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
    const visit = { request, path, peers, requestId: deps.nextRequestId(), receivedAt: deps.clock.now() }
    // The playground is the console's own: its session must not be any other site's to use.
    const isPublic = path !== playgroundPath
    if (isPublic && request.method === 'OPTIONS') return preflightAnswer(request, requestIdHeaders(visit))
    await deps.arrived.join()
    let answer: Response
    try {
      answer = await serve(visit, deps)
    } catch (error) {
      answer = errorAnswer(error, visit, deps)
    }
    if (isPublic) allowOrigin(request, answer)
    return answer
  }
}

function serve(visit: Visit, deps: RelayEdgeDependencies): Promise<Response> {
  const { request, path } = visit
  const asked = relayPath(request.method, path)
  switch (asked.kind) {
    case 'call':
      return serveCall(visit, asked.mode, asked.modelFromPath, deps)
    case 'playground':
      return servePlayground(visit, deps)
    case 'model-list':
      return listModels(visit, deps)
    case 'model':
      return showModel(visit, asked.model, deps)
    case 'not-implemented':
      throw new RelayError('api_not_implemented', 'API not implemented')
    case 'unknown': {
      const { status, body } = unknownPath(request.method, path)
      return Promise.resolve(jsonAnswer(visit, body, status))
    }
  }
}

function jsonAnswer(visit: Visit, body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: requestIdHeaders(visit) })
}

function admitKey(
  { request, peers }: Visit,
  deps: RelayEdgeDependencies,
): RelayCaller | Promise<RelayCaller> {
  return admitToken(presentedKey(request.headers), () => deps.addresses.of(request, peers), deps.admission)
}

/**
 * Lets a caller in, reads the call off its connection and takes it through the relay; the connection is released
 * however that ends.
 */
async function relayOver<Admitted>(
  visit: Visit,
  deps: RelayEdgeDependencies,
  admit: () => Admitted | Promise<Admitted>,
  read: (admitted: Admitted, body: string) => Pick<RelayCall, 'mode' | 'caller' | 'request'>,
): Promise<Response> {
  const { request, peers, requestId, receivedAt } = visit
  const admitted = await admit()
  await together
  const connection = new WatchedConnection(request, peers, deps.watches)
  try {
    const body = await readBody(request, deps.bodyLimitBytes)
    const { mode, caller, request: asked } = read(admitted, body)
    await together
    const call = { requestId, receivedAt, connection, trail: newTrail(), mode, caller, request: asked }
    return await relay(call, deps.relay)
  } catch (error) {
    connection.release()
    throw error
  }
}

function serveCall(
  visit: Visit,
  mode: RelayMode,
  modelFromPath: string | undefined,
  deps: RelayEdgeDependencies,
): Promise<Response> {
  return relayOver(
    visit,
    deps,
    () => admitKey(visit, deps),
    (caller, body) => ({
      mode,
      caller,
      request: deps.relay.dialect.readRequest(mode, body, modelFromPath),
    }),
  )
}

/** The same journey, paid by a session: the body names the group, and no key's limits apply. */
function servePlayground(visit: Visit, deps: RelayEdgeDependencies): Promise<Response> {
  const admit = async () => {
    const user = await deps.playground.admit(visit.request)
    await loadBalances(deps.admission.ledger, user.id, 0)
    return user
  }
  return relayOver(visit, deps, admit, (user, body) => {
    const { caller, body: chatBody } = deps.playground.chooseGroup(user, body)
    return { mode: 'chat', caller, request: deps.relay.dialect.readRequest('chat', chatBody) }
  })
}

async function listModels(visit: Visit, deps: RelayEdgeDependencies): Promise<Response> {
  const caller = await admitKey(visit, deps)
  refuseGroup(caller, deps.relay)
  const data = reachableModels(caller, deps.relay.channels.snapshot).map(listedModel)
  return jsonAnswer(visit, { success: true, object: 'list', data })
}

async function showModel(visit: Visit, model: string, deps: RelayEdgeDependencies): Promise<Response> {
  const caller = await admitKey(visit, deps)
  refuseGroup(caller, deps.relay)
  if (reachableModels(caller, deps.relay.channels.snapshot).includes(model))
    return jsonAnswer(visit, listedModel(model))
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
  const headers = new Headers(answerHeaders('application/json', visit))
  if (known.retryAfterSeconds !== undefined) headers.set('Retry-After', String(known.retryAfterSeconds))
  return new Response(body, { status: known.status, headers })
}

/** Our own fault: the log knows, the caller learns nothing but the request's id. */
function unexpected(error: unknown, { requestId, path }: Visit, deps: RelayEdgeDependencies): RelayError {
  deps.logger.error({ err: error, requestId, path }, 'a relay call failed')
  return new RelayError('internal_error', 'Internal server error. Tell the administrator the request id.')
}
