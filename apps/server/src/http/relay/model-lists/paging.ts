import { RelayError } from '../../../relay/relay-error.ts'

interface SizeBounds {
  readonly usual: number
  readonly max: number
}

/** A page's size as the caller asks for it. */
export function pageSize(query: URLSearchParams, name: string, { usual, max }: SizeBounds): number {
  const requested = query.get(name)
  if (requested === null || requested === '') return usual
  const size = Number(requested)
  if (/^\d+$/.test(requested) && size >= 1) return Math.min(size, max)
  throw invalidParameter(name, `it must be a whole number from 1 to ${max}`)
}

export function invalidParameter(name: string, why: string, code = 'invalid_value'): RelayError {
  return new RelayError('invalid_request', `${name} is invalid: ${why}`, { param: name, upstreamCode: code })
}
