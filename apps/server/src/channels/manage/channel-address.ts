import type { Role } from '@tollgate/api'
import {
  OutboundForbiddenError,
  type OutboundGuard,
  OutboundUnresolvedError,
} from '../../lib/outbound/outbound-guard.ts'
import { Refusal } from '../../lib/refusal.ts'

/** Route of a channel's calls. */
export interface ChannelRoute {
  /** Empty for the provider's own address. */
  readonly baseUrl: string
  readonly defaultBaseUrl: string
  readonly proxy: string
}

/**
 * Checks the addresses of a channel for the role that sets them. Root may use any; others may use the public internet
 * and the ranges that root allowed. Returns whether the route was set by root. Throws `Refusal`.
 */
export async function checkRoute(route: ChannelRoute, role: Role, guard: OutboundGuard): Promise<boolean> {
  if (route.baseUrl === '' && route.defaultBaseUrl === '') throw new Refusal('channel_base_url_required')
  if (role === 'root') return true
  if (route.baseUrl !== '') await refuseForbidden(guard, route.baseUrl, 'channel_address_forbidden')
  else await refusePrivateDefault(guard, route.defaultBaseUrl)
  if (route.proxy !== '') await refuseForbidden(guard, hostAddress(route.proxy), 'channel_proxy_forbidden')
  return false
}

/** A transaction needs to know whether a route is allowed, and must not wait for a name server. */
class UncheckedRouteError extends Error {
  override readonly name = 'UncheckedRouteError'
}

/** Verdicts on the routes that a role wants to set, filled by the checks between two tries. */
export class RouteChecks {
  readonly #role: Role
  readonly #guard: OutboundGuard
  readonly #verdicts = new Map<string, { readonly trusted: boolean } | { readonly error: unknown }>()
  readonly #wanted = new Map<string, ChannelRoute>()

  constructor(role: Role, guard: OutboundGuard) {
    this.#role = role
    this.#guard = guard
  }

  /** Decides whether root set the route; throws the `Refusal` of one that the role may not set. */
  verdict(route: ChannelRoute): boolean {
    const key = JSON.stringify(route)
    const known = this.#verdicts.get(key)
    if (known === undefined) {
      this.#wanted.set(key, route)
      throw new UncheckedRouteError('the route is not checked yet')
    }
    if ('error' in known) throw known.error
    return known.trusted
  }

  /** Runs `work`, which decides by verdicts: again and again, after finding out in between what it lacked. */
  async decide<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await work().catch((error: unknown) => {
        if (!(error instanceof UncheckedRouteError)) throw error
        return error
      })
      if (!(result instanceof UncheckedRouteError)) return result
      await this.#findOut()
    }
  }

  /** Runs `work` for each item, so that all that they lack is found out at once. */
  forEach<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Result[] {
    const results = items.flatMap((item) => {
      try {
        return [work(item)]
      } catch (error) {
        if (error instanceof UncheckedRouteError) return []
        throw error
      }
    })
    if (this.#wanted.size > 0) throw new UncheckedRouteError('routes are not checked yet')
    return results
  }

  async #findOut(): Promise<void> {
    for (const [key, route] of this.#wanted)
      this.#verdicts.set(
        key,
        await checkRoute(route, this.#role, this.#guard).then(
          (trusted) => ({ trusted }),
          (error: unknown) => ({ error }),
        ),
      )
    this.#wanted.clear()
  }
}

/** The platform parses hosts, in the form that the guard knows, only in http(s) addresses. */
function hostAddress(proxy: string): string {
  return proxy.replace(/^socks5h?:/i, 'http:')
}

async function refuseForbidden(
  guard: OutboundGuard,
  url: string,
  code: 'channel_address_forbidden' | 'channel_proxy_forbidden',
): Promise<void> {
  try {
    await guard.check(url)
  } catch (cause) {
    if (cause instanceof OutboundForbiddenError) throw new Refusal(code, {}, { cause })
    if (cause instanceof OutboundUnresolvedError)
      throw new Refusal('channel_base_url_unresolved', {}, { cause })
    throw cause
  }
}

/** Refuses a private default address to all but root; one that fails to resolve for now passes. */
async function refusePrivateDefault(guard: OutboundGuard, url: string): Promise<void> {
  try {
    await guard.check(url)
  } catch (cause) {
    if (cause instanceof OutboundForbiddenError) throw new Refusal('channel_address_forbidden', {}, { cause })
    if (!(cause instanceof OutboundUnresolvedError)) throw cause
  }
}
