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

/** Addresses of one channel, with the one asked for last at hand: most channels are asked for one over and over. */
class ChannelAddresses {
  #mode: RelayMode | undefined
  #keyIndex = 0
  #upstreamModel = ''
  #last: UpstreamAddress | undefined
  readonly #all = new Map<string, UpstreamAddress>()
  readonly #origins: Map<string, string>

  constructor(origins: Map<string, string>) {
    this.#origins = origins
  }

  find(channel: RoutedChannel, mode: RelayMode, keyIndex: number, upstreamModel: string): UpstreamAddress {
    const isLast = mode === this.#mode && keyIndex === this.#keyIndex && upstreamModel === this.#upstreamModel
    if (isLast && this.#last !== undefined) return this.#last
    const address = this.#findAmongAll(channel, mode, keyIndex, upstreamModel)
    this.#mode = mode
    this.#keyIndex = keyIndex
    this.#upstreamModel = upstreamModel
    this.#last = address
    return address
  }

  #findAmongAll(
    channel: RoutedChannel,
    mode: RelayMode,
    keyIndex: number,
    upstreamModel: string,
  ): UpstreamAddress {
    const place = `${mode} ${keyIndex} ${upstreamModel}`
    const known = this.#all.get(place)
    if (known !== undefined) return known
    if (this.#all.size === keptPerChannel) this.#all.clear()
    const composed = addressOf(channel, mode, keyIndex, upstreamModel)
    const address = { ...composed, origin: entryOf(this.#origins, composed.origin, (origin) => origin) }
    this.#all.set(place, address)
    return address
  }
}

/**
 * Works out each address once: composing one costs as much as sending to it. A channel that changes is another
 * object, so what is kept is never stale and goes with it.
 */
export function createAddressBook(): AddressBook {
  /** One string for all channels at one host: connections are found by it, for every call. */
  const origins = new Map<string, string>()
  const book = new WeakMap<RoutedChannel, ChannelAddresses>()
  return (channel, mode, keyIndex, upstreamModel) => {
    const known = book.get(channel)
    if (known !== undefined) return known.find(channel, mode, keyIndex, upstreamModel)
    const addresses = new ChannelAddresses(origins)
    book.set(channel, addresses)
    return addresses.find(channel, mode, keyIndex, upstreamModel)
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
