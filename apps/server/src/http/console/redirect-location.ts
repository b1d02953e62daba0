import type { RedirectResult } from './route.ts'

/** Stands for this site, whatever name it is reached by. */
const here = 'http://this-site.invalid'

/**
 * Value of `Location`. Throws for an address that leads to another site than those the handler named: what a caller put
 * into a path must not send people elsewhere (`//evil.example`, `/\evil.example`).
 */
export function redirectLocation({ location, allowedOrigins }: RedirectResult): string {
  if (allowedOrigins === undefined) {
    const url = location.startsWith('/') ? URL.parse(location, here) : null
    if (url?.origin === here) return url.pathname + url.search + url.hash
  } else {
    const url = URL.parse(location)
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
    if (isPlain && allowedOrigins.includes(url.origin)) return url.href
  }
  throw new Error('a redirect would leave this site for an address that its handler does not allow')
}
