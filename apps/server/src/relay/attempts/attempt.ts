import { type MediaAddress, RequestFault, type UpstreamErrorInfo } from '@tollgate/formats'
import type { HeaderMap, ModelOptions } from '@tollgate/providers'
import { encodeBody, type UpstreamBody } from '../../upstream/call-body.ts'
import { TokenExchangeError } from '../../upstream/credentials/token-exchange.ts'
import { brokenExchange, type Exchange, OpenExchange, unanswered } from '../../upstream/exchange.ts'
import { withModelHeaders } from '../../upstream/model-settings.ts'
import type { UpstreamCall } from '../../upstream/upstreams.ts'
import type { RelayCall } from '../call.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { AttemptDependencies, AttemptResult, FailedAttempt } from './attempt-result.ts'
import { beginStream } from './begin-stream.ts'
import { readWhole } from './read-whole.ts'

/** One try at one upstream with one key: sends, and waits until the answer has begun. Never throws. */
export async function attempt(
  call: RelayCall,
  candidate: Candidate,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const options = deps.modelOptions()
  const headers = headersFor(call, candidate, options)
  const addresses = deps.media.needed(call.request, candidate.operation)
  const request =
    addresses.length === 0 ? call.request : await withFiles(call.request, addresses, deps, entry)
  const body = request instanceof RequestFault ? request : bodyFor(request, candidate, options, headers)
  if (body instanceof RequestFault)
    return { ok: false, error: unanswered('bad_request', body.message), endedBy: undefined, fault: body }
  call.trail.isInstructed = body.isInstructed
  const asked = upstreamCall(call, candidate, body, headers)
  const result = await send(call, candidate, asked, body, deps, entry)
  if (result.ok || result.error.status !== 401) return result
  // A token that the key was exchanged for may have been withdrawn before its time.
  return deps.upstreams.tokenRefused(asked) ? send(call, candidate, asked, body, deps, entry) : result
}

/** Fields of a caller of the upstream's own format, and what the operator sets for the model. */
function headersFor({ request }: RelayCall, { operation }: Candidate, options: ModelOptions): HeaderMap {
  const caller = request.format === operation.format ? request.callerHeaders : noHeaders
  return withModelHeaders(operation.format, caller, options, request.model)
}

const noHeaders: HeaderMap = {}

async function withFiles(
  request: RelayCall['request'],
  addresses: readonly MediaAddress[],
  { media }: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<RelayCall['request'] | RequestFault> {
  try {
    return await media.withFiles(request, addresses, entry)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}

function bodyFor(
  request: RelayCall['request'],
  candidate: Candidate,
  options: ModelOptions,
  headers: HeaderMap,
): UpstreamBody | RequestFault {
  const { operation, upstreamModel, model: callerModel, channel, passThrough } = candidate
  const { paramOverride: override, setting } = channel
  const { instructions } = setting
  try {
    return encodeBody(request, {
      operation,
      upstreamModel,
      callerModel,
      override,
      instructions,
      options,
      headers,
      passThrough,
    })
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}

async function send(
  call: RelayCall,
  candidate: Candidate,
  asked: UpstreamCall,
  body: UpstreamBody,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult> {
  const exchange = new OpenExchange(deps.deadlines, deps.limits.firstAnswerMs)
  entry.opened(exchange)
  try {
    const sending = exchange.send(() => deps.upstreams.send(asked))
    const answer = await sending
    exchange.begun(answer)
    if (answer.status < 200 || answer.status > 299) return await readFailure(candidate, exchange)
    if (call.request.isStreamed(candidate.operation))
      return await beginStream(call, candidate, exchange, body, deps)
    const whole = answer.whole(deps.limits.answerBytes)
    const bytes = whole instanceof Promise ? await whole : whole
    exchange.done()
    await deps.answered.join()
    return readWhole(call, candidate, exchange, bytes, body, deps)
  } catch (error) {
    exchange.done()
    return { ok: false, error: errorOf(exchange, error, candidate), endedBy: exchange.endedBy }
  }
}

function upstreamCall(
  { request }: RelayCall,
  { channel, keyIndex, operation, model: callerModel }: Candidate,
  { model, text }: UpstreamBody,
  callerHeaders: HeaderMap,
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
  }
}

/** A `TypeError` is a base URL that is none, or a key with characters that no header may hold. */
export function errorOf(
  exchange: Exchange,
  error: unknown,
  { operation }: Pick<Candidate, 'operation'>,
): UpstreamErrorInfo {
  if (error instanceof TokenExchangeError) return operation.decodeError(error.failure)
  return error instanceof TypeError
    ? unanswered('upstream_bug', "The upstream's address or key cannot be sent.")
    : brokenExchange(exchange, error)
}

/** What a refusal says. */
export async function readFailure({ operation }: Candidate, exchange: OpenExchange): Promise<FailedAttempt> {
  const failure = await exchange.failure()
  exchange.done()
  return { ok: false, error: operation.decodeError(failure), endedBy: exchange.endedBy }
}
