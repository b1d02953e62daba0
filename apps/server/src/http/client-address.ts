import { detachedCopy } from '@tollgate/base'
import type { HeaderFields } from '@tollgate/http/server'
import { canonicalAddress, createAddressMatcher, parseAddressRange } from '../lib/addresses.ts'

/** Who sent a request: the other end of its connection, and what it says of whom it sends it for. */
export interface Sender {
  /** Empty when nobody knows. */
  readonly peerAddress: string
  readonly headers: HeaderFields
}

/** Bindings that the console's router passes with every request. */
export interface EdgeBindings {
  readonly sender?: Sender
}

export interface ClientAddresses {
  /**
   * Who is really calling: the peer, or what a trusted proxy says of it. Empty when nobody knows (a call made in
   * process), which no address rule allows.
   */
  of(sender: Sender | undefined): string
  /** Whether the caller reached the trusted proxy before us by https. */
  isSecure(sender: Sender | undefined): boolean
}

/**
 * @param trustedProxies addresses and CIDR ranges whose forwarding headers are believed; nobody else's are,
 * because anybody can send them.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const ranges = trustedProxies.flatMap((text) => parseAddressRange(text) ?? [])
  const isTrusted = createAddressMatcher(ranges)
  if (ranges.length === 0) return { of: peerOf, isSecure: () => false }
  return {
    of(sender) {
      const peer = peerOf(sender)
      const forwarded = isTrusted(peer) ? sender?.headers.get('x-forwarded-for') : null
      // Limits remember addresses; the head that one was cut out of should not stay with it.
      return forwarded == null ? peer : detachedCopy(nearestUntrusted(forwarded, peer, isTrusted))
    },
    isSecure(sender) {
      const protocol = isTrusted(peerOf(sender)) ? sender?.headers.get('x-forwarded-proto') : null
      return protocol != null && lastOf(protocol) === 'https'
    },
  }
}

function peerOf(sender: Sender | undefined): string {
  return canonicalAddress(sender?.peerAddress ?? '') ?? ''
}

function lastOf(list: string): string {
  return list
    .slice(list.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase()
}

/** Every proxy appends whom it heard, so the list is true from its right end up to the first stranger. */
function nearestUntrusted(forwarded: string, peer: string, isTrusted: (address: string) => boolean): string {
  let nearest = peer
  for (const hop of forwarded.split(',').reverse()) {
    const address = canonicalAddress(withoutPort(hop.trim()))
    if (address === undefined) return nearest
    nearest = address
    if (!isTrusted(address)) return nearest
  }
  return nearest
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write them. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)
  if (bracketed !== null) return bracketed[1] ?? ''
  return /^[^:]*:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop
}
