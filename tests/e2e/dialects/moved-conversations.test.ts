import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { refuses, type ScriptedBehaviour, says } from '../../support/protocols/scripted-upstream.ts'
import {
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

/** A signature of another account, by which the upstreams of this suite know what they cannot verify. */
const stale = 'c3RhbGUtc2lnbmF0dXJl'
/** A model of a host that has Responses, and no compaction. */
const hosted = 'house-hosted'
/** A model of OpenAI's own, which takes images from the user alone. */
const picky = 'gpt-4.1'
const tool = { name: 'look', description: 'looks', schema: { type: 'object', properties: {} } }

type Caller = 'openai' | 'responses' | 'anthropic' | 'gemini'

interface Conversation {
  path(model: string, stream: boolean): string
  /** A question, reasoning with a call, and the call's result. @param mark what stands for the signature at this caller */
  body(model: string, stream: boolean, mark: string): object
}

const conversations: Readonly<Record<Caller, Conversation>> = {
  anthropic: {
    path: () => '/v1/messages',
    body: (model, stream, mark) => ({
      model,
      stream,
      max_tokens: 4000,
      tools: [{ name: tool.name, input_schema: tool.schema }],
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I look.', signature: mark },
            { type: 'tool_use', id: 'toolu_1', name: tool.name, input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }] },
      ],
    }),
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, stream, mark) => ({
      model,
      stream,
      store: false,
      tools: [{ type: 'function', name: tool.name, parameters: tool.schema, strict: false }],
      input: [
        { type: 'message', role: 'user', content: 'Look.' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: mark },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: tool.name, arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
      ],
    }),
  },
  gemini: {
    path: (model, stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (_model, _stream, mark) => ({
      tools: [{ functionDeclarations: [{ name: tool.name, parameters: tool.schema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [{ functionCall: { name: tool.name, args: {} }, thoughtSignature: mark }] },
        { role: 'user', parts: [{ functionResponse: { name: tool.name, response: { output: 'seen' } } }] },
      ],
    }),
  },
  openai: {
    path: () => '/v1/chat/completions',
    body: (model, stream, mark) => ({
      model,
      stream,
      tools: [{ type: 'function', function: { name: tool.name, parameters: tool.schema } }],
      messages: [
        { role: 'user', content: 'Look.' },
        {
          role: 'assistant',
          content: null,
          thinking_blocks: [{ type: 'thinking', thinking: 'I look.', signature: mark }],
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: tool.name, arguments: '{}' },
              extra_content: { google: { thought_signature: mark } },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'seen' },
      ],
    }),
  },
}

/** Words of each vendor for a signature that it cannot verify. */
const words: Readonly<Record<UpstreamName, string>> = {
  openai: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  responses: 'The encrypted content c3Rh...dXJl could not be verified.',
  anthropic: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  bedrock: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  gemini: 'Corrupted thought signature.',
}

/** Callers whose body brings a signature to an upstream, and what they hold it in. */
const ways: readonly (readonly [Caller, UpstreamName, string])[] = [
  ['anthropic', 'anthropic', stale],
  ['anthropic', 'bedrock', stale],
  ['anthropic', 'gemini', `tollgate.tool-call.gemini.${stale}`],
  ['anthropic', 'responses', `tollgate.encrypted.openai.${stale}`],
  ['responses', 'responses', stale],
  ['responses', 'anthropic', `tollgate.reasoning.anthropic.${stale}`],
  ['responses', 'gemini', `tollgate.tool-call.gemini.${stale}`],
  ['gemini', 'gemini', stale],
  ['openai', 'openai', stale],
  ['openai', 'anthropic', stale],
  ['openai', 'gemini', stale],
]

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await priceModels(operator, { model: 1, completion: 1 }, [hosted, picky])
  const { url: base_url } = upstreams.openai.upstream
  await operator.addChannel({ name: 'picky', type: 1, key: 'sk-picky', base_url, models: picky })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})
afterEach(() => {
  for (const { upstream } of Object.values(upstreams)) upstream.forget()
})

/** Refuses what holds the other account's signature, and responds to all else. */
const verifies =
  (name: UpstreamName): ScriptedBehaviour =>
  (exchange) =>
    exchange.call.body.includes(stale)
      ? refuses(400, words[name])(exchange)
      : says({ text: ['Seen.'] })(exchange)

async function ask(caller: Caller, model: string, stream: boolean, mark: string) {
  const { path, body } = conversations[caller]
  const before = await operator.quota()
  const response = await fetch(gateway.url + path(model, stream), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body(model, stream, mark)),
  })
  const text = await response.text()
  return { response, text, spent: before - (await operator.quota()) }
}

