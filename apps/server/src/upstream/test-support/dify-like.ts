import {
  type ChatPart,
  collectResponse,
  decodeErrorBody,
  type JsonObject,
  objectOf,
  parseJson,
  type UpstreamCodec,
  usageOf,
} from '@tollgate/formats'
import { bearer, type Credential, type Operation } from '@tollgate/providers'

const usagePart = (metadata: unknown): ChatPart => {
  const usage = objectOf(objectOf(metadata).usage)
  return {
    type: 'usage',
    usage: usageOf({
      inputTokens: Number(usage.prompt_tokens),
      outputTokens: Number(usage.completion_tokens),
    }),
  }
}

const stopped: readonly ChatPart[] = [
  { type: 'stop', candidate: 0, stop: { reason: 'stop' } },
  { type: 'end' },
]

function partsOf(event: JsonObject): readonly ChatPart[] {
  switch (event.event) {
    case 'message':
      return [{ type: 'text-delta', candidate: 0, text: String(event.response) }]
    case 'message_end':
      return [usagePart(event.metadata), ...stopped]
    case 'error':
      return [
        { type: 'error', error: decodeErrorBody({ status: 200, headers: {}, body: JSON.stringify(event) }) },
      ]
    default:
      return []
  }
}

/** An app that takes one question and no conversation, as Dify's do. */
const codec: UpstreamCodec = {
  format: 'provider:dify',
  encodeRequest({ messages, stream, tools }) {
    const stated = messages.map(({ role, parts }) => {
      const texts = parts.map((part) => (part.type === 'text' ? part.text : ''))
      return `${role}: ${texts.join('')}`
    })
    const body = {
      inputs: {},
      query: stated.join('\n'),
      response_mode: stream ? 'streaming' : 'blocking',
      user: 'u',
    }
    return { body, dropped: tools.length > 0 ? ['tools'] : [] }
  },
  decodeResponse(body) {
    const { response, metadata } = objectOf(body)
    const parts = [...partsOf({ event: 'message', response }), usagePart(metadata), ...stopped]
    return { ok: true, response: collectResponse(parts) }
  },
  decodeStream: {
    start: () => undefined,
    step: (_, { data }) => partsOf(objectOf(parseJson(data))),
    finish: () => [],
  },
  decodeError: decodeErrorBody,
}

export const difyOperation: Operation = {
  format: codec.format,
  codec,
  framing: 'sse',
  streamOptions: false,
  endpoint: ({ baseUrl }) => ({ url: `${baseUrl}/v1/chat-messages`, headers: {} }),
  decodeError: decodeErrorBody,
}

export const difyCredential: Credential = { kind: 'headers', headers: bearer }
