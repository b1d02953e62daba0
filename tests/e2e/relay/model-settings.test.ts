import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { anthropicProtocol } from '../../support/protocols/anthropic.ts'
import { bedrockProtocol } from '../../support/protocols/bedrock.ts'
import { geminiProtocol } from '../../support/protocols/gemini.ts'
import { openAiProtocol } from '../../support/protocols/openai.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/protocols/scripted-upstream.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

const sonnet = 'claude-3-7-sonnet-20250219'
const flash = 'gemini-2.5-flash'
const claudeModels = [sonnet, `${sonnet}-thinking`]
const geminiModels = [
  flash,
  `${flash}-thinking-1024`,
  `${flash}-nothinking`,
  `${flash}-image`,
  'gemini-1.0-pro',
]
const openAiModels = ['o3-mini-high', 'gpt-5-minimal']
const awsKey = { accessKeyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG', region: 'us-east-1' }
const hi = [{ role: 'user' as const, content: 'Hi' }]

let gateway: Tollgate
let operator: Operator
let openai: OpenAI
let messages: Anthropic
let claude: ScriptedUpstream
let bedrock: ScriptedUpstream
let gemini: ScriptedUpstream
let gpt: ScriptedUpstream
let key: string

beforeAll(async () => {
  gateway = await startTollgate({
    env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', GEMINI_VISION_MAX_IMAGE_NUM: '2' },
  })
  operator = await operate(gateway.url)
  await operator.option('SelfUseModeEnabled', 'true')
  key = (await operator.addKey()).key
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })
  messages = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 })
  claude = await startScriptedUpstream(anthropicProtocol)
  bedrock = await startScriptedUpstream(bedrockProtocol(awsKey))
  gemini = await startScriptedUpstream(geminiProtocol)
  gpt = await startScriptedUpstream(openAiProtocol)
  await operator.addChannel({
    name: 'claude',
    type: 14,
    key: 'sk-ant-1',
    base_url: claude.url,
    models: claudeModels.join(),
  })
  await operator.addChannel({
    name: 'bedrock',
    type: 33,
    key: `${awsKey.accessKeyId}|${awsKey.secret}|${awsKey.region}`,
    base_url: bedrock.url,
    models: 'claude-opus-4-20250514-thinking',
  })
  await operator.addChannel({
    name: 'gemini',
    type: 24,
    key: 'AIzaUpstream0001',
    base_url: gemini.url,
    models: geminiModels.join(),
  })
  await operator.addChannel({ name: 'gpt', type: 1, base_url: gpt.url, models: openAiModels.join() })
})
afterAll(async () => {
  await gateway?.stop()
  for (const upstream of [claude, bedrock, gemini, gpt]) await upstream?.stop()
})
beforeEach(() => {
  for (const upstream of [claude, bedrock, gemini, gpt]) upstream.forget()
})

const asks = (model: string, more: object = {}) =>
  openai.chat.completions.create({ model, messages: hi, ...more })
const sentTo = (upstream: ScriptedUpstream) => upstream.calls.at(-1)?.json ?? {}

describe('Claude', () => {
  it('thinks where the name asks for it, from either dialect', async () => {
    await asks(`${sonnet}-thinking`, { max_tokens: 5000, temperature: 0.2 })
    const fromChat = sentTo(claude)
    await messages.messages.create({ model: `${sonnet}-thinking`, max_tokens: 5000, messages: hi })
    for (const sent of [fromChat, sentTo(claude)]) {
      expect(sent).toMatchObject({ model: sonnet, thinking: { type: 'enabled', budget_tokens: 4000 } })
      expect(sent).not.toHaveProperty('temperature')
    }
  })

  it('thinks at Bedrock, too', async () => {
    await asks('claude-opus-4-20250514-thinking')
    expect(decodeURIComponent(bedrock.calls.at(-1)?.path ?? '')).toContain('claude-opus-4-20250514-v1:0')
    expect(sentTo(bedrock)).toMatchObject({ thinking: { type: 'enabled' } })
  })

  it('gets the operator’s limit, share and header fields, as soon as they are set', async () => {
    await operator.option('claude.default_max_tokens', JSON.stringify({ default: 1000, [sonnet]: 2000 }))
    await operator.option('claude.thinking_adapter_budget_tokens_percentage', '0.6')
    await operator.option(
      'claude.model_headers_settings',
      JSON.stringify({ [sonnet]: { 'anthropic-beta': ['output-128k-2025-02-19'], 'x-house': ['1'] } }),
    )
    await asks(sonnet)
    expect(sentTo(claude).max_tokens).toBe(2000)
    expect(claude.calls.at(-1)?.headers).toMatchObject({
      'anthropic-beta': 'output-128k-2025-02-19',
      'x-house': '1',
    })
    await messages.messages.create(
      { model: sonnet, max_tokens: 9, messages: hi },
      { headers: { 'anthropic-beta': 'context-1m-2025-08-07' } },
    )
    expect(claude.calls.at(-1)?.headers['anthropic-beta']).toBe(
      'context-1m-2025-08-07,output-128k-2025-02-19',
    )
    await asks(`${sonnet}-thinking`)
    expect(sentTo(claude)).toMatchObject({ max_tokens: 2000, thinking: { budget_tokens: 1200 } })
    await operator.option('claude.thinking_adapter_enabled', 'false')
    await asks(`${sonnet}-thinking`)
    expect(sentTo(claude).model).toBe(`${sonnet}-thinking`)
  })
})

