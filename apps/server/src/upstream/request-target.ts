import { getOrInsert } from '@tollgate/base'
import { type HttpTarget, httpTarget } from '@tollgate/http/client'
import type { UpstreamEndpoint } from '@tollgate/providers'

/** Where a request goes, ready to be sent: by our own client, or by the runtime's `fetch`. */
export interface RequestTarget extends HttpTarget {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

/** Beside the channel's own. Unpacking an answer costs more than its bytes on the way to us. */
const commonHeaders = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'content-type': 'application/json',
  'user-agent': 'Tollgate',
}

/**
 * @param caller fields of the caller that go along; the endpoint's own come before them, and an empty one takes them away
 * Throws `TypeError` for an address that is none, or a header that cannot be sent.
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
  // A WebSocket begins as a request of HTTP.
  return { ...httpTarget(url.replace(/^ws(?=s?:)/i, 'http'), all), method, url, headers: all }
}

/** Targets of one channel that are kept. */
const keptPerChannel = 256

/**
 * Makes each target once: making one costs as much as sending to it. A channel that changes is another object, so what
 * is kept is never stale and goes with it.
 */
export class RequestTargets<Channel extends object> {
  readonly #all = new WeakMap<Channel, Map<string, RequestTarget>>()

  /** @param place whatever the target depends on beside the channel */
  find(channel: Channel, place: string, make: () => RequestTarget): RequestTarget {
    const kept = getOrInsert(this.#all, channel, () => new Map<string, RequestTarget>())
    const known = kept.get(place)
    if (known !== undefined) return known
    const made = make()
    if (kept.size === keptPerChannel) kept.clear()
    kept.set(place, made)
    return made
  }
}
