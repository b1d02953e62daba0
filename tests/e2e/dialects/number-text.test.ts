import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

/** Numbers of which a double makes 9007199254740993000, or 9223372036854776000. */
const args = '{"id":9007199254740993123,"far":1e400,"one":1.0}'
const schema = '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}'
const rounded = /9007199254740993000|9223372036854776000|"far\\*":null/
const quoted = JSON.stringify(args)

interface Caller {
  readonly path: (model: string, stream: boolean) => string
  readonly body: (model: string, stream: boolean) => string
}

const callers: Readonly<Record<string, Caller>> = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (model, stream) =>
      `{"model":"${model}","stream":${stream},"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${quoted}}}]},{"role":"tool","tool_call_id":"c1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`,
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, stream) =>
      `{"model":"${model}","stream":${stream},"input":[{"role":"user","content":"go"},{"type":"function_call","call_id":"c1","name":"f","arguments":${quoted}},{"type":"function_call_output","call_id":"c1","output":"r"}],"tools":[{"type":"function","name":"f","parameters":${schema}}]}`,
  },
  messages: {
    path: () => '/v1/messages',
    body: (model, stream) =>
      `{"model":"${model}","stream":${stream},"max_tokens":100,"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${args}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}]}],"tools":[{"name":"f","input_schema":${schema}}]}`,
  },
  gemini: {
    path: (model, stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () =>
      `{"contents":[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":${args}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"ok":true}}}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${schema}}]}]}`,
  },
}

const usage = '{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}'
const chunk = (key: string) =>
  `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"${key}":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":${quoted}}}]},"finish_reason":"tool_calls"}],"usage":${usage}}`
const candidates = `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":${args}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`
const block = `{"type":"tool_use","id":"toolu_1","name":"f","input":${args}}`
const messageEvents: readonly (readonly [string, string])[] = [
  [
    'message_start',
    '"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":10,"output_tokens":1}}',
  ],
  ['content_block_start', `"index":0,"content_block":${block}`],
  ['content_block_stop', '"index":0'],
  ['message_delta', '"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}'],
  ['message_stop', '"a":0'],
]

/** Responses of an upstream of each channel type, buffered and streamed. */
const upstreams = {
  chat: { type: 1006, buffered: chunk('message'), streamed: `data: ${chunk('delta')}\n\ndata: [DONE]\n\n` },
  messages: {
    type: 14,
    buffered: `{"id":"m","type":"message","role":"assistant","model":"m","content":[${block}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`,
    streamed: messageEvents
      .map(([type, members]) => `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`)
      .join(''),
  },
  gemini: { type: 24, buffered: candidates, streamed: `data: ${candidates}\n\n` },
} as const
type Upstream = keyof typeof upstreams

let gateway: Tollgate
let operator: Operator
let key: string
const received: string[] = []
const servers = Object.values(upstreams).map(({ buffered, streamed }) =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.text()
      received.push(body)
      const isStream = body.includes('"stream":true') || request.url.includes('streamGenerateContent')
      const type = isStream ? 'text/event-stream' : 'application/json'
      return new Response(isStream ? streamed : buffered, { headers: { 'content-type': type } })
    },
  }),
)
const modelOf = (upstream: Upstream) => `house-${upstream}`

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const names = Object.keys(upstreams) as Upstream[]
  await operator.option(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(names.map((name) => [modelOf(name), 1]))),
  )
  for (const [position, name] of names.entries())
    await operator.addChannel({
      name,
      type: upstreams[name].type,
      key: 'sk-upstream',
      base_url: `http://127.0.0.1:${servers[position]?.port}`,
      models: modelOf(name),
    })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const server of servers) await server.stop(true)
})

async function answered(path: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  expect([response.status, text.length > 0 && text]).toEqual([200, text])
  return text
}

/** The text without the escapes of JSON in JSON. */
const plain = (text: string) => text.replaceAll('\\', '')

const pairs = Object.entries(callers).flatMap(([from, caller]) =>
  (Object.keys(upstreams) as Upstream[]).flatMap((to) =>
    [false, true].map((stream) => [from, to, stream ? 'streamed' : 'buffered', caller, stream] as const),
  ),
)

describe('numbers that a double cannot hold', () => {
  it.each(pairs)('pass from %s to %s and back, %s', async (_from, to, _way, caller, stream) => {
    received.length = 0
    const model = modelOf(to)
    const answer = await answered(caller.path(model, stream), caller.body(model, stream))
    const [sent = ''] = received
    for (const text of [sent, answer]) {
      expect(plain(text)).toContain(args)
      expect(text).not.toMatch(rounded)
    }
    expect(plain(sent)).toContain('"maximum":9223372036854775807')
  })

  it.each(['chat', 'messages', 'gemini'] as const)(
    'are in the conversation that %s continues',
    async (to) => {
      const model = modelOf(to)
      const call = `{"type":"function_call","call_id":"c1","name":"f","arguments":${args}}`
      const result = '{"type":"function_call_output","call_id":"c1","output":"r"}'
      const first = `{"model":"${model}","input":[{"role":"user","content":"go"},${call},${result}]}`
      const { id } = JSON.parse(await answered('/v1/responses', first))
      received.length = 0
      const output = '{"type":"function_call_output","call_id":"c1","output":"s"}'
      await answered(
        '/v1/responses',
        `{"model":"${model}","previous_response_id":"${id}","input":[${output}]}`,
      )
      const [sent = ''] = received
      expect(plain(sent).split(args).length).toBeGreaterThan(2)
      expect(sent).not.toMatch(rounded)
    },
  )
})
