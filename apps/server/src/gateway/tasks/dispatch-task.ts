import { RequestFault, type UpstreamErrorInfo } from '@tollgate/formats'
import type { TaskRequest } from '@tollgate/providers'
import { OutboundError } from '../../lib/outbound/outbound-fetch.ts'
import { TokenExchangeError } from '../../upstream/credentials.ts'
import { noResponseError } from '../../upstream/exchange.ts'
import { readSmall, type SmallResponse } from '../../upstream/query.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import type { AttemptResult, FailedAttempt } from '../relay/attempts/attempt-result.ts'
import type { InFlightEntry } from '../relay/in-flight.ts'
import type { Candidate } from '../relay/routing/candidates.ts'
import type { DispatchResult, TaskOrder } from './task-order.ts'

/** An order that an upstream has taken. */
export type AcceptedTask<Reply> = Extract<DispatchResult<Reply>, { taken: true }>

interface Dependencies {
  readonly upstreams: Pick<Upstreams, 'ask'>
}

const maxResponseBytes = 8 * 1024 * 1024
/** Upstreams accept quickly, but some first wait for an immediate result. */
const maxHandOverMs = 60_000

/** Submits an order once, to one upstream with one key. Never throws. */
export async function dispatchTask<Service, Reply>(
  order: TaskOrder<Service, Reply>,
  candidate: Candidate<Service>,
  { upstreams }: Dependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult<AcceptedTask<Reply>>> {
  const request = requestOf(order, candidate)
  if (request instanceof RequestFault)
    return failed(noResponseError('bad_request', request.message), { fault: request })
  const stop = new AbortController()
  // A caller that disconnects has still submitted the task: the gateway must learn whether the upstream accepted it.
  entry.opened({ end: () => stop.abort(), isSent: true })
  const { channel, keyIndex } = candidate
  const { body, ...endpoint } = request
  const limits = { timeoutMs: maxHandOverMs, maxBytes: maxResponseBytes, signal: stop.signal }
  try {
    const response = await readSmall(() => upstreams.ask({ channel, keyIndex, endpoint, body }), limits)
    return read(order, candidate, response)
  } catch (error) {
    const outcomeUnknown = error instanceof OutboundError && error.isSent
    return failed(errorOf(error, candidate), {
      outcomeUnknown,
      ...(stop.signal.aborted && { endedBy: 'shutdown' as const }),
    })
  }
}

function requestOf<Service, Reply>(
  order: TaskOrder<Service, Reply>,
  candidate: Candidate<Service>,
): TaskRequest | RequestFault {
  try {
    return order.request(candidate)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
}

function read<Service, Reply>(
  order: TaskOrder<Service, Reply>,
  candidate: Candidate<Service>,
  response: SmallResponse,
): AttemptResult<AcceptedTask<Reply>> {
  const dispatched = order.read(response, candidate)
  return dispatched.taken ? { ok: true, started: dispatched } : failed(dispatched.error)
}

function failed(
  error: UpstreamErrorInfo,
  more: Partial<Pick<FailedAttempt, 'endedBy' | 'fault' | 'outcomeUnknown'>> = {},
): FailedAttempt {
  return { ok: false, error, endedBy: undefined, ...more }
}

function errorOf(error: unknown, { channel }: Candidate<unknown>): UpstreamErrorInfo {
  if (error instanceof TokenExchangeError) return channel.provider.decodeError(error.failure)
  if (error instanceof TypeError)
    return noResponseError('upstream_bug', "The upstream's address or key cannot be sent.")
  // The upstream may have accepted the order: dispatching it to another one could pay twice.
  if (error instanceof OutboundError && error.failure === 'timeout')
    return { ...noResponseError('timeout', 'The upstream did not respond in time.'), status: 504 }
  return noResponseError('upstream_bug', 'The upstream could not be reached.')
}