describe.each(ways)(
  'a conversation of a caller who speaks as %s goes on at another account of %s',
  (...way) => {
    const [caller, name, mark] = way
    it.each([false, true])(
      'without the reasoning that this one cannot verify (stream: %s)',
      async (stream) => {
        const { upstream, model } = upstreams[name]
        upstream.otherwise(verifies(name))
        const { response, text, spent } = await ask(caller, model, stream, mark)
        expect([response.status, text]).toEqual([200, expect.stringContaining('Seen.')])
        expect(response.headers.get('x-tollgate-warning')).toContain('reasoning')
        expect(upstream.calls.map(({ body }) => body.includes(stale))).toEqual([true, false])
        // The calls themselves and their results are still there.
        expect(upstream.protocol.reported(upstream.calls[1] as never).toolTurns).toHaveLength(1)
        // One call is paid: ten tokens in and five out.
        expect(spent).toBe(15)
      },
    )
  },
)

describe('a refusal of reasoning', () => {
  it('reaches the caller when the upstream repeats it, and is charged to nobody', async () => {
    const { upstream, model } = upstreams.anthropic
    upstream.otherwise(refuses(400, words.anthropic))
    const { response, text, spent } = await ask('anthropic', model, false, stale)
    expect([response.status, text]).toEqual([400, expect.stringContaining('Invalid `signature`')])
    expect(upstream.calls).toHaveLength(2)
    expect(spent).toBe(0)
  })

  it.each(upstreamNames)('is no reason to ask %s again where the call holds no reasoning', async (name) => {
    const { upstream, model } = upstreams[name]
    upstream.otherwise(refuses(400, words[name]))
    const body = { model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
    const headers = { authorization: `Bearer ${key}` }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${gateway.url}/v1/messages`, request)
    expect(response.status).toBe(400)
    expect(upstream.calls).toHaveLength(1)
  })

  it('reaches the caller at once where bodies pass as they are', async () => {
    const { upstream, model } = upstreams.anthropic
    await operator.option('global.pass_through_request_enabled', 'true')
    upstream.otherwise(verifies('anthropic'))
    const { response } = await ask('anthropic', model, false, stale)
    await operator.option('global.pass_through_request_enabled', 'false')
    expect(response.status).toBe(400)
    expect(upstream.calls).toHaveLength(1)
  })
})

describe('a turn that asks for compaction', () => {
  const input = [{ type: 'message', role: 'user', content: 'Look.' }, { type: 'compaction_trigger' }]
  const send = (model: string) =>
    fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, store: false, input }),
    })

  it('passes as received to an upstream that compacts', async () => {
    const { upstream, model } = upstreams.responses
    upstream.otherwise(says({ text: ['Seen.'] }))
    expect((await send(model)).status).toBe(200)
    expect(upstream.calls[0]?.json['input']).toEqual(input)
  })

  it('is a request for a summary at a host of Responses that does not', async () => {
    const { upstream } = upstreams.openai
    const model = hosted
    await operator.addChannel({ name: 'host', type: 20, key: 'sk-or', base_url: upstream.url, models: model })
    upstream.otherwise(says({ text: ['It was seen.'] }))
    const response = await send(model)
    expect(await response.json()).toMatchObject({ output: [{ type: 'compaction' }] })
    expect(upstream.calls.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  })
})

describe.each(['openai', 'anthropic', 'gemini', 'bedrock'] as const)(
  'a conversation that Codex has compacted by a model of %s',
  (name) => {
    const question = { type: 'message', role: 'user', content: 'Look.' }
    const send = (input: readonly object[], model: string, stream: boolean) =>
      fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model, stream, store: false, input }),
      })

    it.each([false, true])('is one item, from which any vendor goes on (stream: %s)', async (stream) => {
      const { upstream, model } = upstreams[name]
      upstream.otherwise(says({ reasoning: ['Hm.'], text: ['It was ', 'seen.'] }))
      const compacting = await send([question, { type: 'compaction_trigger' }], model, stream)
      const text = await compacting.text()
      expect(compacting.status).toBe(200)
      const response = stream ? responseIn(text) : JSON.parse(text)
      expect(response).toMatchObject({ status: 'completed', output: [{ type: 'compaction' }] })
      expect(response.output).toHaveLength(1)
      if (stream) expect(text.match(/event: response\.output_item\.done/g)).toHaveLength(1)
      for (const next of [upstream, upstreams.responses.upstream]) {
        next.forget()
        const nextModel = next === upstream ? model : upstreams.responses.model
        const going = await send([...response.output, question], nextModel, stream)
        await going.text()
        expect(going.status).toBe(200)
        const received = next.calls[0]?.body.toString() ?? ''
        expect(received).toContain('It was seen.')
        expect(received).not.toContain('compaction')
      }
    })
  },
)

function responseIn(stream: string) {
  const [, data = '{}'] = /^event: response\.completed\ndata: (.*)$/m.exec(stream) ?? []
  return JSON.parse(data).response
}

const png = 'iVBORw0KGgo='
const chatImage = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
const inlineImage = { inlineData: { mimeType: 'image/png', data: png } }
const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }

/** What a tool and the model have shown before, as each caller sends it back. */
const pictures: Readonly<Record<Caller, (model: string) => object>> = {
  openai: (model) => ({
    model,
    messages: [
      { role: 'user', content: 'Draw.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Drawn.' }, chatImage] },
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'seen' }, chatImage] },
    ],
  }),
  responses: (model) => ({
    model,
    store: false,
    input: [
      { role: 'user', content: 'Draw.' },
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: png },
      { role: 'user', content: 'Look.' },
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_image', image_url: `data:image/png;base64,${png}` }],
      },
    ],
  }),
  anthropic: (model) => ({
    model,
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
          },
        ],
      },
    ],
  }),
  gemini: () => ({
    contents: [
      { role: 'user', parts: [{ text: 'Draw.' }] },
      { role: 'model', parts: [{ text: 'Drawn.' }, inlineImage] },
      { role: 'user', parts: [{ text: 'Look.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'look', response: { error: 'dark' }, parts: [inlineImage] } }],
      },
    ],
  }),
}

type Turn = Readonly<Record<string, unknown>>

/** Everything of a turn that may hold no image at the vendor. */
const withoutImages: Readonly<Record<UpstreamName, (turn: Turn) => readonly unknown[]>> = {
  openai: (turn) => (turn['role'] === 'user' ? [] : [turn]),
  responses: (turn) => (turn['role'] === 'assistant' ? [turn] : []),
  anthropic: (turn) => (turn['role'] === 'assistant' ? [turn] : failedIn(turn)),
  gemini: () => [],
  bedrock: (turn) => (turn['role'] === 'assistant' ? [turn] : failedIn(turn)),
}

function failedIn({ content }: Turn): readonly unknown[] {
  const blocks = Array.isArray(content) ? content : []
  return blocks.filter((block) => /"is_error":true|"status":"error"/.test(JSON.stringify(block)))
}

/** Refuses an image where the vendor takes none, and responds to all else. */
const looksAt =
  (name: UpstreamName): ScriptedBehaviour =>
  (exchange) => {
    const { messages, input, contents } = exchange.call.json
    const turns = (messages ?? input ?? contents) as readonly Turn[]
    const wrong = turns.flatMap(withoutImages[name]).filter((each) => JSON.stringify(each).includes(png))
    const refusal = refuses(400, `Images are only allowed for the user: ${JSON.stringify(wrong)}`)
    return (wrong.length > 0 ? refusal : says({ text: ['Seen.'] }))(exchange)
  }

describe.each(Object.keys(pictures) as readonly Caller[])(
  'what a tool and the model have shown to a caller who speaks as %s',
  (caller) => {
    // A caller of the vendor's own format reads the vendor's own refusals.
    const others = upstreamNames.filter((name) => name === 'openai' || name !== caller)
    it.each(others)('is shown to a model of %s where it takes images', async (name) => {
      const { upstream, model: own } = upstreams[name]
      // OpenAI itself serves callers of Responses as they speak.
      const model = name === 'openai' && caller !== 'responses' ? picky : own
      upstream.otherwise(looksAt(name))
      const response = await fetch(gateway.url + conversations[caller].path(model, false), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(pictures[caller](model)),
      })
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Seen.')])
      const sent = JSON.stringify(pictures[caller](model)).split(png).length
      expect(upstream.calls[0]?.body.toString().split(png)).toHaveLength(sent)
    })
  },
)

describe('a turn that was cut before the model said anything', () => {
  /** Types of channels whose vendors refuse such a turn. */
  const vendors = { moonshot: 25, mistral: 42, deepseek: 43 } as const
  const cut: Readonly<Record<Caller, (model: string) => object>> = {
    openai: (model) => ({ model, messages: turns([{ role: 'assistant', content: '' }]) }),
    responses: (model) => ({
      model,
      input: turns([{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] }]),
    }),
    anthropic: (model) => ({
      model,
      max_tokens: 64,
      messages: turns([
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: 'x' }] },
      ]),
    }),
    gemini: () => ({
      contents: [
        { role: 'user', parts: [{ text: 'Look.' }] },
        { role: 'model', parts: [] },
        { role: 'user', parts: [{ text: 'Go on.' }] },
      ],
    }),
  }

  function turns(middle: readonly object[]): readonly object[] {
    return [{ role: 'user', content: 'Look.' }, ...middle, { role: 'user', content: 'Go on.' }]
  }

  it.each(Object.entries(vendors))('does not end the conversation at %s', async (name, type) => {
    const { upstream } = upstreams.openai
    const model = `cut-${name}`
    await operator.addChannel({ name, type, key: 'sk-cut', base_url: upstream.url, models: model })
    await priceModels(operator, { model: 1, completion: 1 }, [hosted, picky, model])
    for (const caller of Object.keys(cut) as readonly Caller[]) {
      upstream.otherwise(says({ text: ['Seen.'] }))
      const response = await fetch(gateway.url + conversations[caller].path(model, false), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(cut[caller](model)),
      })
      expect([caller, response.status, await response.text()]).toEqual([
        caller,
        200,
        expect.stringContaining('Seen.'),
      ])
    }
    const sent = upstream.calls.map(({ json }) => json['messages'] as readonly Turn[])
    expect(sent).toHaveLength(4)
    for (const messages of sent) expect(messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })
})
