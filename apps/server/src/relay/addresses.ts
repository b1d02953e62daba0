import type { RelayMode } from '@tollgate/providers'
import type { RoutedChannel } from '../channels/routing-types.ts'
import { type HttpTarget, httpTarget } from '../lib/http-client/http-client.ts'

/** Where a call goes, as it is sent. */
export interface UpstreamAddress {
  readonly url: string
  readonly headers: Headers
  /** The same, composed for our own client. */
  readonly target: HttpTarget
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

/** Keys and models of one channel whose addresses are kept. */
const keptPerChannel = 256

/**
 * Works out each address once: composing one costs as much as sending to it. A channel that changes is another
 * object, so what is kept is never stale and goes with it.
 */
export function createAddressBook(): AddressBook {
  const book = new WeakMap<RoutedChannel, Map<string, UpstreamAddress>>()

  function addressesOf(channel: RoutedChannel): Map<string, UpstreamAddress> {
    const known = book.get(channel)
    if (known !== undefined && known.size < keptPerChannel) return known
    const fresh = new Map<string, UpstreamAddress>()
    book.set(channel, fresh)
    return fresh
  }

  return (channel, mode, keyIndex, upstreamModel) => {
    const addresses = addressesOf(channel)
    const place = `${mode} ${keyIndex} ${upstreamModel}`
    const known = addresses.get(place)
    if (known !== undefined) return known
    const address = addressOf(channel, mode, keyIndex, upstreamModel)
    addresses.set(place, address)
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
  return { url, headers: all, target: httpTarget(url, all) }
}
