import { chunkCodec } from '../chunk-codec.ts'
import type { Credential } from '../credential.ts'
import { keyParts } from '../key-parts.ts'
import type { Operation, Provider } from '../provider.ts'
import { chunkOf, isFailure, isLast } from './answer.ts'
import { decodeError } from './errors.ts'
import { encodeRequest } from './request.ts'
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

/** What is asked stands in a header; the address is the host alone. */
const chat: Operation = {
  format: codec.format,
  codec,
  framing: 'sse',
  streamOptions: false,
  endpoint: ({ baseUrl }) => ({
    url: `${baseUrl || defaultBaseUrl}/`,
    headers: {
      'content-type': 'application/json',
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
    },
  }),
  decodeError,
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
  modes: ['chat'],
  operation: (mode, { upstreamModel }) =>
    mode === 'chat' && !upstreamModel.includes('embedding') ? chat : undefined,
  decodeError,
}
