import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(30_000))

const long = 'mcp__plugin_a_long_plugin_name__server__do_a_rather_long_operation_v2x'
const namespace = 'mcp__a_server_with_a_long_name_of_forty_chars'
const member = 'an_operation_of_thirty_chars'
const schema = { type: 'object', properties: { p: { type: 'string' } } }

let gateway: Tollgate
let upstream: Server
let key: string
/** Names of tools that the upstream received. */
let received: readonly string[] = []

/** An upstream that calls the first tool that it is offered, by the name that it has there. */
async function respond(body: string): Promise<{ readonly type: string; readonly text: string }> {
  const { tools, stream } = JSON.parse(body) as {
    readonly tools: readonly { readonly function: { readonly name: string } }[]
    readonly stream?: boolean
  }
  received = tools.map((tool) => tool.function.name)
  const call = { id: 'c1', type: 'function', function: { name: received[0], arguments: '{"p":"a"}' } }
  const head = { id: 'x', created: 1, model: 'm' }
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  if (stream !== true) {
    const choice = {
      index: 0,
      message: { role: 'assistant', content: null, tool_calls: [call] },
      finish_reason: 'tool_calls',
    }
    return {
      type: 'application/json',
      text: JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage }),
    }
  }
  const chunks = [
    {
      choices: [
        { index: 0, delta: { role: 'assistant', tool_calls: [{ index: 0, ...call }] }, finish_reason: null },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage },
  ].map((chunk) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  return { type: 'text/event-stream', text: `${chunks.join('')}data: [DONE]\n\n` }
}

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { type, text } = await respond(Buffer.concat(pieces).toString())
    response.writeHead(200, { 'content-type': type }).end(text)
  })
  await new Promise<void>((ready) => upstream.listen(0, '127.0.0.1', ready))
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  const { port } = upstream.address() as AddressInfo
  const base_url = `http://127.0.0.1:${port}`
  await operator.addChannel({ name: 'deepseek', type: 43, base_url, models: 'deepseek-chat' })
  await operator.option('ModelRatio', JSON.stringify({ 'deepseek-chat': 1 }))
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  upstream?.close()
})

/** The text of a response, whose calls have the names that the caller reads. */
async function called(path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' }
  const response = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return response.text()
}

const model = 'deepseek-chat'
const user = { role: 'user', content: 'go' }

/** A call of each dialect with a tool whose name is too long for the upstream. */
const calls: readonly (readonly [
  dialect: string,
  path: (stream: boolean) => string,
  body: (stream: boolean) => object,
])[] = [
  [
    'Chat Completions',
    () => '/v1/chat/completions',
    (stream) => ({
      model,
      stream,
      messages: [user],
      tools: [{ type: 'function', function: { name: long, parameters: schema } }],
    }),
  ],
  [
    'Responses',
    () => '/v1/responses',
    (stream) => ({
      model,
      stream,
      input: 'go',
      tools: [{ type: 'function', name: long, parameters: schema }],
    }),
  ],
  [
    'Messages',
    () => '/v1/messages',
    (stream) => ({
      model,
      stream,
      max_tokens: 99,
      messages: [user],
      tools: [{ name: long, input_schema: schema }],
    }),
  ],
  [
    'Gemini',
    (stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    () => ({
      contents: [{ role: 'user', parts: [{ text: 'go' }] }],
      tools: [{ functionDeclarations: [{ name: long, parameters: schema }] }],
    }),
  ],
]

describe.each([false, true])('a tool whose name is too long for the upstream, streamed: %p', (stream) => {
  it.each(calls)('is called by a caller of %s under its own name', async (_dialect, path, body) => {
    const text = await called(path(stream), body(stream))
    expect(received).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)])
    expect(text).toContain(`"name":"${long}"`)
    expect(text).not.toContain(received[0] ?? '')
  })

  it('of a namespace is called by Codex under namespace and name', async () => {
    const tools = [
      { type: 'namespace', name: namespace, tools: [{ type: 'function', name: member, parameters: schema }] },
    ]
    const text = await called('/v1/responses', { model, stream, input: 'go', tools })
    expect(received).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)])
    expect(text).toContain(`"name":"${member}"`)
    expect(text).toContain(`"namespace":"${namespace}"`)
  })
})