describe('Gemini', () => {
  it('thinks as the name says', async () => {
    await asks(`${flash}-thinking-1024`)
    expect(gemini.calls.at(-1)?.path).toEndWith(`/v1beta/models/${flash}:generateContent`)
    expect(sentTo(gemini).generationConfig).toMatchObject({
      thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
    })
    await asks(`${flash}-nothinking`, { stream: true })
    expect(gemini.calls.at(-1)?.path).toEndWith(`/v1beta/models/${flash}:streamGenerateContent`)
    expect(sentTo(gemini).generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } })
  })

  it('gets the operator’s safety settings from callers of other formats, and its own callers’ bodies', async () => {
    await operator.option(
      'gemini.safety_settings',
      '{"default":"BLOCK_NONE","HARM_CATEGORY_HARASSMENT":"OFF"}',
    )
    await asks(flash)
    const { safetySettings } = sentTo(gemini) as { safetySettings: { category: string; threshold: string }[] }
    expect(safetySettings).toHaveLength(5)
    expect(safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' })
    expect(safetySettings).toContainEqual({ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' })
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
    const headers = { 'x-goog-api-key': key }
    await fetch(`${gateway.url}/v1beta/models/${flash}:generateContent`, { method: 'POST', headers, body })
    expect(gemini.calls.at(-1)?.body.toString()).toBe(body)
  })

  it('is asked by the version, and for the pictures, that the operator set for the model', async () => {
    await asks('gemini-1.0-pro')
    expect(gemini.calls.at(-1)?.path).toContain('/v1/models/')
    await operator.option('gemini.version_settings', '{"default":"v1beta","gemini-1.0-pro":"v1beta"}')
    await asks('gemini-1.0-pro')
    expect(gemini.calls.at(-1)?.path).toContain('/v1beta/models/')
    await asks(`${flash}-image`)
    expect(sentTo(gemini).generationConfig).toMatchObject({ responseModalities: ['TEXT', 'IMAGE'] })
  })

  it('gets no more images in a message than the operator allows', async () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const failure = await openai.chat.completions
      .create({ model: flash, messages: [{ role: 'user', content: [image, image, image] }] })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 400 })
    expect(String(failure)).toContain('too many images in the message, max allowed is 2')
  })
})

describe('OpenAI', () => {
  it('gets the effort from the end of the name', async () => {
    await asks('o3-mini-high', { max_tokens: 50 })
    expect(sentTo(gpt)).toMatchObject({
      model: 'o3-mini',
      reasoning_effort: 'high',
      max_completion_tokens: 50,
    })
    await messages.messages.create({ model: 'gpt-5-minimal', max_tokens: 50, messages: hi })
    expect(sentTo(gpt)).toMatchObject({ model: 'gpt-5', reasoning_effort: 'minimal' })
  })
})

describe('passing every request through', () => {
  it('leaves the body as it was received, whatever the name asks for', async () => {
    await operator.option('global.pass_through_request_enabled', 'true')
    await messages.messages.create({ model: `${sonnet}-thinking`, max_tokens: 50, messages: hi })
    expect(sentTo(claude)).toEqual({ model: `${sonnet}-thinking`, max_tokens: 50, messages: hi })
    await operator.option('global.pass_through_request_enabled', 'false')
  })
})
