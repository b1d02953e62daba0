import { isObject, type JsonObject, parseJson } from '@tollgate/formats'
import type { CallIdentity, Operation } from '@tollgate/providers'

/** The answer as its format gives it; `undefined` where its bytes may pass. */
export function normalizedResponse(
  text: string,
  { normalizeResponse }: Operation,
  call: CallIdentity,
): JsonObject | undefined {
  const response = normalizeResponse === undefined ? undefined : parseJson(text)
  if (normalizeResponse === undefined || !isObject(response)) return undefined
  const normalized = normalizeResponse(response, call)
  return normalized === response ? undefined : normalized
}

/** The same of the events of a stream. */
export function normalizeFor(
  { normalizeResponse }: Operation,
  call: CallIdentity,
): { readonly normalizeResponse?: (event: JsonObject) => JsonObject } {
  return normalizeResponse === undefined
    ? {}
    : { normalizeResponse: (event) => normalizeResponse(event, call) }
}
