import { createHmac } from 'node:crypto'
import { defaultCounts, type Protocol, type Scripted, utf8, type WireFrame } from './protocol.ts'

const paths = /^\/api\/paas\/v3\/model-api\/([^/]+)\/(invoke|sse-invoke)$/

/** API v3: a token that the caller makes of its key, texts in quotes, events that say more than `data`. */
export function zhipuV3Protocol(key: string): Protocol {
  return {
    streamType: 'text/event-stream;charset=UTF-8',
    wantsStream: ({ path }) => path.endsWith('/sse-invoke'),
    fault({ path, headers, json }) {
      if (!paths.test(path)) return { status: 404, message: `no such path: ${path}` }
      const fault = tokenFault(headers.authorization ?? '', key)
      if (fault !== undefined) return { status: 401, message: fault }
      return Array.isArray(json.prompt) ? undefined : { status: 400, message: 'no prompt' }
    },
    frames: streamOf,
    buffered: ({ text = [], counts = defaultCounts }) => ({
      code: 200,
      msg: 'ok',
      success: true,
      data: {
        request_id: 'r1',
        task_id: 't1',
        task_status: 'SUCCESS',
        choices: [{ role: 'assistant', content: JSON.stringify(text.join('')) }],
        usage: usageOf(counts),
      },
    }),
    refusal: (status, message) => ({
      status: 200,
      headers: {},
      body: { code: status === 401 ? 1002 : 1214, msg: message, success: false },
    }),
    failure: (message) =>
      utf8(`event:error\nid:t1\ndata:${JSON.stringify({ code: 1305, msg: message })}\n\n`),
    modelOf: ({ path }) => decodeURIComponent(paths.exec(path)?.[1] ?? ''),
    reported: () => ({ tools: [], toolTurns: [], images: [], schema: undefined, wantsReasoning: false }),
  }
}

/** Times are in milliseconds, and the end is ahead of us by a day at most. */
function tokenFault(token: string, key: string): string | undefined {
  const [id, secret = ''] = key.split('.')
  const [header = '', payload = '', signature] = token.split('.')
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  if (signature !== expected) return 'the signature does not match'
  const { sign_type: signType, alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const { api_key: apiKey, exp, timestamp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (alg !== 'HS256' || signType !== 'SIGN' || apiKey !== id) return 'the token is not ours'
  const now = Date.now()
  if (!(exp > now && exp <= now + 86_400_000 && Math.abs(now - timestamp) < 60_000))
    return 'the token is too old'
  return undefined
}

function streamOf({ text = [], counts = defaultCounts }: Scripted): readonly WireFrame[] {
  const lines = (piece: string) =>
    piece
      .split('\n')
      .map((line) => `data:${line}\n`)
      .join('')
  const meta = { request_id: 'r1', task_id: 't1', task_status: 'SUCCESS', usage: usageOf(counts) }
  return [
    ...text.map((piece) => ({ bytes: utf8(`event:add\nid:t1\n${lines(piece)}\n`), delivers: true })),
    { bytes: utf8(`event:finish\nid:t1\ndata:\nmeta:${JSON.stringify(meta)}\n\n`), delivers: false },
  ]
}

function usageOf({ input, output }: typeof defaultCounts): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
