import type { LookupAddress } from 'node:dns'
import { lookup as resolveHost } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Clock, systemClock } from '@tollgate/base'
import { createReadThroughCache } from '../async/read-through-cache.ts'
import { type AddressRange, createAddressMatcher, destinationsOf, parseAddressRange } from './addresses.ts'

/**
 * The host resolves to an address that the gateway must not connect to. The message names the host, for the log alone.
 */
export class OutboundForbiddenError extends Error {
  override readonly name = 'OutboundForbiddenError'
}

/** The host resolves to no address now. */
export class OutboundUnresolvedError extends Error {
  override readonly name = 'OutboundUnresolvedError'
}

interface GuardDependencies {
  /** Addresses and CIDR ranges that root opened; another list when they changed. */
  readonly allowedRanges: () => readonly string[]
  readonly lookup?: (host: string) => Promise<readonly string[]>
  readonly clock?: Clock
}

/** Every range outside the public internet. IANA special-purpose registries, and Azure's in-host metadata address. */
const closedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Unspecified, loopback and the old form of IPv4 inside IPv6.
  '::/96',
  // For translators inside a network, which may put the IPv4 address in any of several places (RFC 8215).
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
]

const cacheMs = 30_000
const lookupTimeoutMs = 5_000
const maximumHosts = 1000

function rangesOf(texts: readonly string[]): AddressRange[] {
  return texts.flatMap((text) => parseAddressRange(text.trim()) ?? [])
}

const isClosed = createAddressMatcher(rangesOf(closedRanges))

/** The system's resolver cannot be cancelled; a caller stops waiting for it all the same. */
async function systemLookup(host: string): Promise<readonly string[]> {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<readonly LookupAddress[]>()
  const timer = setTimeout(() => giveUp([]), lookupTimeoutMs)
  try {
    const found = await Promise.race([resolveHost(host, { all: true }), givenUp])
    return found.map((entry) => entry.address)
  } finally {
    clearTimeout(timer)
  }
}

/** A host that was looked up, and the verdict on it while these ranges were open. */
interface Host {
  readonly addresses: readonly string[]
  decidedFor: readonly string[] | undefined
  forbidden: string | undefined
}

/** The one gate for requests whose address a role below root can influence. */
export function createOutboundGuard({
  allowedRanges,
  lookup = systemLookup,
  clock = systemClock,
}: GuardDependencies) {
  const hosts = createReadThroughCache<string, Host>({
    async load(name) {
      const addresses = isIP(name) === 0 ? await lookup(name).catch(() => []) : [name]
      // A failed look-up is not cached: the operator who repairs it should not wait.
      return addresses.length === 0 ? undefined : { addresses, decidedFor: undefined, forbidden: undefined }
    },
    maximum: maximumHosts,
    clock,
    absentMs: 0,
    presentMs: cacheMs,
  })

  return {
    /**
     * The addresses of the URL's host, each of them allowed. Connect to one of these and not to the name: a second
     * look-up may return other addresses. Throws `OutboundForbiddenError` or `OutboundUnresolvedError`.
     */
    async check(url: string | URL): Promise<readonly string[]> {
      const name = hostOf(url)
      const host = await hosts.find(name)
      if (host === undefined) throw new OutboundUnresolvedError(`the host ${name} has no address`)
      decide(host, allowedRanges())
      if (host.forbidden === undefined) return host.addresses
      throw new OutboundForbiddenError(`the host ${name} stands for ${host.forbidden}, which is not public`)
    },
  }
}

export type OutboundGuard = ReturnType<typeof createOutboundGuard>

/** Once per look-up and list of ranges: calls of a channel that an administrator set all pass here. */
function decide(host: Host, ranges: readonly string[]): void {
  if (host.decidedFor === ranges) return
  const isOpened = createAddressMatcher(rangesOf(ranges))
  const isForbidden = (address: string) => isClosed(address) && !isOpened(address)
  host.forbidden = host.addresses.find(
    (address) => !isOpened(address) && destinationsOf(address).some(isForbidden),
  )
  host.decidedFor = ranges
}

/** Host of a URL in the form of the resolver: without the brackets of an IPv6 address. */
function hostOf(url: string | URL): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
