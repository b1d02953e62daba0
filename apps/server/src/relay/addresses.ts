import { getOrInsert } from '@tollgate/base'
import { httpTarget } from '@tollgate/http/client'
import type { RelayMode } from '@tollgate/providers'
import type { ChannelAddress, RoutedChannel } from '../channels/routing-types.ts'

/** Where a call goes. */
export type UpstreamAddress = Omit<ChannelAddress, 'mode' | 'keyIndex' | 'upstreamModel'>

/**
 * The address for calls of one mode, with one key of a channel, for one of its models. Throws `TypeError` for a base
 * URL or a key that cannot be sent.
 */
export type AddressBook = (
  channel: RoutedChannel,
  mode: RelayMode,
  keyIndex: number,
  upstreamModel: string,
) => ChannelAddress

/** Beside the channel's own. Unpacking an answer costs more than its bytes on the way to us. */
const commonHeaders = new Headers({
  accept: '*/*',
  'accept-encoding': 'identity',
  'content-type': 'application/json',
  'user-agent': 'Tollgate',
})

/** Addresses of one channel that are kept. */
const keptPerChannel = 256
/** Texts that are kept for whoever has them in common, too; a caller's model may be part of one. */
const keptTexts = 4096

type KeptAddresses = Map<string, ChannelAddress>

const itself = (text: string) => text
const noAddress = (): KeptAddresses => new Map()

/**
 * Works out each address once: composing one costs as much as sending to it. A channel that changes is another
 * object, so what is kept is never stale and goes with it.
 */
export function createAddressBook(): AddressBook {
  /** One text for all channels that have it in common: connections are found by it, and calls find it near. */
  const texts = new Map<string, string>()
  const all = new WeakMap<RoutedChannel, KeptAddresses>()

  function theOne(text: string): string {
    if (texts.size === keptTexts) texts.clear()
    return getOrInsert(texts, text, itself)
  }

  function findAmongAll(
    channel: RoutedChannel,
    mode: RelayMode,
    keyIndex: number,
    upstreamModel: string,
  ): ChannelAddress {
    const kept = getOrInsert(all, channel, noAddress)
    const place = `${mode} ${keyIndex} ${upstreamModel}`
    const known = kept.get(place)
    if (known !== undefined) return known
    if (kept.size === keptPerChannel) kept.clear()
    const composed = addressOf(channel, mode, keyIndex, upstreamModel)
    const { url, headers, head, endpoint, origin } = composed
    const address = {
      // What every call looks at comes first: fields lie in memory in the order in which they are written here.
      mode,
      keyIndex,
      upstreamModel,
      head,
      origin: theOne(origin),
      endpoint,
      url,
      headers,
    }
    kept.set(place, address)
    return address
  }

  return (channel, mode, keyIndex, upstreamModel) => {
    const last = channel.lastAddress
    const isIt = last?.mode === mode && last.keyIndex === keyIndex && last.upstreamModel === upstreamModel
    if (isIt) return last
    const address = findAmongAll(channel, mode, keyIndex, upstreamModel)
    channel.lastAddress = address
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
  const all = new Headers(commonHeaders)
  for (const [name, value] of new Headers(headers)) all.set(name, value)
  return { ...httpTarget(url, all), url, headers: all }
}
