import { type Clock, unixSeconds } from '@tollgate/base'
import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken } from '../../gateway/relay/admission.ts'
import { newCallTrace } from '../../gateway/relay/call.ts'
import { forwardedHeaders } from '../../gateway/relay/dialects/call-path.ts'
import type { Dialect } from '../../gateway/relay/dialects/dialect.ts'
import { awaitModel } from '../../gateway/relay/realtime/await-model.ts'
import { createCallerWatch } from '../../gateway/relay/realtime/caller-watch.ts'
import { admitSession } from '../../gateway/relay/realtime/realtime-session.ts'
import {
  type SessionDependencies,
  type SessionRequest,
  sessionRequest,
} from '../../gateway/relay/realtime/session-call.ts'
import type { RelayDependencies } from '../../gateway/relay/relay-dependencies.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { WebSocketBridge } from '../websocket-bridge.ts'
import { keyOf } from './caller-key.ts'
import { pathNeeds } from './path-needs.ts'
import type { RelayContext } from './relay-context.ts'

/** Dependencies of sessions beside a key. */
export interface RealtimeEdgeDependencies {
  readonly relay: RelayDependencies
  readonly dialects: Readonly<Record<'openai', Dialect>>
  readonly admission: AdmissionDependencies
  readonly wallClock: Clock
  readonly counting: SessionDependencies['counting']
  readonly sessionIdleMs: number
  readonly bus: Pick<ChangeBus, 'subscribe'>
  readonly channelsSettled: () => Promise<void>
  readonly logger: Pick<Logger, 'warn'>
  readonly webSockets: Pick<WebSocketBridge, 'accept'>
}

const spoken = 'realtime'
const keySubprotocol = 'openai-insecure-api-key.'
const betaSubprotocol = 'openai-beta.realtime-v1'

/** `GET /v1/realtime?model=` or `?intent=transcription`: a refusal as of every other path, or a WebSocket. */
export async function serveRealtime(context: RelayContext, deps: RealtimeEdgeDependencies): Promise<Reply> {
  const { request, requestId, startedAt } = context
  const key = keyOf(context, 'openai')
  const { address } = context
  const caller = await admitToken(key, pathNeeds.realtime, { address }, deps.admission)
  const offered = (request.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
  const callerHeaders = {
    ...forwardedHeaders('openai', request.headers),
    ...(offered.includes(betaSubprotocol) && { 'openai-beta': 'realtime=v1' }),
  }
  const bySubprotocol = offered.some((name) => name.startsWith(keySubprotocol))
  const { model, intent } = requestedBy(context)
  const call = (named: string) =>
    ({
      requestId,
      createdAt: unixSeconds(deps.wallClock),
      startedAt,
      headers: request.headers,
      trace: newCallTrace(),
      mode: spoken,
      dialect: deps.dialects.openai,
      caller,
      request: sessionRequest(named, { callerHeaders, bySubprotocol, intent }),
    }) as const
  const { relay, counting, sessionIdleMs } = deps
  const watchCaller = createCallerWatch(caller, () => admitAgain(key, address, deps), {
    bus: deps.bus,
    deadlines: relay.deadlines,
    channelsSettled: deps.channelsSettled,
    failed: (err) => deps.logger.warn({ err, requestId }, unchecked),
  })
  const session = { ...relay, counting, sessionIdleMs, watchCaller }
  const begin =
    model === ''
      ? awaitModel((named) => admitSession(call(named), session), { requestId, ...session })
      : admitSession(call(model), session)
  return deps.webSockets.accept(request, begin, offered.includes(spoken) ? spoken : undefined)
}

const unchecked =
  'the key of a session cannot be checked, and its former state holds for some seconds: check the database'

/** Admits a caller who is in a session: neither a use of the key nor a failed try. */
function admitAgain(
  key: ReturnType<typeof keyOf>,
  address: string,
  { admission: { presented: _, refused: __, ...quiet } }: Pick<RealtimeEdgeDependencies, 'admission'>,
) {
  return admitToken(key, 'use', { address }, quiet)
}

/** A session that transcribes may name its model in its first event. */
function requestedBy({ query }: RelayContext): Pick<SessionRequest, 'model' | 'intent'> {
  const params = new URLSearchParams(query)
  // Where models are deployed, the query names the deployment.
  const model = params.get('model') ?? params.get('deployment') ?? ''
  const intent = params.get('intent') ?? ''
  if (intent !== '' && intent !== 'transcription')
    throw new RelayError('invalid_request', 'intent can be transcription, or left out for a conversation.', {
      param: 'intent',
    })
  if (model === '' && intent === '')
    throw new RelayError(
      'invalid_request',
      'model is required: name it in the query, as /v1/realtime?model=….',
      { param: 'model' },
    )
  return { model, intent: intent === '' ? undefined : intent }
}
