import { chunkCodec } from '../chunk-codec.ts'
import { endpointUrl } from '../endpoint-url.ts'
import type { Operation, Provider, Target } from '../provider.ts'
import { credential, defaultBaseUrl } from './credential.ts'
import { embeddings } from './embeddings.ts'
import { decodeError } from './errors.ts'
import { endpointOf, isEmbedding } from './models.ts'
import { encodeRequest } from './request.ts'
import { chunkOf, isFailure, isLast } from './response.ts'

const root = '/rpc/2.0/ai_custom/v1/wenxinworkshop'

const codec = chunkCodec({
  format: 'provider:baidu',
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
  endpoint: (target) => addressOf('chat', target),
  decodeError,
}

const embed: Operation = {
  format: 'provider:baidu-embeddings',
  plain: embeddings,
  framing: 'sse',
  streamOptions: false,
  endpoint: (target) => addressOf('embeddings', target),
  decodeError,
}

function addressOf(kind: 'chat' | 'embeddings', { baseUrl, upstreamModel }: Target) {
  const path = `/${kind}/${endpointOf(upstreamModel)}`
  return { url: endpointUrl(baseUrl || defaultBaseUrl, root, path), headers: {} }
}

/** Wenxin Workshop, the older API of Qianfan. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/flfmc9do2 */
export const baidu: Provider = {
  id: 'baidu',
  defaultBaseUrl,
  credential,
  modes: ['chat', 'embeddings'],
  operation(mode, { upstreamModel }) {
    if (mode === 'embeddings') return embed
    return mode === 'chat' && !isEmbedding(upstreamModel) ? chat : undefined
  },
  decodeError,
}
