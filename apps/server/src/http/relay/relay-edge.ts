import { playgroundPath } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { InboundRequest, Reply } from '@tollgate/http/server'
import type { RelayMode } from '@tollgate/providers'
import type { Logger } from '../../lib/logger.ts'
import { type TickBatch, together } from '../../lib/tick-batch.ts'
import {
  type AdmissionDependencies,
  admitToken,
  type CallOrigin,
  loadBalances,
} from '../../relay/admission.ts'
import { answerHeaders, newTrail, requestIdHeaders } from '../../relay/call.ts'
import { listedModel, reachableModels } from '../../relay/model-list.ts'
import { refuseGroup, relay } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { ClientAddresses } from '../client-address.ts'
import { unknownPath } from '../error-response.ts'
import { allowOrigin, preflightAnswer } from './cors.ts'
import { type RelayPath, relayPath } from './paths.ts'
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
  /** Gathers the calls that have just come in. */
  readonly arrived: TickBatch
  readonly clock: Clock
  readonly logger: Logger
}

/** One request as the relay's edge passes it along. */
class Visit implements CallOrigin {
  readonly request: InboundRequest
  readonly path: string
  readonly requestId: string
  readonly receivedAt: number
  readonly #addresses: ClientAddresses

  constructor(request: InboundRequest, path: string, deps: RelayEdgeDependencies) {
    this.request = request
    this.path = path
    this.requestId = deps.nextRequestId()
    this.receivedAt = deps.clock.now()
    this.#addresses = deps.addresses
  }

  get address(): string {
    return this.#addresses.of(this.request)
  }
}

export type RelayEdge = (request: InboundRequest, path: string) => Promise<Reply>

/** Whether a path belongs to the relay rather than to the console or its pages. */
export function isRelayPath(path: string): boolean {
  return path.startsWith('/v1/') || path === '/v1' || path === playgroundPath
}

/** Everything between the socket and the relay: keys, bodies, request ids, CORS, and the shape of errors. */
export function createRelayEdge(deps: RelayEdgeDependencies): RelayEdge {
  return (request, path) => {
    const visit = new Visit(request, path, deps)
    // The playground is the console's own: its session must not be any other site's to use.
    if (path === playgroundPath) return shaped(visit, deps, servePlayground(visit, deps))
    if (request.method === 'OPTIONS')
      return Promise.resolve(preflightAnswer(request, requestIdHeaders(visit)))
    const asked = relayPath(request.method, path)
    return asked.kind === 'call'
      ? answerCall(visit, asked.mode, asked.modelFromPath, deps)
      : shaped(visit, deps, serveOther(visit, asked, deps)).then((answer) => allowOrigin(request, answer))
  }
}

/** What nearly all requests are, in one function: each that waits for another one makes objects for every call. */
async function answerCall(
  visit: Visit,
  mode: RelayMode,
  modelFromPath: string | undefined,
  deps: RelayEdgeDependencies,
): Promise<Reply> {
  const { request, requestId, receivedAt } = visit
  let answer: Reply
  try {
    await deps.arrived.join()
    const admitted = admitToken(presentedKey(request.headers), visit, deps.admission)
    const caller = admitted instanceof Promise ? await admitted : admitted
    await together
    const reading = readText(request, deps)
    const body = typeof reading === 'string' ? reading : await reading
    const asked = deps.relay.dialect.readRequest(mode, body, modelFromPath)
    await together
    const call = {
      requestId,
      receivedAt,
      connection: request,
      trail: newTrail(),
      mode,
      caller,
      request: asked,
    }
    answer = await relay(call, deps.relay)
  } catch (error) {
    answer = errorAnswer(error, visit, deps)
  }
  return allowOrigin(request, answer)
}

/** The same journey, paid by a session: the body names the group, and no key's limits apply. */
async function servePlayground(visit: Visit, deps: RelayEdgeDependencies): Promise<Reply> {
  const { request: connection, requestId, receivedAt, path } = visit
  if (relayPath(connection.method, path).kind !== 'playground') return unknownAnswer(visit)
  const user = await deps.playground.admit(connection)
  await loadBalances(deps.admission.ledger, user.id, 0)
  const { caller, body } = deps.playground.chooseGroup(user, await readText(connection, deps))
  const request = deps.relay.dialect.readRequest('chat', body)
  const trail = newTrail()
  return relay({ requestId, receivedAt, connection, trail, mode: 'chat', caller, request }, deps.relay)
}

function readText(request: InboundRequest, deps: RelayEdgeDependencies): string | Promise<string> {
  // Between an admitted caller and us the relay's own deadlines hold.
  request.allowSilence(deps.relay.limits.silenceMs)
  return readBody(request, deps.bodyLimitBytes)
}

/** The answer, or that to whatever went wrong. */
function shaped(visit: Visit, deps: RelayEdgeDependencies, serving: Promise<Reply>): Promise<Reply> {
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
    case 'not-implemented':
      throw new RelayError('api_not_implemented', 'API not implemented')
    default:
      return unknownAnswer(visit)
  }
}

function unknownAnswer(visit: Visit): Reply {
  const { status, body } = unknownPath(visit.request.method, visit.path)
  return jsonAnswer(visit, body, status)
}

function jsonAnswer(visit: Visit, body: unknown, status = 200): Reply {
  return { status, headers: answerHeaders('application/json', visit), body: JSON.stringify(body) }
}

async function listModels(visit: Visit, deps: RelayEdgeDependencies): Promise<Reply> {
  const caller = await admitToken(presentedKey(visit.request.headers), visit, deps.admission)
  refuseGroup(caller, deps.relay)
  const data = reachableModels(caller, deps.relay.channels.snapshot).map(listedModel)
  return jsonAnswer(visit, { success: true, object: 'list', data })
}

async function showModel(visit: Visit, model: string, deps: RelayEdgeDependencies): Promise<Reply> {
  const caller = await admitToken(presentedKey(visit.request.headers), visit, deps.admission)
  refuseGroup(caller, deps.relay)
  if (reachableModels(caller, deps.relay.channels.snapshot).includes(model))
    return jsonAnswer(visit, listedModel(model))
  throw new RelayError('model_not_found', `The model ${model} does not exist or you have no access to it.`, {
    param: 'model',
  })
}

function errorAnswer(error: unknown, visit: Visit, deps: RelayEdgeDependencies): Reply {
  const known = error instanceof RelayError ? error : unexpected(error, visit, deps)
  const body = deps.relay.dialect.errorBody(
    { message: known.publicMessage, type: known.type, param: known.param, code: known.wireCode },
    visit.requestId,
  )
  const headers = {
    ...answerHeaders('application/json', visit),
    ...(known.retryAfterSeconds !== undefined && { 'retry-after': String(known.retryAfterSeconds) }),
  }
  return { status: known.status, headers, body }
}

/** Our own fault: the log knows, the caller learns nothing but the request's id. */
function unexpected(error: unknown, { requestId, path }: Visit, deps: RelayEdgeDependencies): RelayError {
  deps.logger.error({ err: error, requestId, path }, 'a relay call failed')
  return new RelayError('internal_error', 'Internal server error. Tell the administrator the request id.')
}
