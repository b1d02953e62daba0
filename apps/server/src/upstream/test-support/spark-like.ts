import {
  type ChatPart,
  collectResponse,
  decodeErrorBody,
  parseJson,
  type UpstreamCodec,
  usageOf,
} from '@tollgate/formats'
import type { Credential, Operation } from '@tollgate/providers'

/** A message of the upstream, as far as it is read. */
interface SparkMessage {
  readonly header: { readonly code: number; readonly message: string; readonly status: number }
  readonly payload?: {
    readonly choices: { readonly text: readonly { readonly content: string }[] }
    readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
  }
}

function partsOf({ data }: { readonly data: string }): readonly ChatPart[] {
  const { header, payload } = parseJson(data) as SparkMessage
  if (header.code !== 0)
    return [{ type: 'error', error: decodeErrorBody({ status: 200, headers: {}, body: data }) }]
  const usage = payload?.usage
  return [
    ...(payload?.choices.text ?? []).map(
      ({ content: text }) => ({ type: 'text-delta', candidate: 0, text }) as const,
    ),
    ...(usage === undefined
      ? []
      : [
          {
            type: 'usage',
            usage: usageOf({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }),
          } as const,
        ]),
    ...(header.status === 2
      ? ([{ type: 'stop', candidate: 0, stop: { reason: 'stop' } }, { type: 'end' }] as const)
      : []),
  ]
}

/** Codec of a format that no caller speaks. A buffered response is the messages of a stream as lines. */
const codec: UpstreamCodec = {
  format: 'provider:spark',
  encodeRequest: ({ messages }) => {
    const text = messages.flatMap(({ role, parts }) =>
      parts.map((part) => ({ role, content: part.type === 'text' ? part.text : '' })),
    )
    return { body: { payload: { message: { text } } }, dropped: [] }
  },
  decodeResponse(body) {
    const lines = typeof body === 'string' ? body.split('\n').filter(Boolean) : [JSON.stringify(body)]
    const parts = lines.flatMap((data) => partsOf({ data }))
    const failed = parts.find((part) => part.type === 'error')
    return failed === undefined
      ? { ok: true, response: collectResponse(parts) }
      : { ok: false, error: failed.error }
  },
  decodeStream: { start: () => undefined, step: (_, frame) => partsOf(frame), finish: () => [] },
  decodeError: decodeErrorBody,
}

/** A call over a WebSocket whose address is signed, as at Xunfei. */
export const sparkOperation: Operation = {
  format: codec.format,
  codec,
  framing: 'websocket',
  streamOptions: false,
  endpoint: ({ baseUrl }) => ({ method: 'GET', url: `${baseUrl}/v3.5/chat`, headers: {} }),
  isLastMessage: (message) => message.includes('"status":2') || !message.includes('"code":0'),
  decodeError: decodeErrorBody,
}

export const sparkCredential: Credential = {
  kind: 'signed',
  sign(request, { key }, tools) {
    const date = new Date(tools.nowMs).toUTCString()
    const signature = tools.base64(tools.hmacSha256(key, `date: ${date}\n${request.method}`))
    const query = `date=${encodeURIComponent(date)}&authorization=${encodeURIComponent(signature)}`
    return { ...request, url: `${request.url}?${query}` }
  },
}

/** A message as the upstream sends it. */
export function sparkMessage(status: number, content: string, more: object = {}): string {
  return JSON.stringify({
    header: { code: 0, message: 'Success', status },
    payload: { choices: { status, text: [{ content, role: 'assistant', index: 0 }] }, ...more },
  })
}
