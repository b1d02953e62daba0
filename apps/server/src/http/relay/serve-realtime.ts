import { type Clock, unixSeconds } from '@tollgate/base'
import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken } from '../../relay/admission/admission.ts'
import { newTrail } from '../../relay/call.ts'
import type { Dialect } from '../../relay/dialects/dialect.ts'
import { admitSession } from '../../relay/realtime/begin-session.ts'
import { type SessionDependencies, sessionRequest } from '../../relay/realtime/session-call.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import type { WebSocketBridge } from '../websocket-bridge.ts'
import { keyOf } from './caller-dialect.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { Visit } from './visit.ts'

/** What sessions need beside a key. */
export interface RealtimeEdgeDependencies {
  readonly relay: RelayDependencies
  readonly dialects: Readonly<Record<'openai', Dialect>>
  readonly admission: AdmissionDependencies
  readonly wallClock: Clock
  readonly counting: SessionDependencies['counting']
  readonly webSockets: Pick<WebSocketBridge, 'accept'>
}

const spoken = 'realtime'
const keySubprotocol = 'openai-insecure-api-key.'
const betaSubprotocol = 'openai-beta.realtime-v1'

/** `GET /v1/realtime?model=`: a refusal as of every other path, or a WebSocket. */
export async function serveRealtime(visit: Visit, deps: RealtimeEdgeDependencies): Promise<Reply> {
  const { request, requestId, startedAt } = visit
  const caller = await admitToken(keyOf(visit, 'openai'), visit, deps.admission)
  const offered = (request.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
  const callerHeaders = {
    ...forwardedHeaders('openai', request.headers),
    ...(offered.includes(betaSubprotocol) && { 'openai-beta': 'realtime=v1' }),
  }
  const bySubprotocol = offered.some((name) => name.startsWith(keySubprotocol))
  const call = {
    requestId,
    createdAt: unixSeconds(deps.wallClock),
    startedAt,
    headers: request.headers,
    trail: newTrail(),
    mode: spoken,
    dialect: deps.dialects.openai,
    caller,
    request: sessionRequest(modelOf(visit), { callerHeaders, bySubprotocol }),
  } as const
  const begin = admitSession(call, { ...deps.relay, counting: deps.counting })
  return deps.webSockets.accept(request, begin, offered.includes(spoken) ? spoken : undefined)
}

function modelOf({ query }: Visit): string {
  const model = new URLSearchParams(query).get('model') ?? ''
  if (model !== '') return model
  throw new RelayError(
    'invalid_request',
    'model is required: name it in the query, as /v1/realtime?model=….',
    {
      param: 'model',
    },
  )
}
