import { Refusal } from '../../lib/refusal.ts'
import type { ReachedBy } from '../../lib/site-address.ts'
import type { BrowserContext } from './login-answer.ts'

/** How the browser that sent a request reached us. Refuses when the request does not name a host. */
export function reachedBy({
  requestHeaders,
  secure,
}: Pick<BrowserContext, 'requestHeaders' | 'secure'>): ReachedBy {
  const host = requestHeaders.get('host') ?? ''
  if (!URL.canParse(`http://${host}`)) throw new Refusal('invalid_parameter', { detail: 'Host' })
  return { host, secure }
}
