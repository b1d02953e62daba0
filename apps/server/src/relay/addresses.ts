import type { RelayMode } from '@tollgate/providers'
import type { RoutedChannel } from '../channels/routing-types.ts'
import { entryOf } from '../lib/entry-of.ts'
import { type HttpTarget, httpTarget } from '../lib/http-client/http-client.ts'

/** Where a call goes: as our own client sends it, and as `fetch` does. */
export interface UpstreamAddress extends HttpTarget {
  readonly url: string
  readonly headers: Headers
}

/**
 * The address for calls of one mode, with one key of a channel, for one of its models. Throws `TypeError` for a base
 * URL or a key that cannot be sent.
 */
export type AddressBook = (
  channel: RoutedChannel,
  mode: RelayMode,
  keyIndex: number,
  upstreamModel: string,
) => UpstreamAddress

/** Beside the channel's own. Unpacking an answer costs more than its bytes on the way to us. */
const commonHeaders = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'content-type': 'application/json',
  'user-agent': 'Tollgate',
} as const

/** Addresses of one channel that are kept. */
const keptPerChannel = 256

/** An address and what it was composed for. */
interface KeptAddress extends UpstreamAddress {
  readonly mode: RelayMode
  readonly keyIndex: number
  readonly upstreamModel: string
}

type KeptAddresses = Map<string, KeptAddress>

const noAddress = (): KeptAddresses => new Map()

/**
 * Works out each address once: composing one costs as much as sending to it. A channel that changes is another
 * object, so what is kept is never stale and goes with it.
 */
export function createAddressBook(): AddressBook {
  /** One string for all channels at one host: connections are found by it, for every call. */
  const origins = new Map<string, string>()
  /** Most channels are asked for one address over and over. */
  const latest = new WeakMap<RoutedChannel, KeptAddress>()
  const all = new WeakMap<RoutedChannel, KeptAddresses>()

  function findAmongAll(
    channel: RoutedChannel,
    mode: RelayMode,
    keyIndex: number,
    upstreamModel: string,
  ): KeptAddress {
    const kept = entryOf(all, channel, noAddress)
    const place = `${mode} ${keyIndex} ${upstreamModel}`
    const known = kept.get(place)
    if (known !== undefined) return known
    if (kept.size === keptPerChannel) kept.clear()
    const { url, headers, head, endpoint, origin } = addressOf(channel, mode, keyIndex, upstreamModel)
    const address = {
      // What every call looks at comes first: fields lie in memory in the order in which they are written here.
      mode,
      keyIndex,
      upstreamModel,
      head,
      origin: entryOf(origins, origin, (name) => name),
      endpoint,
      url,
      headers,
    }
    kept.set(place, address)
    return address
  }

  return (channel, mode, keyIndex, upstreamModel) => {
    const last = latest.get(channel)
    const isIt = last?.mode === mode && last.keyIndex === keyIndex && last.upstreamModel === upstreamModel
    if (isIt) return last
    const address = findAmongAll(channel, mode, keyIndex, upstreamModel)
    latest.set(channel, address)
    return address
  }
}

function addressOf(
  channel: RoutedChannel,
  mode: RelayMode,
  keyIndex: number,
  upstreamModel: string,
): UpstreamAddress {
  const { url, headers } = channel.provider.endpoint(mode, {
    baseUrl: channel.baseUrl,
    key: channel.keys[keyIndex] ?? '',
    upstreamModel,
    openaiOrganization: channel.openaiOrganization,
    other: channel.other,
  })
  const all = new Headers({ ...commonHeaders, ...headers })
  return { ...httpTarget(url, all), url, headers: all }
}
