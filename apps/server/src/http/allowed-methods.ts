import type { Reply } from '@tollgate/http/server'
import { jsonReply } from './error-response.ts'

/** One thing that is served. */
export interface Served {
  readonly method: string
  /** `/api/user/:id`: a segment with a colon stands for any. A slash at the end does not matter. */
  readonly path: string
  /** A `GET` that acts is not served to `HEAD`. */
  readonly acts?: boolean
}

/** Lists the methods of a path, with `HEAD` wherever `GET` is served; empty for an unknown path. */
export type AllowedMethods = (path: string) => readonly string[]

export function createAllowedMethods(table: readonly Served[]): AllowedMethods {
  const patterns = table.map((served) => ({ served, segments: segmentsOf(served.path) }))
  return (path) => {
    const requested = segmentsOf(path)
    const methods = patterns.flatMap(({ served, segments }) =>
      matches(segments, requested) ? methodsOf(served) : [],
    )
    return [...new Set(methods)]
  }
}

/** Methods that only read. */
export const readMethods: readonly string[] = ['GET', 'HEAD']

function methodsOf({ method, acts }: Served): readonly string[] {
  return method === 'GET' && acts !== true ? readMethods : [method]
}

function segmentsOf(path: string): readonly string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
}

function matches(segments: readonly string[], requested: readonly string[]): boolean {
  return (
    segments.length === requested.length &&
    segments.every((segment, index) => segment.startsWith(':') || segment === requested[index])
  )
}

/**
 * Returns the 405 response when the path does not serve the method (RFC 9110 §15.5.6); `undefined` when it does, and for
 * an unknown path.
 */
export function methodNotAllowed(
  method: string,
  path: string,
  allowed: readonly string[],
): Reply | undefined {
  if (allowed.length === 0 || allowed.includes(method)) return undefined
  const message = `Method ${method} is not allowed for ${path}`
  const { status, headers, body } = jsonReply(405, {
    error: { message, type: 'invalid_request_error', param: '', code: 'method_not_allowed' },
  })
  return { status, headers: { ...headers, allow: allowed.join(', ') }, body }
}
