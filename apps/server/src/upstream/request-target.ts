import { getOrInsert } from '@tollgate/base'
import { type HttpTarget, httpTarget } from '@tollgate/http/client'
import type { ChannelTarget, Provider, Target, UpstreamEndpoint } from '@tollgate/providers'

/** Address and headers of a request, ready for our own client or the runtime's `fetch`. */
export interface RequestTarget extends HttpTarget {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

/** Headers of every request. Decompressing a response would cost more than its bytes on the wire. */
const commonHeaders = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'content-type': 'application/json',
  'user-agent': 'Tollgate',
}

/**
 * @param caller the caller's forwarded fields; the endpoint's own take precedence, and an empty one removes the caller's
 * Throws `TypeError` for an invalid address, or a header that cannot be sent.
 */
export function requestTarget(
  { method = 'POST', url, headers }: UpstreamEndpoint,
  caller: Readonly<Record<string, string>> = {},
): RequestTarget {
  const all = new Headers({ ...commonHeaders, ...caller })
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') all.delete(name)
    else all.set(name, value)
  }
  // A WebSocket starts as an HTTP request.
  return { ...httpTarget(url.replace(/^ws(?=s?:)/i, 'http'), all), method, url, headers: all }
}

/** Cached targets of one operation of a channel. */
const storedPerOperation = 256

/** Facts that distinguish the targets of one operation of a channel. */
export interface TargetFacts {
  readonly keyIndex: number
  readonly upstreamModel: string
  readonly callerModel?: string
  readonly stream: boolean
  readonly query: string
  readonly callerHeaders: Readonly<Record<string, string>>
}

/**
 * Caches targets, because making one costs as much as sending to it. A changed channel is a new object, so that no cached
 * target is stale, and targets are collected with their channel. The operation is a key itself: two operations never share a
 * target, whatever they have in common.
 */
export class RequestTargets<Channel extends object, Key extends object> {
  readonly #all = new WeakMap<Channel, WeakMap<Key, Map<string, RequestTarget>>>()

  find(channel: Channel, operation: Key, facts: TargetFacts, make: () => RequestTarget): RequestTarget {
    const operations = getOrInsert(this.#all, channel, () => new WeakMap<Key, Map<string, RequestTarget>>())
    const retained = getOrInsert(operations, operation, () => new Map<string, RequestTarget>())
    const cacheKey = cacheKeyOf(facts)
    const known = retained.get(cacheKey)
    if (known !== undefined) return known
    const made = make()
    if (retained.size === storedPerOperation) retained.clear()
    retained.set(cacheKey, made)
    return made
  }
}

/** The lengths keep texts apart that callers write, so that no two facts get the same key. */
function cacheKeyOf({
  keyIndex,
  upstreamModel,
  callerModel,
  stream,
  query,
  callerHeaders,
}: TargetFacts): string {
  const models = `${upstreamModel.length} ${upstreamModel}${callerModel?.length ?? ''} ${callerModel ?? ''}`
  return `${keyIndex}${stream ? 's' : 'w'}${models}${query.length} ${query}${headersText(callerHeaders)}`
}

const noHeadersText = ''

/** Writes header fields as text: no value holds a line break. */
function headersText(headers: Readonly<Record<string, string>>): string {
  let text = noHeadersText
  for (const name in headers) text += `${name}:${headers[name]}\n`
  return text
}

/** A channel as far as sending to its upstream needs it. */
export interface UpstreamChannel {
  readonly provider: Provider
  /** Address without trailing slash; the provider's default when the operator set none. */
  readonly baseUrl: string
  /** False when a user below root chose the address: it must not lead into private networks then. */
  readonly baseUrlTrusted: boolean
  readonly openaiOrganization: string
  readonly other: string
  readonly keys: readonly string[]
  /** Names of models at the upstream by the callers' names; empty when absent. */
  readonly modelMapping?: ReadonlyMap<string, string>
  readonly setting: {
    /** http(s) or socks5 proxy for every call; empty for none. */
    readonly proxy: string
    readonly stripsDeploymentDots?: boolean
  }
}

export function channelTarget(channel: UpstreamChannel, keyIndex: number): ChannelTarget {
  const { baseUrl, openaiOrganization, other, keys, setting } = channel
  const target = { baseUrl, key: keys[keyIndex] ?? '', openaiOrganization, other }
  return setting.stripsDeploymentDots === true ? { ...target, stripsDeploymentDots: true } : target
}

interface ModelTarget {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly upstreamModel: string
  readonly callerModel?: string
}

export function callTarget({ channel, keyIndex, upstreamModel, callerModel }: ModelTarget): Target {
  const isMapped = [...(channel.modelMapping?.values() ?? [])].includes(upstreamModel)
  const target = { ...channelTarget(channel, keyIndex), upstreamModel, isMapped }
  return callerModel === undefined ? target : { ...target, callerModel }
}
