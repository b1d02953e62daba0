import { canonicalAddress, createAddressMatcher, parseAddressRange } from '../lib/addresses.ts'

/** What Bun's server knows of, and does for, the other end of a connection. */
export interface PeerLookup {
  requestIP(request: Request): { readonly address: string } | null
  /** Lets the connection of a request stay silent for so many seconds; 0 for as long as it likes. */
  timeout?(request: Request, seconds: number): void
}

/** Bindings that the server passes with every request. */
export interface EdgeBindings {
  readonly server?: PeerLookup
}

export interface ClientAddresses {
  /**
   * Who is really calling: the peer, or what a trusted proxy says of it. Empty when nobody knows (a call made in
   * process), which no address rule allows.
   */
  of(request: Request, peers: PeerLookup | undefined): string
  /** Whether the caller reached us, or the trusted proxy before us, by https. */
  isSecure(request: Request, peers: PeerLookup | undefined): boolean
}

/**
 * @param trustedProxies addresses and CIDR ranges whose forwarding headers are believed; nobody else's are,
 * because anybody can send them.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const ranges = trustedProxies.flatMap((text) => parseAddressRange(text) ?? [])
  const isTrusted = createAddressMatcher(ranges)
  if (ranges.length === 0) return { of: peerOf, isSecure: isHttps }
  return {
    of(request, peers) {
      const peer = peerOf(request, peers)
      const forwarded = isTrusted(peer) ? request.headers.get('x-forwarded-for') : null
      return forwarded === null ? peer : nearestUntrusted(forwarded, peer, isTrusted)
    },
    isSecure(request, peers) {
      if (isHttps(request)) return true
      const protocol = request.headers.get('x-forwarded-proto')
      return protocol !== null && isTrusted(peerOf(request, peers)) && lastOf(protocol) === 'https'
    },
  }
}

function peerOf(request: Request, peers: PeerLookup | undefined): string {
  const reported = peers?.requestIP(request)?.address
  return reported === undefined ? '' : (canonicalAddress(reported) ?? '')
}

function isHttps(request: Request): boolean {
  return request.url.startsWith('https:')
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
