import { Refusal } from '../../lib/refusal.ts'
import type { RequestOrigin } from '../../lib/site-address.ts'
import type { BrowserContext } from './accounts/login-response.ts'

/** How the browser that sent a request reached us. Refuses when the request does not name a host. */
export function requestOrigin({
  requestHeaders,
  secure,
}: Pick<BrowserContext, 'requestHeaders' | 'secure'>): RequestOrigin {
  const host = requestHeaders.get('host') ?? ''
  if (!URL.canParse(`http://${host}`)) throw new Refusal('invalid_parameter', { detail: 'Host' })
  return { host, secure }
}
