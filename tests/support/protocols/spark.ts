import { createHmac } from 'node:crypto'
import { defaultCounts, type Scripted } from './protocol.ts'

export interface SparkKey {
  readonly appId: string
  readonly apiSecret: string
  readonly apiKey: string
}

/** Request of one connection. */
export interface SparkCall {
  readonly path: string
  readonly json: Readonly<Record<string, unknown>>
  /** Time when the other side hung up; `undefined` while it has not. */
  closedAt: number | undefined
}

/** An upstream behind WebSockets that looks at their signatures. */
export interface SparkUpstream {
  /** Root for a channel's base URL. */
  readonly url: string
  readonly calls: readonly SparkCall[]
  /** Handshakes that were refused. */
  readonly refused: number
  says(reply: Scripted): void
  /** Sends these messages, texts and bytes as they are, and then nothing, leaving the connection open. */
  sends(messages: readonly SparkMessage[]): void
  stop(): Promise<void>
}

type SparkMessage = object | string | Uint8Array

export function startSparkUpstream(key: SparkKey): SparkUpstream {
  const calls: SparkCall[] = []
  let refused = 0
  let script: readonly SparkMessage[] = []
  const server = Bun.serve<{ path: string; call?: SparkCall }>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const url = new URL(request.url)
      const fault = signatureFault(url, request.headers.get('host') ?? '', key)
      if (fault !== undefined) {
        refused += 1
        return Response.json({ message: fault }, { status: 401 })
      }
      const isUpgraded = self.upgrade(request, { data: { path: url.pathname } })
      return isUpgraded ? undefined : new Response('', { status: 400 })
    },
    websocket: {
      message(socket, message) {
        const call: SparkCall = {
          path: socket.data.path,
          json: JSON.parse(String(message)),
          closedAt: undefined,
        }
        socket.data.call = call
        calls.push(call)
        const { header } = call.json as { header?: { app_id?: string } }
        const isOurs = header?.app_id === key.appId
        for (const each of isOurs ? script : [errorMessage(10_005, 'app id is not right')])
          socket.send(typeof each === 'string' || each instanceof Uint8Array ? each : JSON.stringify(each))
      },
      close({ data: { call } }) {
        if (call !== undefined) call.closedAt = performance.now()
      },
    },
  })
  return {
    url: `ws://127.0.0.1:${server.port}`,
    calls,
    get refused() {
      return refused
    },
    says(reply) {
      script = messagesOf(reply)
    },
    sends(messages) {
      script = messages
    },
    stop: () => server.stop(true),
  }
}

/** https://www.xfyun.cn/doc/spark/general_url_authentication.html */
function signatureFault(url: URL, host: string, key: SparkKey): string | undefined {
  const date = url.searchParams.get('date') ?? ''
  if (!(Math.abs(Date.parse(date) - Date.now()) < 300_000)) return 'the date is not right'
  if (url.searchParams.get('host') !== host) return 'the host is not right'
  const text = `host: ${host}\ndate: ${date}\nGET ${url.pathname} HTTP/1.1`
  const signature = createHmac('sha256', key.apiSecret).update(text).digest('base64')
  const expected = `api_key="${key.apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const provided = Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString()
  return provided === expected ? undefined : 'HMAC signature does not match'
}

export function errorMessage(code: number, message: string): object {
  return { header: { code, message, sid: 'cht1@dx', status: 2 } }
}

export function textMessage(status: number, seq: number, content: string, more: object = {}): object {
  return {
    header: { code: 0, message: 'Success', sid: 'cht1@dx', status },
    payload: { choices: { status, seq, text: [{ content, role: 'assistant', index: 0, ...more }] } },
  }
}

function messagesOf({
  text = [],
  toolCalls: [toolCall] = [],
  counts = defaultCounts,
}: Scripted): readonly object[] {
  const call = toolCall && {
    content_type: 'text',
    function_call: { name: toolCall.name, arguments: toolCall.pieces.join('') },
  }
  const { header, payload } = textMessage(2, text.length, '', call) as { header: object; payload: object }
  const usage = {
    text: {
      question_tokens: 3,
      prompt_tokens: counts.input,
      completion_tokens: counts.output,
      total_tokens: counts.input + counts.output,
    },
  }
  return [
    ...text.map((piece, index) => textMessage(index === 0 ? 0 : 1, index, piece)),
    { header, payload: { ...payload, usage } },
  ]
}
