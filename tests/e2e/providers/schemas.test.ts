import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { openStream, sendJson, write } from '../../support/upstream/sending.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let upstream: Upstream
let operator: Operator
let key: string

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('SelfUseModeEnabled', 'true')
  key = (await operator.addKey()).key
  await operator.addChannel({
    name: 'g',
    type: 24,
    base_url: upstream.url,
    models: 'gemini-2.5-flash,gemini-2.0-flash',
  })
  await operator.addChannel({ name: 'c', type: 14, base_url: upstream.url, models: 'claude-sonnet-4-5' })
})
beforeEach(() => upstream.forget())
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

function post(path: string, body: object) {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const messages = [{ role: 'user', content: 'Count the words.' }]
const geminiReply = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '{}' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1, totalTokenCount: 5 },
}

describe('a response of Gemini', () => {
  const words = {
    type: 'object',
    properties: {
      words: { type: 'object', additionalProperties: { type: 'integer' } },
      range: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string', minLength: 1 }] },
      nothing: { type: 'object', properties: {}, additionalProperties: false },
    },
    required: ['words'],
  }
  const ask = (model: string) => ({
    model,
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'words', schema: words } },
  })

  it('has the schema that its caller wrote, and the caller reads what Gemini ignores in it', async () => {
    upstream.otherwise(({ response }) => sendJson(response, 200, geminiReply))
    const response = await post('/v1/chat/completions', ask('gemini-2.5-flash'))
    expect(response.status).toBe(200)
    const range = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] }
    expect(upstream.calls.at(-1)?.json.generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { ...words, properties: { ...words.properties, range } },
    })
    expect(response.headers.get('x-tollgate-warning')).toBe(
      'not carried to the upstream: response_format (minLength)',
    )
  })

  it('is refused by name where the model would lose the values of a map', async () => {
    const response = await post('/v1/chat/completions', ask('gemini-2.0-flash'))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'response_format' } })
    expect(upstream.calls).toEqual([])
  })
})

describe('a tool of Claude with alternatives at its root', () => {
  const shape = (name: string) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    required: [name],
  })
  const parameters = { oneOf: [shape('path'), shape('address')] }
  const tools = [{ type: 'function', function: { name: 'open', parameters } }]
  const input = { tollgate_value: { path: '/a}"' } }
  const usage = { input_tokens: 4, output_tokens: 2 }
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }

  it('is wrapped for the vendor, and its calls are unwrapped for the caller', async () => {
    const content = [{ type: 'tool_use', id: 't1', name: 'open', input }]
    upstream.otherwise(({ response }) =>
      sendJson(response, 200, { ...message, content, stop_reason: 'tool_use', usage }),
    )
    const response = await post('/v1/chat/completions', { model: 'claude-sonnet-4-5', messages, tools })
    expect(upstream.calls.at(-1)?.json.tools).toMatchObject([
      {
        input_schema: {
          type: 'object',
          properties: { tollgate_value: parameters },
          required: ['tollgate_value'],
        },
      },
    ])
    const [{ message: stated }] = (await response.json()).choices
    expect(stated.tool_calls[0].function.arguments).toBe('{"path":"/a}\\""}')
  })

  it('is unwrapped in streams as well, in the calls of callers of Responses', async () => {
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't1', name: 'open', input: {} },
      },
      ...['{"tollgate', '_value": {"pa', 'th":"/a}\\""', '}', '}'].map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    upstream.otherwise(async ({ response }) => {
      openStream(response)
      for (const event of events)
        await write(response, `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    })
    const response = await post('/v1/responses', {
      model: 'claude-sonnet-4-5',
      input: 'Open it.',
      tools: [{ type: 'function', name: 'open', parameters, strict: false }],
      stream: true,
    })
    const done = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)]
      .map(([, data = '{}']) => JSON.parse(data))
      .find(({ type }) => type === 'response.function_call_arguments.done')
    expect(done.arguments).toBe('{"path":"/a}\\""}')
  })
})
