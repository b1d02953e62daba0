import type { UpstreamCodec } from '@tollgate/formats'
import { decodeError } from '../error.ts'
import { decodeResponse } from './decode-response.ts'
import { decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'

/**
 * Bedrock's one form for the chat models of all its vendors.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const converseCodec: UpstreamCodec = {
  format: 'bedrock-converse',
  encodeRequest,
  decodeResponse,
  decodeStream,
  decodeError,
}
