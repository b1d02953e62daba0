/** Headers of every response: the browser must not guess types, frame the page, or send the page's address to other sites. */
const common = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const

/**
 * Pages run their own scripts and nothing else. Style attributes are allowed because charts and notices set them.
 * Pictures, songs, videos and frames may come from elsewhere: logos, chat clients and embedded home pages are the operator's
 * choice, and upstreams return addresses of what they made.
 */
const pagePolicy = (scripts: string) =>
  [
    "default-src 'self'",
    `script-src ${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' blob: https: http:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    'frame-src https: http:',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https:",
    "frame-ancestors 'none'",
  ].join('; ')

/** Pages that may ask a visitor to prove that they are a person, by a widget that has to come from Cloudflare. */
const humanCheckPages: ReadonlySet<string> = new Set(['/login', '/register', '/reset', '/personal'])
const turnstileScripts = 'https://challenges.cloudflare.com/turnstile/v0/'

/**
 * Headers of the console's page, opened at this address, and of its files.
 * @param ownScripts sources of the page's inline scripts
 */
export function pageSecurityHeaders(
  pathname: string,
  ownScripts: readonly string[] = [],
): Readonly<Record<string, string>> {
  // A link to a charge is for those who were given it: no search engine, and no other site by its address.
  const secret = pathname.startsWith('/charge/')
    ? { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' }
    : {}
  const others = humanCheckPages.has(pathname) ? [turnstileScripts] : []
  return {
    ...common,
    ...secret,
    'content-security-policy': pagePolicy(["'self'", ...ownScripts, ...others].join(' ')),
  }
}

/** Returns the sources by which a policy permits the scripts that were built into a page, and no other: their hashes. */
export function scriptSources(html: string): readonly string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => {
    const hash = new Bun.CryptoHasher('sha256').update(script).digest('base64')
    return `'sha256-${hash}'`
  })
}

/** Headers of responses that carry data: a browser that shows one as a page runs nothing in it. */
export const dataSecurityHeaders = {
  ...common,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** A page that the server makes by itself: it runs no scripts and loads nothing, but may hold a form. */
export const plainPagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self' https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
