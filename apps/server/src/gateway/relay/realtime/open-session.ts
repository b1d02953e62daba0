import { sessionFields, sessionModel, withoutFields } from '@tollgate/formats'
import { OpenExchange } from '../../../upstream/exchange.ts'
import type { WebSocketSession } from '../../../upstream/websocket/session.ts'
import { errorOf, readFailure } from '../attempts/attempt.ts'
import type { AttemptResult } from '../attempts/attempt-result.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { fieldJudge, unpricedField } from '../routing/field-policy.ts'
import type { SessionCall, SessionDependencies, SessionRequest } from './session-call.ts'

/** The timeout of a handshake is independent of how long responses take. */
const maxHandshakeMs = 30_000
const openedStatus = 101

/** One try at one upstream with one key: waits until the WebSocket is open. Never throws. */
export async function openSession(
  { request }: SessionCall,
  candidate: Candidate,
  deps: SessionDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult<WebSocketSession>> {
  const { callerHeaders, bySubprotocol, intent } = request
  const { channel, keyIndex, operation, upstreamModel, model: callerModel } = candidate
  const exchange = new OpenExchange(deps.deadlines, Math.min(deps.limits.firstResponseMs, maxHandshakeMs))
  entry.opened(exchange)
  try {
    const spoken = { callerModel, callerHeaders, bySubprotocol, intent }
    const outgoing = { channel, keyIndex, operation, upstreamModel, ...spoken }
    const opened = Promise.withResolvers<WebSocketSession>()
    const response = await exchange.send(async () => {
      const connect = await deps.upstreams.connect(outgoing)
      return () => {
        const session = connect()
        opened.resolve(session)
        return session
      }
    })
    exchange.started(response)
    if (response.status !== openedStatus) return await readFailure(candidate, exchange)
    exchange.done()
    return { ok: true, started: await opened.promise }
  } catch (error) {
    exchange.done()
    return { ok: false, error: errorOf(exchange, error, candidate), endedBy: exchange.endedBy }
  }
}

/**
 * The caller's event as the session's channel may receive it: without disallowed tools.
 * @throws RelayError for an event that the channel refuses
 */
export function permittedEvent(
  message: string,
  { channel, operation }: Pick<Candidate, 'channel' | 'operation'>,
): string {
  const found = sessionFields(message)
  if (found === undefined) return message
  const request = {
    format: 'openai-realtime',
    costlyFields: found.fields,
    roughPromptTokens: () => 0,
  } as const
  const judge = fieldJudge(request, neverPriced)
  const { refused, stripped = [] } = judge?.(channel, operation) ?? {}
  if (refused !== undefined) throw unpricedField(refused)
  return stripped.length === 0 ? message : JSON.stringify(withoutFields(found.event, stripped).body)
}

/**
 * The caller's event with the upstream's name of the session's model, where it repeats that.
 * @throws RelayError for another model, which nobody would be charged for
 */
export function namedEvent(
  message: string,
  { model, intent }: Pick<SessionRequest, 'model' | 'intent'>,
  { upstreamModel }: Pick<Candidate, 'upstreamModel'>,
): string {
  const named = intent === undefined ? sessionModel(message) : undefined
  if (named === undefined || named.model === upstreamModel) return message
  if (named.model === model) return named.withModel(upstreamModel)
  const { param } = named
  throw new RelayError(
    'invalid_request',
    `This session is one with ${model}. Open another one for ${named.model}.`,
    { param },
  )
}

/** No vendor documents how a session counts its tools: the channel's switch decides, whatever a tool costs elsewhere. */
const neverPriced = () => false
