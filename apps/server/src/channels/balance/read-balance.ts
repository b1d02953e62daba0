import type { Clock } from '@tollgate/base'
import type { BalanceQuery, UpstreamEndpoint } from '@tollgate/providers'
import { Refusal } from '../../lib/refusal.ts'
import { readSmall, type SmallResponse } from '../../upstream/query.ts'
import { channelTarget, type UpstreamChannel } from '../../upstream/request-target.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { redactUpstream } from '../redaction.ts'
import { callFailureOf } from '../testing/call-failure.ts'

export interface BalanceDependencies {
  readonly upstreams: Upstreams
  readonly wallClock: Clock
  readonly balanceTimeoutMs?: number
}

const defaultTimeoutMs = 15_000
const maxResponseBytes = 256 * 1024
const visibleMessageLength = 300

/**
 * Asks a channel's own upstream how much money one of its keys has left. Throws `Refusal` for every failure, and
 * `OutboundError` when `signal` aborted the request.
 */
export async function readBalance(
  channel: UpstreamChannel,
  keyIndex: number,
  deps: BalanceDependencies,
  signal?: AbortSignal,
): Promise<number> {
  const query = channel.provider.balance
  if (query === undefined) throw new Refusal('channel_balance_unknown_type')
  const read = async (prepared: BalanceQuery) => {
    const balance = prepared.decode(await askAll(prepared, channel, keyIndex, deps, signal))
    if (balance === undefined) throw new Refusal('channel_upstream_malformed')
    return balance
  }
  const { fallback } = query
  if (fallback === undefined) return read(query)
  try {
    return await read(query)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'channel_balance_failed') return read(fallback)
    throw error
  }
}

async function askAll(
  query: BalanceQuery,
  channel: UpstreamChannel,
  keyIndex: number,
  deps: BalanceDependencies,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const target = channelTarget(channel, keyIndex)
  const responses: unknown[] = []
  for (;;) {
    const endpoint = query.next(target, responses, deps.wallClock.now())
    if (endpoint !== undefined) responses.push(await ask(endpoint, channel, keyIndex, deps, signal))
    else if (responses.length === 0) throw new Refusal('channel_balance_unknown_type')
    else return responses
  }
}

async function ask(
  endpoint: UpstreamEndpoint,
  channel: UpstreamChannel,
  keyIndex: number,
  { upstreams, balanceTimeoutMs = defaultTimeoutMs }: BalanceDependencies,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const question = { channel, keyIndex, endpoint, body: '' }
  const limits = {
    timeoutMs: balanceTimeoutMs,
    maxBytes: maxResponseBytes,
    ...(signal !== undefined && { signal }),
  }
  let response: SmallResponse
  try {
    response = await readSmall(() => upstreams.ask(question), limits)
  } catch (error) {
    const { code, details } = callFailureOf(error, balanceTimeoutMs)
    throw new Refusal(code, details, { cause: error })
  }
  return parse(channel, response)
}

function parse(channel: UpstreamChannel, response: SmallResponse): unknown {
  if (response.status < 200 || response.status >= 300) {
    const { message } = channel.provider.decodeError(response)
    const visible = redactUpstream(message, channel).slice(0, visibleMessageLength)
    const detail =
      visible === '' ? `status code ${response.status}` : `status code ${response.status}: ${visible}`
    throw new Refusal('channel_balance_failed', { detail })
  }
  try {
    return JSON.parse(response.body)
  } catch (cause) {
    throw new Refusal('channel_upstream_malformed', {}, { cause })
  }
}
