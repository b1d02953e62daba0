import { RequestFault, type UpstreamErrorInfo } from '@tollgate/formats'
import type { TaskRequest } from '@tollgate/providers'
import { OutboundError } from '../../lib/outbound-fetch.ts'
import { TokenExchangeError } from '../../upstream/credentials/token-exchange.ts'
import { unanswered } from '../../upstream/exchange.ts'
import { readSmall, type SmallAnswer } from '../../upstream/query.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import type { AttemptResult, FailedAttempt } from '../attempts/attempt-result.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { HandedOver, TaskOrder } from './task-order.ts'

/** An order that an upstream has taken. */
export type Taken<Reply> = Extract<HandedOver<Reply>, { taken: true }>

interface Dependencies {
  readonly upstreams: Pick<Upstreams, 'ask'>
}

const maxAnswerBytes = 8 * 1024 * 1024
/** Accepting is quick; some wait for a result in case it comes at once. */
const longestHandOverMs = 60_000

/** One try at handing an order to one upstream with one key. Never throws. */
export async function handOver<Service, Reply>(
  order: TaskOrder<Service, Reply>,
  candidate: Candidate<Service>,
  { upstreams }: Dependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<AttemptResult<Taken<Reply>>> {
  const request = requestOf(order, candidate)
  if (request instanceof RequestFault)
    return failed(unanswered('bad_request', request.message), { fault: request })
  const stop = new AbortController()
  // Whoever orders and leaves has ordered: what the upstream takes must be known here.
  entry.opened({ end: () => stop.abort(), isSent: true })
  const { channel, keyIndex } = candidate
  const { body, ...endpoint } = request
  const limits = { timeoutMs: longestHandOverMs, maxBytes: maxAnswerBytes, signal: stop.signal }
  try {
    const answer = await readSmall(() => upstreams.ask({ channel, keyIndex, endpoint, body }), limits)
    return read(order, candidate, answer)
  } catch (error) {
    const mayBeDone = error instanceof OutboundError && error.isSent
    return failed(errorOf(error, candidate), {
      mayBeDone,
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
  answer: SmallAnswer,
): AttemptResult<Taken<Reply>> {
  const handed = order.read(answer, candidate)
  return handed.taken ? { ok: true, begun: handed } : failed(handed.error)
}

function failed(
  error: UpstreamErrorInfo,
  more: Partial<Pick<FailedAttempt, 'endedBy' | 'fault' | 'mayBeDone'>> = {},
): FailedAttempt {
  return { ok: false, error, endedBy: undefined, ...more }
}

function errorOf(error: unknown, { channel }: Candidate<unknown>): UpstreamErrorInfo {
  if (error instanceof TokenExchangeError) return channel.provider.decodeError(error.failure)
  if (error instanceof TypeError)
    return unanswered('upstream_bug', "The upstream's address or key cannot be sent.")
  // It may have taken the order: handing it to another one, too, could be paid for twice.
  if (error instanceof OutboundError && error.failure === 'timeout')
    return { ...unanswered('timeout', 'The upstream did not answer in time.'), status: 504 }
  return unanswered('upstream_bug', 'The upstream could not be reached.')
}
