import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { anthropicCaller, openAiCaller, type SdkAsk } from '../../support/dialects/sdk-callers.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import * as vendors from '../../support/upstream/app-vendors.ts'
import { startVendors, type VendorUpstreams } from '../../support/upstream/vendor-upstreams.ts'

setDefaultTimeout(deadline(20_000))

const { said: stated, thought, ...byName } = vendors
const names = Object.keys(byName) as (keyof typeof byName)[]
const callerNames = ['openai', 'anthropic'] as const

let gateway: Tollgate
let operator: Operator
let upstreams: VendorUpstreams
let key: string
let sdks: Readonly<Record<(typeof callerNames)[number], SdkAsk>>

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startVendors(operator, byName)
  key = (await operator.addKey()).key
  const options = { gatewayUrl: gateway.url, key }
  sdks = { openai: openAiCaller(options), anthropic: anthropicCaller(options) }
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(names.map((name) => [name, ratio])))
  await operator.option('ModelRatio', each(1))
  await operator.option('CompletionRatio', each(2))
  await operator.option('CacheRatio', each(0.5))
})
afterAll(async () => {
  await gateway?.stop()
  await upstreams?.stop()
})

/** Counts of the vendors: all input, cached input, output. Others count nothing. */
const counted: { readonly [Name in keyof typeof byName]?: readonly [number, number, number] } = {
  difyChatflow: [31, 0, 12],
  difyAgent: [31, 0, 12],
  perplexity: [20, 0, 9],
  mistral: [20, 4, 9],
  deepseek: [20, 4, 9],
  xai: [20, 4, 9],
  openrouter: [20, 4, 9],
}
const references = '\n\nReferences:\n1. [Weather](https://d.example/1)\n'
/** Reasoning is in the text for callers of the vendor's own format, who get responses unchanged. */
const inText = (name: string, caller: string) => caller === 'openai' && name === 'perplexity'

for (const caller of callerNames)
  describe.each(names)(`the ${caller} SDK over %s`, (name) => {
    for (const stream of [true, false])
      it(`gets its text and is charged what it counts (stream: ${stream})`, async () => {
        const [before, rows] = [await operator.quota(), await operator.consumed()]
        const { text } = await sdks[caller]({ model: name, stream, withTool: false })
        const expectedText = name === 'aiproxyLibrary' ? stated + references : stated
        expect(text).toBe(inText(name, caller) ? `<think>${thought}</think>\n${expectedText}` : expectedText)
        const row = await operator.consumption(rows + 1)
        const other = JSON.parse(row.other)
        const counts = counted[name]
        if (counts === undefined) {
          expect(other.estimated).toBe(true)
          expect(row.completion_tokens).toBeGreaterThan(3)
        } else {
          const [input, cached, output] = counts
          expect(row).toMatchObject({ prompt_tokens: input, completion_tokens: output, is_stream: stream })
          expect(other.estimated).toBeUndefined()
          expect(row.quota).toBe(input - cached + cached * 0.5 + output * 2)
        }
        expect(before - (await operator.quota())).toBe(row.quota)
      })
  })

describe('reasoning', () => {
  const thinking = names.filter((name) => name !== 'aiproxyLibrary')

  it.each(thinking)('of %s reach callers of Messages as reasoning', async (model) => {
    const client = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const { content } = await client.messages.stream({ model, max_tokens: 99, messages }).finalMessage()
    const reasoning = content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
    expect(reasoning).toContain(thought)
  })
})

describe.each(['mistral', 'deepseek', 'xai', 'openrouter'] as const)(
  'a tool of the caller at %s',
  (model) => {
    for (const caller of callerNames)
      it.each([true, false])(`works with the ${caller} SDK (stream: %p)`, async (stream) => {
        const calling = await sdks[caller]({ model, stream, withTool: true })
        expect(calling.toolCalls).toEqual([{ name: 'get_weather', arguments: { city: 'Zürich' } }])
        const { text } = await calling.giveResults('21 °C')
        expect(text).toBe(stated)
        const reported = JSON.stringify(upstreams.lastCall(model)?.json)
        expect(reported).toContain('21 °C')
        expect(reported.match(/Ab3dE6gH9/g)).toHaveLength(2)
      })
  },
)

describe('applications', () => {
  it('are asked by the key whole, the library by its id, agents for a stream', async () => {
    expect(upstreams.lastCall('fastgpt')?.headers.authorization).toBe('Bearer fastgpt-secret0001-64f3app')
    expect(upstreams.lastCall('aiproxyLibrary')?.json).toMatchObject({
      libraryId: '123456',
      query: 'What is the weather in Zürich?',
    })
    expect(upstreams.lastCall('difyAgent')?.json).toMatchObject({ response_mode: 'streaming', inputs: {} })
    await sdks.openai({ model: 'difyAgent', stream: false, withTool: false })
    expect(upstreams.lastCall('difyAgent')?.json.query).toContain('USER:\nWhat is the weather')
  })

  it('refuse tools by the name of the field', async () => {
    for (const model of ['difyChatflow', 'fastgpt', 'aiproxyLibrary']) {
      const failure = await sdks.openai({ model, stream: true, withTool: true }).catch((error) => error)
      expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
      expect(failure.param).toBe('tools')
    }
  })

  it('name the fields that they did not receive', async () => {
    const body = { model: 'difyChatflow', temperature: 0, messages: [{ role: 'user', content: 'hi' }] }
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    })
    expect(response.headers.get('x-tollgate-warning')).toContain('temperature')
    await response.text()
  })

  it.each([
    [{ type: 22, key: 'plain' }, 'channel_key_format_invalid'],
    [{ type: 21, other: '' }, 'channel_library_required'],
    [{ type: 37, other: 'workflow' }, 'channel_application_unknown'],
    [{ type: 39, other: '' }, 'channel_account_required'],
    [{ type: 39, other: '../x' }, 'channel_account_required'],
  ])('are not saved as %j', async (fields, code) => {
    const form = { name: 'bad', models: 'm', base_url: '', key: 'sk-x', status: 1, ...fields }
    expect((await operator.call('POST', '/api/channel/', form)).code).toBe(code)
  })
})

describe('a refusal', () => {
  it.each(names)('of %s costs nothing and shows nothing of its channel', async (model) => {
    const before = await operator.quota()
    upstreams.refuse(model)
    for (const stream of [true, false]) {
      const failure = await sdks.openai({ model, stream, withTool: false }).catch((error) => error)
      expect(failure).toBeInstanceOf(OpenAI.APIError)
      expect(failure.status).toBeGreaterThanOrEqual(400)
      expect(failure.message).not.toContain(byName[model].key)
      expect(failure.message).not.toContain('127.0.0.1')
    }
    expect(await operator.quota()).toBe(before)
  })
})
