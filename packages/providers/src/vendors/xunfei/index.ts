import {
  type CodeKinds,
  decodeErrorBody,
  isObject,
  objectOf,
  parseJson,
  type UpstreamErrorInfo,
  type UpstreamErrorKind,
  type UpstreamFailure,
} from '@tollgate/formats'
import { chunkCodec } from '../../chat/chunk-codec.ts'
import { keyParts, type SignedCredential } from '../../credential.ts'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import type { Operation, Target } from '../../provider.ts'
import { chunkOf, encodeRequest, isFailure, isLast } from './chat.ts'
import { versionOf } from './version.ts'

/** https://www.xfyun.cn/doc/spark/%E6%8E%A5%E5%8F%A3%E8%AF%B4%E6%98%8E.html */
const codes: readonly (readonly [UpstreamErrorKind, readonly number[]])[] = [
  ['content_policy', [10013, 10014, 10019, 10021]],
  ['bad_request', [10003, 10004, 10005, 10163, 10907]],
  ['rate_limited', [10006, 10007, 11201, 11202, 11203]],
  ['forbidden', [10015, 10016]],
  ['quota', [11200]],
  ['overloaded', [10008, 10110]],
]

const codeKinds: CodeKinds = Object.fromEntries(
  codes.flatMap(([kind, list]) => list.map((code) => [String(code), kind])),
)

/** A message with code 0 that counts as a failure ended a response without text. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const { code } = objectOf(objectOf(parseJson(failure.body)).header)
  if (code !== 0) return decodeErrorBody(failure, codeKinds)
  const body = JSON.stringify({ code: 'empty_response', message: 'The upstream sent an empty response.' })
  return decodeErrorBody({ ...failure, body })
}

const addressParts = /^(?:ws|http)s?:\/\/([^/?#]+)([^?#]*)/i

/**
 * A signature of the handshake, in the address. The secret looks like Base64 and is taken as the text that it is.
 * https://www.xfyun.cn/doc/spark/general_url_authentication.html
 */
const credential: SignedCredential = {
  kind: 'signed',
  sign(request, { key }, tools) {
    const [, apiSecret, apiKey] = keyParts(key, 'APPID|APISecret|APIKey')
    const [, host, path] = addressParts.exec(request.url) ?? []
    if (host === undefined) throw new TypeError('the address cannot be signed')
    const date = new Date(tools.nowMs).toUTCString()
    const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`
    const signature = tools.base64(tools.hmacSha256(apiSecret, text))
    const authorization = tools.base64(
      `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
    )
    const query = Object.entries({ authorization, date, host })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    return { ...request, url: `${request.url}?${query}` }
  },
}

/** Returns the operation of a pair of account and model, both of which the message holds. */
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
  return chatOperation({
    codec,
    framing: 'websocket',
    endpoint: ({ baseUrl }) => ({ method: 'GET', url: baseUrl + version.path, headers: {} }),
    isLastMessage,
  })
}

/** Recognises the last message; an unreadable one ends the response, too: later messages would be meaningless. */
function isLastMessage(message: string): boolean {
  const parsed = parseJson(message)
  return !isObject(parsed) || isFailure(parsed) || isLast(parsed)
}

/** Spark, over a WebSocket for each call. https://www.xfyun.cn/doc/spark/Web.html */
export const xunfei = defineProvider({
  credential,
  operations: { chat: operationFor },
  decodeError,
})
