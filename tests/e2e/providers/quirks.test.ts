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
})
beforeEach(() => upstream.forget())
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

/** A channel of one model, which has a name of its own. */
async function channel(name: string, type: number, fields: object = {}): Promise<string> {
  await operator.addChannel({ name, type, base_url: upstream.url, models: name, ...fields })
  return name
}

function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The body that the upstream got from a call, to which it responds with this body. */
async function reported(
  reply: object,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  upstream.otherwise(({ response }) => sendJson(response, 200, reply))
  const response = await post(path, body, headers)
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
  const call = upstream.calls.at(-1)
  if (call === undefined) throw new Error('the upstream was not asked')
  return call
}

const messages = [{ role: 'user', content: 'Why?' }]
const chatReply = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'So.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
}
const geminiReply = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'So.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
}
const cohereReply = {
  id: 'c1',
  finish_reason: 'COMPLETE',
  message: { role: 'assistant', content: [{ type: 'text', text: 'So.' }] },
  usage: {
    billed_units: { input_tokens: 5, output_tokens: 2 },
    tokens: { input_tokens: 5, output_tokens: 2 },
  },
}

const weather = { type: 'object', properties: { city: { type: 'string' } } }
const responsesReply = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'So.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
}

describe('Azure', () => {
  it('serves callers of Responses in their own format, whatever version the channel names', async () => {
    const model = await channel('gpt-4.1', 3, { other: '2024-06-01' })
    const body = { model, input: 'Why?', include: ['reasoning.encrypted_content'] }
    const call = await reported(responsesReply, '/v1/responses', body)
    expect([call.path, call.json]).toEqual(['/openai/v1/responses', body])
    const codex = await reported(responsesReply, '/v1/responses', body, {
      'x-codex-beta-features': 'apps,plugins',
    })
    expect(codex.headers).toMatchObject({ 'x-codex-beta-features': 'apps,plugins' })
  })

  it('serves models that have nothing but Responses to callers of other formats', async () => {
    const model = await channel('gpt-5.1-codex', 3)
    const call = await reported(responsesReply, '/v1/chat/completions', { model, messages })
    expect([call.path, call.json.model]).toEqual(['/openai/v1/responses', model])
  })

  it('calls deployments by the names of their models, without dots where the channel says so', async () => {
    const chat = async (model: string) =>
      (await reported(chatReply, '/v1/chat/completions', { model, messages })).path
    expect(await chat('gpt-4.1')).toBe('/openai/deployments/gpt-4.1/chat/completions')
    const setting = '{"strip_deployment_dots":true}'
    const stripped = await channel('gpt-4.1-mini', 3, { setting })
    expect(await chat(stripped)).toBe('/openai/deployments/gpt-41-mini/chat/completions')
    const call = await reported(responsesReply, '/v1/responses', { model: stripped, input: 'Why?' })
    expect(call.json.model).toBe('gpt-41-mini')
    const mapped = { setting, model_mapping: '{"gpt-4.1-nano":"nano.eu"}' }
    expect(await chat(await channel('gpt-4.1-nano', 3, mapped))).toContain('/deployments/nano.eu/')
  })
})

it.each([
  ['DeepSeek', 43],
  ['Alibaba', 17],
])('OpenAI’s newer names reach %s by the older ones that it knows', async (_name, type) => {
  const model = await channel(`names-${type}`, type)
  const requested = [{ role: 'developer', content: 'Be brief.' }, ...messages]
  const body = { model, messages: requested, max_completion_tokens: 9 }
  const call = await reported(chatReply, '/v1/chat/completions', body)
  const older = [{ role: 'system', content: 'Be brief.' }, ...messages]
  expect(call.json).toEqual({ model, messages: older, max_tokens: 9 })
})

describe('reasoning that is asked of a model with a name of its own', () => {
  it('reaches Gemini as a budget', async () => {
    const model = await channel('our-gemini', 24)
    const chat = await reported(geminiReply, '/v1/chat/completions', {
      model,
      messages,
      reasoning_effort: 'low',
    })
    expect(chat.json.generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 1024 } })
    const thinking = { type: 'enabled', budget_tokens: 3000 }
    const claude = await reported(geminiReply, '/v1/messages', {
      model,
      max_tokens: 5000,
      messages,
      thinking,
    })
    expect(claude.json.generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 3000 } })
  })

  it('reaches xAI as an effort, from callers of every dialect', async () => {
    const model = await channel('our-grok', 48)
    const chat = await reported(chatReply, '/v1/chat/completions', {
      model,
      messages,
      reasoning_effort: 'high',
    })
    expect(chat.json).toMatchObject({ reasoning_effort: 'high' })
    const thinking = { type: 'enabled', budget_tokens: 4096 }
    const claude = await reported(chatReply, '/v1/messages', { model, max_tokens: 5000, messages, thinking })
    expect(claude.json).toMatchObject({ reasoning_effort: 'high' })
    const contents = [{ role: 'user', parts: [{ text: 'Why?' }] }]
    const generationConfig = { thinkingConfig: { thinkingLevel: 'LOW' } }
    const path = `/v1beta/models/${model}:generateContent`
    const gemini = await reported(chatReply, path, { contents, generationConfig })
    expect(gemini.json).toMatchObject({ reasoning_effort: 'low' })
  })

  it('reaches Cohere as a budget', async () => {
    const model = await channel('our-command', 34)
    const call = await reported(cohereReply, '/v1/chat/completions', {
      model,
      messages,
      reasoning_effort: 'low',
    })
    expect(call.json).toMatchObject({ thinking: { type: 'enabled', token_budget: 1024 } })
  })
})

