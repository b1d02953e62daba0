import {
  anthropicMessages,
  gemini,
  listOf,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'

/** Google's own shape, in which whatever fails before a hosted model is told; the models' own words are Anthropic's. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const body = parseJson(failure.body)
  const isAnthropic = objectOf(Array.isArray(body) ? listOf(body)[0] : body).type === 'error'
  return isAnthropic ? anthropicMessages.decodeError(failure) : gemini.decodeError(failure)
}
