import { chunkCodec } from '../chunk-codec.ts'
import type { Credential } from '../credential.ts'
import { keyParts } from '../key-parts.ts'
import type { Operation, Provider, Target, UpstreamEndpoint } from '../provider.ts'
import { embeddings } from './embeddings.ts'
import { decodeError } from './errors.ts'
import { encodeRequest } from './request.ts'
import { chunkOf, isFailure, isLast } from './response.ts'
import { signTc3 } from './tc3.ts'

const defaultBaseUrl = 'https://hunyuan.tencentcloudapi.com'

const codec = chunkCodec({
  format: 'provider:tencent',
  encodeRequest,
  decodeError,
  chunkOf,
  isFailure,
  isLast,
})

const chat: Operation = {
  format: codec.format,
  codec,
  framing: 'sse',
  streamOptions: false,
  endpoint: (target) => endpointOf('ChatCompletions', target),
  decodeError,
}

const embed: Operation = {
  format: 'provider:tencent-embeddings',
  plain: embeddings,
  framing: 'sse',
  streamOptions: false,
  endpoint: (target) => endpointOf('GetEmbedding', target),
  decodeError,
}

/** What is asked stands in a header; the address is the host alone. */
function endpointOf(action: string, { baseUrl }: Target): UpstreamEndpoint {
  const headers = {
    'content-type': 'application/json',
    'x-tc-action': action,
    'x-tc-version': '2023-09-01',
  }
  return { url: `${baseUrl || defaultBaseUrl}/`, headers }
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
export const tencent: Provider = {
  id: 'tencent',
  defaultBaseUrl,
  credential,
  modes: ['chat', 'embeddings'],
  operation(mode, { upstreamModel }) {
    if (mode === 'embeddings') return embed
    return mode === 'chat' && !upstreamModel.includes('embedding') ? chat : undefined
  },
  decodeError,
}
