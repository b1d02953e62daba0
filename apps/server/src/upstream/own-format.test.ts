import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import {
  NdjsonScanner,
  openAiChat,
  ResponseStream,
  readChatRequest,
  SseScanner,
  translateResponse,
} from '@tollgate/formats'
import { errorOf } from '@tollgate/http/test-support'
import type { Credential, Operation } from '@tollgate/providers'
import { type CallBody, encodeBody } from './call-body.ts'
import { difyCredential, difyOperation } from './test-support/dify-like.ts'
import { sparkCredential, sparkMessage, sparkOperation } from './test-support/spark-like.ts'
import {
  callOf,
  channelOf,
  providerOf,
  startUpstreamWorld,
  type UpstreamWorld,
} from './test-support/upstream-world.ts'
import type { UpstreamCall } from './upstreams.ts'

const responded = { model: 'm', responseId: 'a', createdAt: 1, includeUsage: true, estimatedInputTokens: 0 }

let world: UpstreamWorld
let server: ReturnType<typeof Bun.serve> | undefined

beforeEach(() => {
  world = startUpstreamWorld()
})
afterEach(async () => {
  world.close()
  await server?.stop(true)
})

/** A caller of OpenAI's format, as the relay sees its body. */
function openAiBody(stream: boolean): CallBody {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ]
  const reading = readChatRequest(JSON.stringify({ model: 'app', stream, messages }), { maxDepth: 8 })
  if (!reading.ok) throw new Error('unreadable')
  const { request } = reading
  return {
    format: 'openai-chat',
    native: request,
    nativeEdits: () => new Map(),
    canonical: () => openAiChat.decodeRequest(request.body, {}),
  }
}

function callFor(
  operation: Operation,
  credential: Credential,
  baseUrl: string,
  stream: boolean,
): UpstreamCall {
  const channel = channelOf(providerOf(operation, { credential }), { baseUrl, key: 'key' })
  const { text } = encodeBody(openAiBody(stream), { operation, upstreamModel: 'app', override: null })
  return callOf(channel, operation, { stream, body: text })
}

/** Returns a streamed response as the caller receives it, with its usage. */
async function streamed(call: UpstreamCall) {
  const { operation } = call
  const sending = world.upstreams.send(call)
  const exchange = sending instanceof Promise ? (await sending)() : sending
  const response = await exchange.response
  if (operation.codec === undefined) throw new Error('no codec')
  const reader = new ResponseStream({
    scanner: operation.framing === 'sse' ? new SseScanner(9999) : new NdjsonScanner(9999),
    decoder: operation.codec,
    encode: { codec: openAiChat, call: responded },
    maxFrameBytes: 9999,
  })
  let text = ''
  for (;;) {
    const { done, value } = await response.read()
    const step = done ? reader.end() : reader.push(value)
    text += Buffer.concat(step.forward).toString()
    if (step.error !== undefined) return { status: response.status, text, error: step.error }
    if (done) break
  }
  const { usage, outcome } = reader
  return { status: response.status, text: text + reader.trailer(usage), usage, outcome }
}

/** The same for a buffered response. */
async function buffered(call: UpstreamCall) {
  const { codec } = call.operation
  if (codec === undefined) throw new Error('no codec')
  const { body } = await world.send(call)
  const reading = translateResponse(body, codec, openAiChat, responded)
  return reading.ok ? JSON.parse(reading.encode(reading.usage)) : reading.error
}

