import {
  decodeErrorBody,
  embeddingCodec,
  objectOf,
  type UpstreamErrorInfo,
  type UpstreamErrorKind,
  type UpstreamFailure,
  unsupported,
} from '@tollgate/formats'
import { chunkCodec } from '../../chat/chunk-codec.ts'
import { type Credential, keyParts, type SigningTools, type UnsignedRequest } from '../../credential.ts'
import { chatOperation, defineProvider, plainOperation } from '../../define-provider.ts'
import { droppedEmbeddingOptions, textInputs, vectorsIn } from '../../modes/embeddings.ts'
import type { Target, UpstreamEndpoint } from '../../provider.ts'
import { chunkOf, encodeRequest, isFailure, isLast } from './chat.ts'

const max = 200

/** There is one model, and no word for it. https://cloud.tencent.com/document/api/1729/102832 */
const embeddings = embeddingCodec({
  encodeRequest(request) {
    if (request.dimensions !== undefined)
      throw unsupported('dimensions', 'the model has one length of vectors')
    return { body: { InputList: textInputs(request, max) }, dropped: droppedEmbeddingOptions(request) }
  },
  decodeResponse({ json }) {
    const { Data: data } = objectOf(objectOf(json).Response)
    return vectorsIn(data, { vector: 'Embedding', position: 'Index' })
  },
})

/** Codes are names with what is special about them behind a dot. https://cloud.tencent.com/document/api/1729/101842 */
const kinds: readonly (readonly [RegExp, UpstreamErrorKind])[] = [
  [/^(AuthFailure\b|UnauthorizedOperation\b)/, 'unauthorized'],
  [/^(FailedOperation\.ResourcePackExhausted|ResourceInsufficient)/, 'quota'],
  [/^FailedOperation\.(ServiceNotActivated|ServiceStop)/, 'forbidden'],
  [/^(LimitExceeded|RequestLimitExceeded)/, 'rate_limited'],
  [/^(InvalidParameter|MissingParameter|UnknownParameter|UnsupportedOperation)/, 'bad_request'],
  [/^(FailedOperation|InternalError)/, 'upstream_bug'],
]

function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const error = decodeErrorBody(failure)
  const kind = kinds.find(([pattern]) => pattern.test(error.code))?.[1]
  return kind === undefined ? error : decodeErrorBody(failure, { [error.code]: kind })
}

interface Tc3Key {
  readonly secretId: string
  readonly secretKey: string
}

const algorithm = 'TC3-HMAC-SHA256'
const service = 'hunyuan'
const signedHeaders = 'content-type;host;x-tc-action'

/**
 * Tencent Cloud's third signature, in headers. https://cloud.tencent.com/document/api/1729/101843
 * @param request with its `x-tc-action`
 * @throws TypeError for an invalid address
 */
export function signTc3(request: UnsignedRequest, key: Tc3Key, tools: SigningTools): UpstreamEndpoint {
  const timestamp = Math.floor(tools.nowMs / 1000)
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const toSign = [algorithm, timestamp, scope, tools.sha256Hex(canonicalRequest(request, tools))].join('\n')
  const keyOfDate = tools.hmacSha256(`TC3${key.secretKey}`, date)
  const signingKey = tools.hmacSha256(tools.hmacSha256(keyOfDate, service), 'tc3_request')
  const signature = tools.hmacSha256Hex(signingKey, toSign)
  const headers = {
    ...request.headers,
    'x-tc-timestamp': String(timestamp),
    authorization: `${algorithm} Credential=${key.secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  }
  return { ...request, headers }
}

/** Returns the canonical request: all calls go to the root of the host, whatever proxies make of the path. */
export function canonicalRequest(
  { url, headers, body }: UnsignedRequest,
  { sha256Hex }: Pick<SigningTools, 'sha256Hex'>,
): string {
  const [, host] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? []
  if (host === undefined) throw new TypeError('the address cannot be signed')
  const fields = [
    `content-type:${headers['content-type']}`,
    `host:${host.toLowerCase()}`,
    `x-tc-action:${headers['x-tc-action']?.toLowerCase()}`,
  ]
  return ['POST', '/', '', ...fields, '', signedHeaders, sha256Hex(body)].join('\n')
}

const codec = chunkCodec({
  format: 'provider:tencent',
  encodeRequest,
  decodeError,
  chunkOf,
  isFailure,
  isLast,
})

const chat = chatOperation({
  codec,
  endpoint: (target) => endpointOf('ChatCompletions', target),
})

const embed = plainOperation({
  format: 'provider:tencent-embeddings',
  plain: embeddings,
  endpoint: (target) => endpointOf('GetEmbedding', target),
  decodeError,
})

/** A header names the action; the address is the host alone. */
function endpointOf(action: string, { baseUrl }: Target): UpstreamEndpoint {
  const headers = {
    'content-type': 'application/json',
    'x-tc-action': action,
    'x-tc-version': '2023-09-01',
  }
  return { url: `${baseUrl}/`, headers }
}

/** The first part of a key, the account, is not asked for by this version of the API. */
const credential: Credential = {
  kind: 'signed',
  sign(request, { key }, tools) {
    const [, secretId, secretKey] = keyParts(key, 'AppId|SecretId|SecretKey')
    return signTc3(request, { secretId, secretKey }, tools)
  },
}

/** Hunyuan. https://cloud.tencent.com/document/product/1729 */
export const tencent = defineProvider({
  credential,
  operations: {
    chat: ({ upstreamModel }) => (upstreamModel.includes('embedding') ? undefined : chat),
    embeddings: embed,
  },
  decodeError,
})
