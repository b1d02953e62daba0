import { OutboundError, openOutbound } from '../../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../../lib/outbound/outbound-guard.ts'

interface Opening {
  /** Origin that the super admin chose, which may be of a private network; `undefined` for none. */
  readonly trusted: string | undefined
  readonly guard: OutboundGuard
  readonly signal: AbortSignal
}

const maxRedirects = 3
const headers = { accept: 'image/*, video/*, */*;q=0.1', 'user-agent': 'Tollgate' }

/**
 * The answer of an address that an upstream told, of any status but a redirection: each step of one passes the guard.
 * Throws `OutboundError`, or what the guard throws.
 */
export async function openPublicFile(url: string, { trusted, guard, signal }: Opening): Promise<Response> {
  let address = new URL(url)
  for (let step = 0; step <= maxRedirects; step += 1) {
    const watched = address.origin === trusted ? {} : { guard }
    const response = await openOutbound({ url: address.href, headers, ...watched }, signal)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    address = new URL(location, address)
    if (!/^https?:$/.test(address.protocol)) break
  }
  throw new OutboundError('redirect')
}
