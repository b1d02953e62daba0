import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { sendJson } from '../../support/upstream/sending.ts'
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

const claudeReply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'So.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 2 },
}
const geminiReply = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'So.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
}

const channels = new Set<string>()

async function sent(type: number, model: string, path: string, body: object) {
  if (!channels.has(model))
    await operator.addChannel({ name: model, type, base_url: upstream.url, models: model })
  channels.add(model)
  upstream.otherwise(({ response }) => sendJson(response, 200, type === 14 ? claudeReply : geminiReply))
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
  return { body: upstream.calls.at(-1)?.json, warning: response.headers.get('x-tollgate-warning') ?? '' }
}

const messages = [{ role: 'user', content: 'Why?' }]
const claude = (model: string, requested: object) =>
  sent(14, model, '/v1/messages', { model, max_tokens: 9000, messages, ...requested })
const gemini = (model: string, thinkingConfig: object) =>
  sent(24, model, `/v1beta/models/${model}:generateContent`, {
    contents: [{ role: 'user', parts: [{ text: 'Why?' }] }],
    generationConfig: { thinkingConfig },
  })

describe('thinking that callers ask for in the vendor’s own format', () => {
  it('is adaptive at a Claude that has no budgets, without the sampling that it refuses', async () => {
    const { body, warning } = await claude('claude-opus-4-7', {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      temperature: 0.2,
      top_p: 0.5,
    })
    expect(body).toEqual({
      model: 'claude-opus-4-7',
      max_tokens: 9000,
      messages,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'medium' },
    })
    for (const name of ['thinking.budget_tokens', 'temperature', 'top_p']) expect(warning).toContain(name)
  })

  it('has a budget at a Claude that knows nothing else', async () => {
    const { body, warning } = await claude('claude-haiku-4-5', {
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
    })
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1280 } })
    expect(body).not.toHaveProperty('output_config')
    expect(warning).toContain('output_config.effort')
  })

  it('is the least that there is at a model that always thinks', async () => {
    const off = await claude('claude-opus-5-5', { thinking: { type: 'disabled' } })
    expect(off.body).toMatchObject({ output_config: { effort: 'low' } })
    expect(off.body).not.toHaveProperty('thinking')
    expect(off.warning).toContain('thinking')
    const pro = await gemini('gemini-2.5-pro', { thinkingBudget: 0 })
    expect(pro.body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 128 } } })
    expect(pro.warning).toContain('generationConfig.thinkingConfig.thinkingBudget')
    const next = await gemini('gemini-3-pro-preview', { thinkingBudget: 0 })
    expect(next.body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } })
  })

  it('is a budget at a Gemini that knows no levels', async () => {
    const { body, warning } = await gemini('gemini-2.5-flash', { thinkingLevel: 'LOW' })
    expect(body).toMatchObject({ generationConfig: { thinkingConfig: { thinkingBudget: 1024 } } })
    expect(warning).toContain('thinkingLevel')
  })

  it('passes as it is where the model takes it', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    const { body, warning } = await claude('claude-sonnet-4-5', { thinking })
    expect(body).toMatchObject({ thinking })
    expect(warning).toBe('')
  })
})

const chatReply = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'So.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
}

describe('a param_override that says how hard to think', () => {
  it.each([
    ['a field', { reasoning_effort: 'high' }],
    ['an operation', { operations: [{ mode: 'set', path: 'reasoning_effort', value: 'high' }] }],
  ])('is followed by the vendor’s own switch, as %s', async (name, override) => {
    const model = `deepseek-ai/DeepSeek-V4-${name.length}`
    const param_override = JSON.stringify(override)
    await operator.addChannel({
      name: model,
      type: 40,
      base_url: upstream.url,
      models: model,
      param_override,
    })
    upstream.otherwise(({ response }) => sendJson(response, 200, chatReply))
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, reasoning_effort: 'none' }),
    })
    expect(response.status).toBe(200)
    expect(upstream.calls.at(-1)?.json).toMatchObject({ enable_thinking: true, reasoning_effort: 'high' })
  })
})
