import { OutboundError } from '../../../lib/outbound/outbound-fetch.ts'
import { accountKey } from '../../../tasks/engine/account-key.ts'
import { readSmall, type SmallResponse } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/upstream-channel.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import { refusalFor } from '../../attempts/upstream-refusal.ts'
import { RelayError } from '../../relay-error.ts'
import type { PassedReply } from '../passed-task.ts'
import type { Origin } from './midjourney-origin.ts'

export interface SeedDependencies {
  readonly tasks: { readonly hashKey: (key: string) => string; readonly upstreams: Pick<Upstreams, 'ask'> }
}

const limits = { timeoutMs: 30_000, maxBytes: 64 * 1024 }

/**
 * Asks the channel of a drawing for its seed.
 * @param path at the upstream, with the query
 * @throws RelayError
 */
export async function readSeed(
  { task, channel }: Origin,
  path: string,
  { tasks: { hashKey, upstreams } }: SeedDependencies,
): Promise<PassedReply> {
  const service = channel.provider.tasks?.drawing
  if (service === undefined)
    throw new RelayError('unsupported_endpoint', 'The channel makes no drawings any more.')
  const keyIndex = accountKey(channel, task.keyHash, hashKey)
  const endpoint = { ...service.endpoint(path, channelTarget(channel, keyIndex)), method: 'GET' } as const
  const asking = readSmall(() => upstreams.ask({ channel, keyIndex, endpoint, body: '' }), limits)
  const response = await asking.catch(unreachable)
  if (response.status >= 200 && response.status < 300) return response
  const error = channel.provider.decodeError(response)
  throw refusalFor(error, channel, error)
}

function unreachable(cause: unknown): SmallResponse {
  const isSlow = cause instanceof OutboundError && cause.failure === 'timeout'
  throw isSlow
    ? new RelayError('upstream_timeout', 'The upstream did not answer in time.', { cause })
    : new RelayError('upstream_unreachable', 'The upstream could not be reached.', { cause })
}
