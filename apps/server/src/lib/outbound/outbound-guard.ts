import type { LookupAddress } from 'node:dns'
import { lookup as resolveHost } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Clock, monotonicClock } from '@tollgate/base'
import { createReadThroughCache } from '../async/read-through-cache.ts'
import { createAddressMatcher } from './addresses.ts'
import { leadsOutside, rangesOf } from './public-addresses.ts'

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
  /** Monotonic: a change of the wall clock must not keep a look-up for long. */
  readonly clock?: Clock
}

const cacheMs = 30_000
const lookupTimeoutMs = 5_000
const maxHosts = 1000

/** Looks a host up by the system's resolver, which cannot be cancelled; a caller stops waiting for it all the same. */
async function systemLookup(host: string): Promise<readonly string[]> {
  const { promise: abandoned, resolve: giveUp } = Promise.withResolvers<readonly LookupAddress[]>()
  const timer = setTimeout(() => giveUp([]), lookupTimeoutMs)
  try {
    const found = await Promise.race([resolveHost(host, { all: true }), abandoned])
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
  clock = monotonicClock,
}: GuardDependencies) {
  const hosts = createReadThroughCache<string, Host>({
    async load(name) {
      const addresses = isIP(name) === 0 ? await lookup(name).catch(() => []) : [name]
      // A failed look-up is not cached: the operator who repairs it should not wait.
      return addresses.length === 0 ? undefined : { addresses, decidedFor: undefined, forbidden: undefined }
    },
    max: maxHosts,
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
  host.forbidden = host.addresses.find((address) => !isOpened(address) && !leadsOutside(address, isOpened))
  host.decidedFor = ranges
}

/** Host of a URL in the form of the resolver: without the brackets of an IPv6 address. */
function hostOf(url: string | URL): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}
