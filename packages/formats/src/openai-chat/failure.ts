import { isObject, type JsonObject, objectOf } from '../json-value.ts'

/** Failures as upstreams put them into a 200: an error member, MiniMax's status, or a bare code and message. */
export function isFailure(body: JsonObject): boolean {
  const error = body.error
  if (typeof error === 'string' ? error !== '' : isObject(error)) return true
  const status = objectOf(body.base_resp).status_code
  if (typeof status === 'number' && status !== 0) return true
  if (body.success === false) return true
  return !Array.isArray(body.choices) && !Array.isArray(body.data) && typeof body.message === 'string'
}
