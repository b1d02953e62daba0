import type { Sender } from '../client-address.ts'

/**
 * Whether another site made the browser send this. Browsers say so in `Sec-Fetch-Site`; where they do not (plain
 * http), the Origin's host must be the one we were asked for, directly or before a proxy. Programs send neither.
 */
export function isForeign(request: Pick<Sender, 'headers'>): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = request.headers.get('origin')
  return origin !== null && !ownHosts(request).includes(hostOf(origin))
}

function ownHosts(request: Pick<Sender, 'headers'>): string[] {
  const forwarded = request.headers.get('x-forwarded-host')?.split(',')[0]?.trim()
  const requested = request.headers.get('host') ?? ''
  return forwarded === undefined ? [requested] : [requested, forwarded]
}

/** The opaque origin `null` stays what it is: no host of ours has that name. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : 'null'
}
