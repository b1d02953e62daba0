/**
 * Path of a request's address without its query. Cheaper than a URL object, which matters for every call, and never
 * throws: a `Host` header of nonsense makes an address that no URL object takes.
 */
export function pathOf(url: string): string {
  const scheme = url.indexOf('://')
  const start = scheme === -1 ? 0 : url.indexOf('/', scheme + 3)
  if (start === -1) return '/'
  const query = url.indexOf('?', start)
  return query === -1 ? url.slice(start) : url.slice(start, query)
}

/** Whether the request names the host it is for in a form that can be one; without it there is no address. */
export function hasAddress(url: string): boolean {
  return !url.startsWith('/')
}
