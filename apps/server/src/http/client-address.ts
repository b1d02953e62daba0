import { detachedCopy } from '@tollgate/base'
import type { HeaderFields } from '@tollgate/http/server'
import { canonicalAddress, createAddressMatcher, parseAddressRange } from '../lib/outbound/addresses.ts'

/** The sender of a request: the peer of its connection, and the headers in which a proxy names its client. */
export interface Sender {
  /** Empty when the peer is unknown. */
  readonly peerAddress: string
  readonly headers: HeaderFields & {
    /** HTTP/1.0. */
    readonly isOld?: boolean
  }
}

/** Bindings that the console's router passes with every request. */
export interface EdgeBindings {
  readonly sender?: Sender
}

/** The client that a rate limit counts a request for. */
export interface LimitSubject {
  /** `undefined` when a proxy does not name its client. */
  readonly address: string | undefined
  /** A proxy that names no client, or is not trusted: all clients behind it also share one wide limit. */
  readonly proxy?: string
}

interface Options {
  /** Addresses and CIDR ranges of trusted proxies. Forwarding headers of others are ignored: any client can send them. */
  readonly trustedProxies: readonly string[]
  /** The option `ServerAddress`, as it is now. */
  readonly serverAddress: () => string
  /** Called once. */
  readonly onUntrustedProxy?: (address: string) => void
}

export function createClientAddresses(options: Options) {
  const { trustedProxies, serverAddress, onUntrustedProxy } = options
  const isTrusted = trustedProxies.length === 0 ? () => false : matcherOf(trustedProxies)
  let untrustedProxy = ''

  function of(sender: Sender | undefined): string {
    const peer = peerOf(sender)
    const forwarded = isTrusted(peer) ? sender?.headers.get('x-forwarded-for') : null
    // Limits hold addresses for long; a copy lets the request head, of which the address is a slice, be collected.
    return forwarded == null ? peer : detachedCopy(nearestUntrusted(forwarded, peer, isTrusted))
  }

  function isLocal(sender: Sender | undefined): boolean {
    if (sender === undefined || !isLoopback(peerOf(sender))) return false
    return isLoopbackHost(sender.headers.get('host') ?? '') && !isForwarded(sender)
  }

  function note(proxy: string): void {
    if (untrustedProxy !== '') return
    untrustedProxy = proxy
    onUntrustedProxy?.(proxy)
  }

  return {
    /**
     * Returns the client's address: the peer, or the address that a trusted proxy names. Empty when unknown (a call made in
     * process), which no address rule allows.
     */
    of,
    /** Decides whether a peer is a proxy that the operator trusts: many clients come from its address. */
    isTrustedProxy: (peerAddress: string): boolean => isTrusted(canonicalAddress(peerAddress) ?? ''),
    /** Decides whether a program on this machine sent it, by a loopback name and with no trace of a proxy. */
    isLocal,
    /**
     * Decides whether the caller came by https: a trusted proxy says so, or the site's own address is https and the caller is not on
     * this machine.
     */
    isSecure(sender: Sender | undefined): boolean {
      const protocol = isTrusted(peerOf(sender)) ? sender?.headers.get('x-forwarded-proto') : null
      if (protocol != null && lastOf(protocol) === 'https') return true
      return serverAddress().startsWith('https:') && !isLocal(sender)
    },
    /** Returns the client to count. Only this uses what an untrusted proxy says; it also records such proxies. */
    limitSubject(sender: Sender | undefined): LimitSubject {
      const peer = peerOf(sender)
      if (sender !== undefined && isTrusted(peer)) return named(of(sender), peer)
      if (sender === undefined || !isPrivate(peer)) return { address: peer }
      if (isForwarded(sender)) note(peer)
      return { address: claimedAddress(sender, peer), proxy: peer }
    },
    /** Private address that forwards requests without being trusted, the first that was seen; empty while there is none. */
    get untrustedProxy(): string {
      return untrustedProxy
    },
  }
}

export type ClientAddresses = ReturnType<typeof createClientAddresses>

/** Returns the subject of limits by the word of a trusted proxy. */
function named(address: string, proxy: string): LimitSubject {
  return address === proxy ? { address: undefined, proxy } : { address }
}

function matcherOf(texts: readonly string[]): (address: string) => boolean {
  return createAddressMatcher(texts.flatMap((text) => parseAddressRange(text) ?? []))
}

const isLoopback = matcherOf(['127.0.0.0/8', '::1'])

/** Networks of proxies, homes and offices: loopback, private, shared (RFC 6598), link-local, unique local. */
const isPrivate = matcherOf([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/** Fields that proxies, content networks and tunnels add to a request. */
const forwardingHeaders = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-server',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cdn-loop',
  'fastly-client-ip',
  'fly-client-ip',
  'x-envoy-external-address',
]

/** An nginx without forwarding headers shows itself only by HTTP/1.0, which no browser sends. */
function isForwarded({ headers }: Sender): boolean {
  return headers.isOld === true || forwardingHeaders.some((name) => headers.get(name) !== null)
}

/** Recognises a loopback name: a page of another site can lead its name to this machine, so the requested name has to be one. */
function isLoopbackHost(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    isLoopback(hostname.replace(/^\[|\]$/g, ''))
  )
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

/** The client behind an untrusted proxy, as the proxy claims; skips further proxies of private networks in between. */
function claimedAddress({ headers }: Sender, proxy: string): string | undefined {
  const list = headers.get('x-forwarded-for') ?? headers.get('x-real-ip')
  const claimed = list === null ? proxy : nearestUntrusted(list, proxy, isPrivate)
  return claimed === proxy ? undefined : detachedCopy(claimed)
}

/**
 * Returns the nearest untrusted address: every proxy appends its peer, so the list is reliable from its right end up to that one.
 */
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
