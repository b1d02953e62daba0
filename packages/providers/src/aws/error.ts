import {
  anthropicMessages,
  decodeErrorBody,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'

const codeKinds = {
  SignatureDoesNotMatch: 'unauthorized',
  IncompleteSignatureException: 'unauthorized',
  MissingAuthenticationTokenException: 'unauthorized',
  ModelErrorException: 'upstream_bug',
} as const

/** Its own failures are named in a header, or by the framing of a stream; the model's own are Anthropic's. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  return failure.headers['x-amzn-errortype'] === undefined
    ? anthropicMessages.decodeError(failure)
    : decodeErrorBody(failure, codeKinds)
}
