import type { Role } from '@tollgate/api'
import {
  OutboundForbiddenError,
  type OutboundGuard,
  OutboundUnresolvedError,
} from '../../lib/outbound/outbound-guard.ts'
import { Refusal } from '../../lib/refusal.ts'

/** Where calls of a channel are sent. */
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

/** The default address of a provider may fail to resolve for now. Only root may use one that is private. */
async function refusePrivateDefault(guard: OutboundGuard, url: string): Promise<void> {
  try {
    await guard.check(url)
  } catch (cause) {
    if (cause instanceof OutboundForbiddenError) throw new Refusal('channel_address_forbidden', {}, { cause })
    if (!(cause instanceof OutboundUnresolvedError)) throw cause
  }
}
