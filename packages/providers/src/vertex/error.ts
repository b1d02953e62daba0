import {
  anthropicMessages,
  gemini,
  listOf,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'

/** The service account is unknown, or its key is withdrawn. https://developers.google.com/identity/protocols/oauth2/service-account#error-codes */
const refusedKeys: ReadonlySet<unknown> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

/** Google's own shape, in which whatever fails before a hosted model is told; the models' own words are Anthropic's. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const body = parseJson(failure.body)
  const { type, error } = objectOf(Array.isArray(body) ? listOf(body)[0] : body)
  if (type === 'error') return anthropicMessages.decodeError(failure)
  const info = gemini.decodeError(failure)
  return refusedKeys.has(error) ? { ...info, kind: 'unauthorized' } : info
}
