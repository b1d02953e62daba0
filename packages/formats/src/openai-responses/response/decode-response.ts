import type { DecodedResponse } from '../../canonical/codec.ts'
import { objectOf } from '../../json/value.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import { hasFailed, readResponse } from './decode-stream.ts'
import { failureOf } from './error.ts'

/** Reads a 2xx response; an error in it, or a body of another shape, is a failure. Never throws. */
export function decodeResponse(body: unknown): DecodedResponse {
  const response = objectOf(body)
  if (hasFailed(response) || !Array.isArray(response.output)) return { ok: false, error: failureOf(body) }
  return { ok: true, response: collectResponse(readResponse(response)) }
}
