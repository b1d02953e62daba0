import {
  decodeErrorBody,
  type UpstreamCodec,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest, type SafetyMode } from './encode-request.ts'

/** Cohere's chat, version 2. https://docs.cohere.com/reference/chat */
export function cohereChat(safety: SafetyMode): UpstreamCodec {
  return {
    format: 'cohere-chat',
    encodeRequest: (request, target) => encodeRequest(request, target, safety),
    decodeResponse,
    decodeStream,
    decodeError,
  }
}

/** A status of its own for a token that is none. https://docs.cohere.com/reference/errors */
const badToken = 498

export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const info = decodeErrorBody(failure)
  if (failure.status === badToken) return { ...info, kind: 'unauthorized' }
  return /^(invalid|missing|no) api (token|key)/i.test(info.message)
    ? { ...info, kind: 'unauthorized' }
    : info
}
