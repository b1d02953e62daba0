import type { Reply } from '@tollgate/http/server'
import { jsonReply } from './error-response.ts'

/** One thing that is served. */
export interface Served {
  readonly method: string
  /** `/api/user/:id`: a segment with a colon stands for any. A slash at the end does not matter. */
  readonly path: string
  /** A `GET` that changes something is not served to `HEAD`. */
  readonly changes?: boolean
}

/** Methods that a path is served with, `HEAD` where `GET` is; none for a path that nobody serves. */
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

/** What only reads. */
export const readMethods: readonly string[] = ['GET', 'HEAD']

function methodsOf({ method, changes }: Served): readonly string[] {
  return method === 'GET' && changes !== true ? readMethods : [method]
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
 * The answer to a method that a path is not served with (RFC 9110 §15.5.6); `undefined` for one that it is, and for a path
 * that nobody serves.
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