describe('an app that speaks no chat format', () => {
  const requested: unknown[] = []
  const events = [
    { event: 'workflow_started', task_id: 't1' },
    { event: 'message', response: 'Hel' },
    { event: 'message', response: 'lo' },
    { event: 'message_end', metadata: { usage: { prompt_tokens: 12, completion_tokens: 8 } } },
  ]

  function start(): string {
    requested.length = 0
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const body = (await request.json()) as { response_mode: string }
        requested.push([new URL(request.url).pathname, request.headers.get('authorization'), body])
        if (body.response_mode === 'blocking')
          return Response.json({
            response: 'Hello',
            metadata: { usage: { prompt_tokens: 12, completion_tokens: 8 } },
          })
        const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('event: ping\n\n')
        return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
      },
    })
    return `http://127.0.0.1:${server.port}`
  }

  it('returns a buffered response', async () => {
    const response = await buffered(callFor(difyOperation, difyCredential, start(), false))
    expect(response).toMatchObject({
      choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 8 },
    })
    const query = 'system: Be brief.\nuser: Hi'
    expect(requested).toEqual([
      ['/v1/chat-messages', 'Bearer key', { inputs: {}, query, response_mode: 'blocking', user: 'u' }],
    ])
  })

  it('streams a response', async () => {
    const response = await streamed(callFor(difyOperation, difyCredential, start(), true))
    expect(response).toMatchObject({ outcome: 'complete', usage: { inputTokens: 12, outputTokens: 8 } })
    expect(response.text).toContain('"content":"Hel"')
    expect(response.text).toEndWith('data: [DONE]\n\n')
  })
})

describe('an upstream behind a WebSocket', () => {
  const usage = { usage: { prompt_tokens: 5, completion_tokens: 2 } }
  const messages = [sparkMessage(0, 'Hel'), sparkMessage(1, 'lö'), sparkMessage(2, '', usage)]
  let opened: URL[]
  let received: string[]
  let closed: Promise<number>

  function start(send: readonly string[]): string {
    opened = []
    received = []
    const { promise, resolve } = Promise.withResolvers<number>()
    closed = promise
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request, self) {
        const url = new URL(request.url)
        opened.push(url)
        if (!url.searchParams.has('authorization')) return new Response('', { status: 401 })
        return self.upgrade(request, { data: undefined }) ? undefined : new Response('', { status: 400 })
      },
      websocket: {
        message(socket, message) {
          received.push(String(message))
          for (const each of send) socket.send(each)
        },
        close: (_, code) => resolve(code),
      },
    })
    return `ws://127.0.0.1:${server.port}`
  }

  it('receives the call as its first message, streams, and closes after the last message', async () => {
    const response = await streamed(callFor(sparkOperation, sparkCredential, start(messages), true))
    expect(response).toMatchObject({
      status: 200,
      outcome: 'complete',
      usage: { inputTokens: 5, outputTokens: 2 },
    })
    expect(response.text).toContain('"content":"lö"')
    expect(received).toEqual([
      '{"payload":{"message":{"text":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]}}}',
    ])
    expect([opened[0]?.pathname, await closed]).toEqual(['/v3.5/chat', 1000])
  })

  it('buffers the response for callers that do not stream', async () => {
    expect(await buffered(callFor(sparkOperation, sparkCredential, start(messages), false))).toMatchObject({
      choices: [{ message: { content: 'Hellö' } }],
      usage: { prompt_tokens: 5, completion_tokens: 2 },
    })
  })

  it('receives one message, also where the body comes in pieces', async () => {
    const call = callFor(sparkOperation, sparkCredential, start(messages), true)
    const body = [String(call.body).slice(0, 30), String(call.body).slice(30)]
    expect(await streamed({ ...call, body })).toMatchObject({ outcome: 'complete' })
    expect(received).toEqual([String(call.body)])
  })

  it('fails the call by a message that is an error', async () => {
    const fault = '{"header":{"code":10013,"message":"audit not pass","status":2}}'
    const response = await streamed(callFor(sparkOperation, sparkCredential, start([fault]), true))
    expect(response.error?.message).toBe('audit not pass')
  })

  it('says the status when it refuses the connection', async () => {
    const unsigned: Credential = { kind: 'headers', headers: () => ({}) }
    const response = await world.send(callFor(sparkOperation, unsigned, start([]), false))
    expect([response.status, response.body]).toEqual([401, ''])
  })

  it('is a failed connection when no server listens', async () => {
    const call = callFor(sparkOperation, sparkCredential, 'ws://127.0.0.1:1', false)
    expect(await errorOf(world.send(call))).toMatchObject({ failure: 'unreachable' })
  })
})
