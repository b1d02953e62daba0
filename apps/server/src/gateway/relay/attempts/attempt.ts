import { refusesSignedReasoning, type UpstreamErrorInfo, WireResponse } from '@tollgate/formats'
import type { HeaderMap, ModelOptions } from '@tollgate/providers'
import type { UpstreamBody } from '../../../upstream/call-body.ts'
import { TokenExchangeError, tokenRefusal } from '../../../upstream/credentials.ts'
import { brokenExchange, type Exchange, noResponseError, OpenExchange } from '../../../upstream/exchange.ts'
import { withModelHeaders } from '../../../upstream/model-settings.ts'
import { readBody } from '../../../upstream/response-body/read-body.ts'
import type { UpstreamCall } from '../../../upstream/upstreams.ts'
import type { RelayCall } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { Candidate } from '../routing/candidates.ts'
import { prepareBody } from './attempt-body.ts'
import { AttemptMemory } from './attempt-memory.ts'
import type { AttemptDependencies, AttemptResult, FailedAttempt } from './attempt-result.ts'
import { readBufferedResponse, wireResponse } from './read-buffered-response.ts'
import { beginStream } from './start-stream.ts'
import { taskResult } from './task-result.ts'
import {
  beginWhole,
  outlinedContent,
  passingMember,
  takeTranslation,
  unusableBody,
} from './whole-response.ts'

/** One try at one upstream with one key: sends, and waits until the response has started. Never throws. @step */
export async function attempt(
  call: RelayCall,
  candidate: Candidate,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const result = await sendCall(call, candidate, deps, entry)
  if (result.ok || !mayDropReasoning(result, candidate)) return result
  // The account that made it is another one, or the model is: nothing was carried out, and the conversation goes on without it.
  return sendCall(call, candidate, deps, entry, result)
}

/** Callers of an operator who passes bodies on as they are get the refusal. */
function mayDropReasoning({ error, endedBy }: FailedAttempt, { passThrough }: Candidate): boolean {
  return !passThrough && endedBy === undefined && refusesSignedReasoning(error)
}

/** @param refused the refusal of reasoning: sends the call without it, or returns this where it holds none */
async function sendCall(
  call: RelayCall,
  candidate: Candidate,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
  refused?: FailedAttempt,
): Promise<AttemptResult> {
  const options = deps.modelOptions()
  const headers = headersFor(call, candidate, options)
  const withoutReasoning = refused !== undefined
  const preparing = prepareBody({ call, candidate, options, headers, withoutReasoning }, deps, entry)
  const body = preparing instanceof Promise ? await preparing : preparing
  if ('ok' in body) return body
  if (refused !== undefined && body.lacksReasoning !== true) return refused
  call.trace.isInstructed = body.isInstructed
  call.trace.sentModel = body.sentModel ?? body.model
  const outgoing = upstreamCall(call, candidate, body, headers, deps.traceparent?.(call))
  const result = await send(call, candidate, outgoing, body, deps, entry)
  if (result.ok || result.error.status !== 401) return result
  // The provider may have revoked the exchanged token before it expired.
  return deps.upstreams.tokenRefused(outgoing) ? send(call, candidate, outgoing, body, deps, entry) : result
}

/** Fields of a caller of the upstream's own format, and what the operator sets for the model. */
function headersFor({ request }: RelayCall, { operation }: Candidate, options: ModelOptions): HeaderMap {
  const caller = request.format === operation.format ? request.callerHeaders : noHeaders
  return withModelHeaders(operation.format, caller, options, request.model)
}

const noHeaders: HeaderMap = {}

async function send(
  call: RelayCall,
  candidate: Candidate,
  outgoing: UpstreamCall,
  body: UpstreamBody,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const exchange = new OpenExchange(deps.deadlines, deps.limits.firstResponseMs)
  entry.opened(exchange)
  const result = await sendOver(exchange, call, candidate, outgoing, body, deps, entry)
  const { receivedStatus } = exchange
  if (result.ok || receivedStatus === undefined) return result
  return { ...result, error: { ...result.error, receivedStatus } }
}

async function sendOver(
  exchange: OpenExchange,
  call: RelayCall,
  candidate: Candidate,
  outgoing: UpstreamCall,
  body: UpstreamBody,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  let isRefused = false
  const memory = new AttemptMemory(call, deps.responses)
  const { enter } = memory
  try {
    const sending = exchange.send(() => deps.upstreams.send(outgoing))
    const response = await sending
    exchange.started(response)
    isRefused = response.status < 200 || response.status > 299
    if (isRefused) return await readFailure(candidate, exchange)
    if (call.request.isStreamed(candidate.operation))
      return memory.resulted(await beginStream(call, candidate, exchange, body, deps, enter))
    const passesFrom = () => passingMember(call, candidate, body, deps)
    const outlined = () => outlinedContent(call, candidate, body, deps)
    const bounds = { limitBytes: deps.limits.responseBytes, enter, passesFrom, outlined }
    const reading = readBody(response, bounds)
    const read = reading instanceof Promise ? await reading : reading
    if (read.kind === 'passing')
      return memory.resulted(beginWhole(call, candidate, exchange, body, read, deps))
    if (read.kind !== 'complete') return unusableBody(exchange, read)
    exchange.done()
    await deps.responseBatch.join()
    const refusal = memory.hold && (await takeTranslation(memory.hold, call, candidate, read.bytes.length))
    if (refusal !== undefined) return unusableBody(exchange, refusal)
    const first = wireResponse(read.bytes, exchange, read.findings)
    const { polling } = candidate.operation
    const result =
      polling === undefined ? first : await taskResult({ outgoing, polling, first }, deps, entry, enter)
    if (!(result instanceof WireResponse)) return result
    return memory.resulted(await readBufferedResponse(call, candidate, result, body, deps, entry, enter))
  } catch (error) {
    exchange.done()
    const { endedBy, isSent } = exchange
    const outcomeUnknown = isSent && !isRefused
    return { ok: false, error: errorOf(exchange, error, candidate), endedBy, outcomeUnknown }
  } finally {
    memory.end()
  }
}

function upstreamCall(
  { request }: RelayCall,
  { channel, keyIndex, operation, model: callerModel }: Candidate,
  { model, text }: UpstreamBody,
  callerHeaders: HeaderMap,
  traceparent: string | undefined,
): UpstreamCall {
  return {
    channel,
    keyIndex,
    operation,
    upstreamModel: model,
    callerModel,
    stream: request.stream,
    body: text,
    callerHeaders,
    query: request.format === operation.format ? request.callerQuery : '',
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** A `TypeError` means an invalid base URL, or a key with characters that a header must not hold. */
export function errorOf(
  exchange: Exchange,
  error: unknown,
  { operation }: Pick<Candidate, 'operation'>,
): UpstreamErrorInfo {
  if (error instanceof TokenExchangeError)
    return tokenRefusal(error, (failure) => operation.decodeError(failure))
  return error instanceof TypeError
    ? noResponseError('upstream_bug', "The upstream's address or key cannot be sent.")
    : brokenExchange(exchange, error)
}

/** Reads the error of a refused attempt. */
export async function readFailure({ operation }: Candidate, exchange: OpenExchange): Promise<FailedAttempt> {
  const failure = await exchange.failure()
  exchange.done()
  return { ok: false, error: operation.decodeError(failure), endedBy: exchange.endedBy }
}
