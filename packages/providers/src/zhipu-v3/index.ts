import {
  decodeErrorBody,
  objectOf,
  parseJson,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import { chunkCodec } from '../chunk-codec.ts'
import { endpointUrl } from '../endpoint-url.ts'
import type { Operation, Provider } from '../provider.ts'
import { zhipuCodes } from '../zhipu-errors.ts'
import { zhipuToken } from '../zhipu-token.ts'
import { encodeRequest } from './request.ts'
import { chunkOf, isFailure, isLast } from './response.ts'

const defaultBaseUrl = 'https://open.bigmodel.cn'

const codec = chunkCodec({
  format: 'provider:zhipu-v3',
  encodeRequest,
  decodeError,
  chunkOf,
  isFailure,
  isLast,
})

const chat: Operation = {
  format: codec.format,
  codec,
  framing: 'sse-fields',
  streamOptions: false,
  endpoint({ baseUrl, upstreamModel }, { stream }) {
    const path = `/${encodeURIComponent(upstreamModel)}/${stream ? 'sse-invoke' : 'invoke'}`
    return { url: endpointUrl(baseUrl || defaultBaseUrl, '/api/paas/v3/model-api', path), headers: {} }
  },
  decodeError,
}

/** An event that fails says so in its text, which may be an error as JSON. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const { event, data } = objectOf(parseJson(failure.body))
  const said = textOf(data)
  if (typeof event !== 'string' || said === '') return decodeErrorBody(failure, zhipuCodes)
  const body = typeof parseJson(said) === 'object' ? said : JSON.stringify({ message: said.trim() })
  return decodeErrorBody({ ...failure, body }, zhipuCodes)
}

/** API v3 of Zhipu: retired at its vendor, alive in private deployments. */
export const zhipuV3: Provider = {
  id: 'zhipu-v3',
  defaultBaseUrl,
  credential: {
    kind: 'signed',
    sign: (request, { key }, tools) => ({
      ...request,
      headers: { ...request.headers, authorization: zhipuToken(key, tools) },
    }),
  },
  modes: ['chat'],
  operation: (mode) => (mode === 'chat' ? chat : undefined),
  decodeError,
}