describe('tools over Gemini', () => {
  it('are called with arguments that come in pieces', async () => {
    const model = await channel('pieces', 24)
    const pieces = [
      { name: 'weather', willContinue: true },
      { partialArgs: [{ jsonPath: '$.city', stringValue: 'New ', willContinue: true }], willContinue: true },
      { partialArgs: [{ jsonPath: '$.city', stringValue: 'Delhi' }], willContinue: true },
      {},
    ]
    upstream.otherwise(async ({ response }) => {
      openStream(response)
      for (const functionCall of pieces) {
        const content = { role: 'model', parts: [{ functionCall }] }
        await write(response, `data: ${JSON.stringify({ candidates: [{ content, index: 0 }] })}\n\n`)
      }
      await write(response, `data: ${JSON.stringify(geminiReply)}\n\n`)
      response.end()
    })
    const tools = [{ type: 'function', function: { name: 'weather', parameters: weather } }]
    const response = await post('/v1/chat/completions', { model, messages, tools, stream: true })
    const calls = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)]
      .flatMap(([, data = '{}']) => JSON.parse(data).choices)
      .flatMap(({ delta }) => delta.tool_calls ?? [])
    expect(calls.map((call) => call.function.name ?? '').join('')).toBe('weather')
    expect(calls.map((call) => call.function.arguments ?? '').join('')).toBe('{"city":"New Delhi"}')
  })

  it('have the type of their empty parameters, as Codex declares them', async () => {
    const model = await channel('goals', 24)
    const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const tools = [{ type: 'function', name: 'get_goal', description: 'd', strict: false, parameters }]
    const call = await reported(geminiReply, '/v1/responses', { model, input: 'Why?', tools })
    expect(call.json.tools).toEqual([
      { functionDeclarations: [{ name: 'get_goal', description: 'd', parametersJsonSchema: parameters }] },
    ])
  })
})

describe('a conversation that is compacted', () => {
  const input = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the build.' }] },
    { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'rain' },
  ]
  const tools = [{ type: 'function', name: 'weather', parameters: weather }]
  const compacted = {
    id: 'resp_2',
    object: 'response.compaction',
    created_at: 1,
    output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }],
    usage: { input_tokens: 500, output_tokens: 40, total_tokens: 540 },
  }
  const compact = (model: string) =>
    post('/v1/responses/compact', { model, instructions: 'Be brief.', input, tools })

  it.each([
    ['OpenAI', 1, '/v1/responses/compact'],
    ['Azure', 3, '/openai/v1/responses/compact'],
  ])('is compacted by %s itself, as it came, and charged', async (_name, type, path) => {
    const model = await channel(`compact-${type}`, type)
    await operator.option('ModelRatio', JSON.stringify({ [model]: 1 }))
    upstream.otherwise(({ response }) => sendJson(response, 200, compacted))
    const rows = await operator.consumed()
    const response = await compact(model)
    expect(await response.json()).toEqual(compacted)
    const call = upstream.calls.at(-1)
    expect([call?.path, call?.json]).toEqual([path, { model, instructions: 'Be brief.', input, tools }])
    const row = await operator.consumption(rows + 1)
    expect(row).toMatchObject({ model_name: model, prompt_tokens: 500, completion_tokens: 40 })
    expect(row.quota).toBeGreaterThan(0)
  })

  it('is summarized by an upstream that compacts nothing, by one call that is charged', async () => {
    const model = await channel('compact-gemini', 24)
    await operator.option('ModelRatio', JSON.stringify({ [model]: 1 }))
    upstream.otherwise(({ response }) => sendJson(response, 200, geminiReply))
    const rows = await operator.consumed()
    const response = await compact(model)
    const reply = (await response.json()) as { readonly output: readonly object[] }
    expect(structuredClone(reply)).toMatchObject({
      object: 'response.compaction',
      output: [{ type: 'message', role: 'user', content: [{ text: expect.stringContaining('So.') }] }],
      usage: { input_tokens: 5, output_tokens: 2 },
    })
    const reported = upstream.calls.at(-1)
    expect(reported?.path).toBe(`/v1beta/models/${model}:generateContent`)
    expect(JSON.stringify(reported?.json.contents)).toMatch(
      /Fix the build\..*Oslo.*rain.*Summarize the conversation/,
    )
    expect(reported?.json.toolConfig).toEqual({ functionCallingConfig: { mode: 'NONE' } })
    expect(await operator.consumption(rows + 1)).toMatchObject({ model_name: model, prompt_tokens: 5 })

    const next = { model, input: [...reply.output, { role: 'user', content: 'Go on.' }] }
    upstream.otherwise(({ response: out }) => sendJson(out, 200, geminiReply))
    const on = await post('/v1/responses', next)
    expect([on.status, await on.text()]).toEqual([200, expect.anything()])
  })

  it('is a failure, and free, where no summary comes back', async () => {
    const model = await channel('compact-nothing', 24)
    const empty = {
      ...geminiReply,
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }],
    }
    upstream.otherwise(({ response }) => sendJson(response, 200, empty))
    const before = await operator.quota()
    expect((await compact(model)).status).toBe(502)
    expect(await operator.quota()).toBe(before)
  })
})
