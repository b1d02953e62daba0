import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { anthropicProtocol } from '../../support/protocols/anthropic.ts'
import { geminiProtocol } from '../../support/protocols/gemini.ts'
import { openAiProtocol } from '../../support/protocols/openai.ts'
import { type Counts, type Protocol, type Scripted, sseFrame } from '../../support/protocols/protocol.ts'
import { responsesProtocol } from '../../support/protocols/responses.ts'
import {
  type ScriptedBehaviour,
  type ScriptedUpstream,
  says,
  startScriptedUpstream,
} from '../../support/protocols/scripted-upstream.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const kinds = {
  'Chat Completions': { protocol: openAiProtocol, type: 43, model: 'house-chat' },
  Anthropic: { protocol: anthropicProtocol, type: 14, model: 'house-anthropic' },
  Gemini: { protocol: geminiProtocol, type: 24, model: 'house-gemini' },
  Responses: { protocol: responsesProtocol, type: 48, model: 'house-responses' },
} as const satisfies Record<string, { protocol: Protocol; type: number; model: string }>
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<Kind, ScriptedUpstream>>
let client: OpenAI
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const started = kindNames.map(async (name) => {
    const { protocol, type, model } = kinds[name]
    const upstream = await startScriptedUpstream(protocol)
    const setting = '{"allow_hosted_tools":true}'
    await operator.addChannel({
      name,
      type,
      key: 'sk-upstream',
      base_url: upstream.url,
      models: model,
      setting,
    })
    return [name, upstream] as const
  })
  upstreams = Object.fromEntries(await Promise.all(started)) as Record<Kind, ScriptedUpstream>
  const each = (ratio: number) =>
    JSON.stringify(Object.fromEntries(kindNames.map((name) => [kinds[name].model, ratio])))
  await operator.option('ModelRatio', each(2))
  await operator.option('CompletionRatio', each(5))
  await operator.option('CacheRatio', each(0.1))
  key = (await operator.addKey()).key
  client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of Object.values(upstreams ?? {})) await upstream.stop()
})

const counts: Counts = { input: 100, cacheRead: 40, cacheWrite: 0, output: 30, reasoning: 0 }
const toolCall = {
  id: 'call_1',
  name: 'get_weather',
  pieces: ['{"ci', 'ty": "Zü', 'rich"}'],
  signature: 'CiQB',
}

function reported(name: Kind, reply: Scripted): ScriptedUpstream {
  const upstream = upstreams[name]
  upstream.forget()
  upstream.otherwise(says(reply))
  return upstream
}

/** Claude's reasoning with its signature, and a word. */
const thinks: ScriptedBehaviour = ({ response }) => {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 9 } }
  const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
  const events = [
    { type: 'message_start', message },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'ErUB' },
    ),
    ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'So.' }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(Buffer.concat(events.map((event) => sseFrame(event, { event: event.type }).bytes)))
}

describe('reasoning', () => {
  it('of another vendor come back to it with the next turn, signature included', async () => {
    const { model } = kinds.Anthropic
    const upstream = upstreams.Anthropic
    upstream.forget()
    upstream.otherwise(thinks)
    const body = { model, reasoning: { effort: 'low', summary: 'auto' }, store: false } as const
    const requested = { role: 'user', content: 'Think.' } as const
    const first = await client.responses.stream({ ...body, input: [requested] }).finalResponse()
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    expect(first.output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: 'Hm.' }] })
    expect(first).toMatchObject({ reasoning: body.reasoning, store: false, model })
    const returned = first.output as OpenAI.Responses.ResponseInput
    await client.responses.stream({ ...body, input: [requested, ...returned, requested] }).finalResponse()
    expect(upstream.calls[1]?.json.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'Hm.', signature: 'ErUB' }, { type: 'text' }],
      },
      { role: 'user' },
    ])
  })
})

