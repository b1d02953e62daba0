/**
 * Path of a request's address, or of its target, without the query. Cheaper than a URL object, which matters for every
 * call, and never throws.
 */
export function pathOf(address: string): string {
  const start = address.startsWith('/') ? 0 : address.indexOf('/', address.indexOf('://') + 3)
  if (start === -1) return '/'
  const query = address.indexOf('?', start)
  return query === -1 ? address.slice(start) : address.slice(start, query)
}
