import { createHttpClient } from '@tollgate/http/client'
import type { ChannelTarget, Operation, Provider } from '@tollgate/providers'
import type { OutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import { createTokenExchange } from '../credentials.ts'
import { readSmall, type SmallResponse } from '../query.ts'
import type { UpstreamChannel } from '../request-target.ts'
import { createTransport } from '../transport.ts'
import { createUpstreams, type UpstreamCall, type Upstreams } from '../upstreams.ts'

/** The way out as the server has it, for providers and upstreams of the test's own. */
export interface UpstreamWorld {
  readonly upstreams: Upstreams
  send(call: UpstreamCall): Promise<SmallResponse>
  close(): void
}

interface WorldOptions {
  readonly guard?: OutboundGuard
  readonly isProxied?: boolean
}

const openGuard: OutboundGuard = { check: async () => ['127.0.0.1'] }

export function startUpstreamWorld({
  guard = openGuard,
  isProxied = false,
}: WorldOptions = {}): UpstreamWorld {
  const client = createHttpClient()
  const transport = createTransport({ client, isProxied })
  const upstreams = createUpstreams({ transport, tokens: createTokenExchange(), guard })
  return {
    upstreams,
    send: (call) => readSmall(() => upstreams.send(call), { timeoutMs: 5000, maxBytes: 1 << 20 }),
    close: () => client.close(),
  }
}

/** A provider with one operation. */
export function providerOf(operation: Operation, more: Pick<Provider, 'credential'>): Provider {
  return {
    id: 'test',
    defaultBaseUrl: '',
    modes: ['chat'],
    operation: () => operation,
    decodeError: operation.decodeError,
    ...more,
  }
}

export function channelOf(
  provider: Provider,
  { baseUrl, key }: Pick<ChannelTarget, 'baseUrl' | 'key'>,
  more: Partial<UpstreamChannel> = {},
): UpstreamChannel {
  return {
    provider,
    baseUrl,
    baseUrlTrusted: true,
    openaiOrganization: '',
    other: '',
    keys: [key],
    setting: { proxy: '' },
    ...more,
  }
}

export function callOf(
  channel: UpstreamChannel,
  operation: Operation,
  more: Partial<UpstreamCall> = {},
): UpstreamCall {
  return {
    channel,
    keyIndex: 0,
    operation,
    upstreamModel: 'm',
    stream: false,
    body: '{}',
    callerHeaders: {},
    query: '',
    ...more,
  }
}
