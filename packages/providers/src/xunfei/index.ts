import { isObject, parseJson } from '@tollgate/formats'
import { chunkCodec } from '../chunk-codec.ts'
import type { Operation, Provider, Target } from '../provider.ts'
import { credential } from './credential.ts'
import { decodeError } from './errors.ts'
import { encodeRequest } from './request.ts'
import { chunkOf, isFailure, isLast } from './response.ts'
import { versionOf } from './version.ts'

const defaultBaseUrl = 'wss://spark-api.xf-yun.com'

/** The account and the model's name stand in the message: there is an operation for each. */
function operationFor({ upstreamModel, other, key }: Target): Operation {
  const version = versionOf(upstreamModel, other)
  const [appId = ''] = key.split('|')
  const codec = chunkCodec({
    format: 'provider:xunfei',
    encodeRequest: (request) => encodeRequest(request, version, appId.trim()),
    decodeError,
    chunkOf,
    isFailure,
    isLast,
    refusesEmpty: true,
  })
  return {
    format: codec.format,
    codec,
    framing: 'websocket',
    streamOptions: false,
    endpoint: ({ baseUrl }) => ({
      method: 'GET',
      url: (baseUrl || defaultBaseUrl) + version.path,
      headers: {},
    }),
    isLastMessage,
    decodeError,
  }
}

/** A message that is none ends the answer, too: nothing behind it could be understood. */
function isLastMessage(message: string): boolean {
  const parsed = parseJson(message)
  return !isObject(parsed) || isFailure(parsed) || isLast(parsed)
}

/** Spark, over a WebSocket for each call. https://www.xfyun.cn/doc/spark/Web.html */
export const xunfei: Provider = {
  id: 'xunfei',
  defaultBaseUrl,
  credential,
  modes: ['chat'],
  operation: (mode, target) => (mode === 'chat' ? operationFor(target) : undefined),
  decodeError,
}