/** Returns the request of Codex's second turn under its newest models: tools among the items, free text in and out. */
function codexRequest(model: string): object {
  const exec = { type: 'custom', name: 'exec', description: 'Runs it.', format: { type: 'text' } }
  const text = (value: string) => [{ type: 'input_text', text: value }]
  return {
    model,
    input: [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'namespace', name: 'shell', tools: [exec] }],
      },
      { type: 'message', role: 'developer', content: text('You are an agent.') },
      { type: 'message', role: 'user', content: text('List the files.') },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAAAABpPDIV' },
      { type: 'custom_tool_call', call_id: 'call_0', namespace: 'shell', name: 'exec', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'call_0', output: text('README.md') },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'medium', summary: 'auto', context: 'all_turns' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '019a-0000',
    text: { verbosity: 'low' },
    client_metadata: { session: '019a-0000' },
  }
}

describe('what Codex sends in its second turn', () => {
  const foreign = kindNames.filter((name) => name !== 'Responses')

  it.each(foreign)(
    'is served by an upstream that speaks %s, custom tools in namespaces included',
    async (name) => {
      const reply = {
        toolCalls: [{ ...toolCall, name: 'shell__exec', pieces: ['{"input":"cat ', 'README.md"}'] }],
        counts,
      }
      const upstream = reported(name, reply)
      const response = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'session-id': '019a', 'thread-id': '019a' },
        body: JSON.stringify(codexRequest(kinds[name].model)),
      })
      const text = await response.text()
      expect(response.status).toBe(200)
      const events = text
        .trim()
        .split('\n\n')
        .map((event) => JSON.parse(event.slice(event.indexOf('{'))))
      const done = events.filter(
        ({ type, item }) => type === 'response.output_item.done' && item.type !== 'reasoning',
      )
      expect(done.map(({ item }) => item)).toMatchObject([
        {
          type: 'custom_tool_call',
          namespace: 'shell',
          name: 'exec',
          input: 'cat README.md',
          status: 'completed',
        },
      ])
      expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } })
      const [call] = upstream.calls
      expect(call && upstream.protocol.reported(call).toolTurns).toMatchObject([
        { name: 'shell__exec', arguments: { input: 'ls' }, result: expect.stringContaining('README.md') },
      ])
    },
  )
})

describe('a caller whose upstream speaks Responses', () => {
  const body = JSON.stringify({
    model: kinds.Responses.model,
    input: [{ role: 'user', content: 'Hi — \\u5217' }],
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'namespace', name: 'files', tools: [] }, { type: 'web_search' }],
    client_metadata: { a: 1 },
    x_future: [1.5],
  })

  it('sends and gets every byte as it was', async () => {
    const reply = { text: ['Hi ', '列.'], toolCalls: [toolCall], counts }
    const upstream = reported('Responses', reply)
    const response = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    })
    const text = await response.text()
    const [call] = upstream.calls
    if (call === undefined) throw new Error(`nothing came through: ${text}`)
    expect(call.body.toString()).toBe(body)
    const sent = Buffer.concat(upstream.protocol.frames(reply, call).map(({ bytes }) => bytes))
    expect(text).toBe(sent.toString())
  })

  it('loses what another vendor signed, and nothing else', async () => {
    const upstream = reported('Responses', { text: ['Hi.'], counts })
    const foreign = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: 'tollgate.unsigned.none.',
    }
    const own = { ...foreign, encrypted_content: 'gAAAA' }
    const input = [foreign, own, { role: 'user', content: 'Hi' }] as OpenAI.Responses.ResponseInput
    await client.responses.create({ model: kinds.Responses.model, input })
    expect(upstream.calls[0]?.json.input).toEqual(JSON.parse(JSON.stringify(input.slice(1))))
  })
})

describe('what cannot be served', () => {
  const refusal = (body: object) =>
    client.responses
      .create({ model: kinds.Anthropic.model, input: 'Hi', ...body } as never)
      .catch((error: unknown) => error)

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['background', { background: true }],
    ['input', { input: 7 }],
  ])('is refused with 400 that names %s', async (param, body) => {
    const error = await refusal(body)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ status: 400, param })
  })
})
