import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { dialectForms, send } from '../../support/dialects/dialect-calls.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { type ScriptedBehaviour, says } from '../../support/protocols/scripted-upstream.ts'
import {
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await priceModels(operator, { model: 1, completion: 1 })
  upstreams = await startDialectUpstreams(operator)
  key = (await operator.addKey()).key
  await operator.option('SensitiveWords', 'forbidden\n禁词')
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})
beforeEach(() => {
  for (const { upstream } of Object.values(upstreams)) upstream.forget()
})

const models = () => Object.values(upstreams).map(({ model }) => model)

async function quotaOf(work: () => Promise<unknown>): Promise<number> {
  const before = await operator.quota()
  await work()
  return before - (await operator.quota())
}

describe.each(dialectForms)('a prompt with a word, of a caller who speaks as %s does', (_name, dialect) => {
  it('is refused, charged nothing, and the word is not revealed', async () => {
    const body = JSON.stringify(dialect.body('house-openai', false)).replace('Count', 'Count the FORBIDDEN')
    const spent = await quotaOf(async () => {
      const response = await send(gateway, dialect, 'house-openai', key, { body: JSON.parse(body) })
      expect(response.status).toBe(400)
      const text = await response.text()
      expect(dialect.errorIn(text)?.kind).toBe(dialect.kinds[400])
      expect(text).toContain('sensitive words detected')
      expect(text.toLowerCase()).not.toContain('forbidden')
    })
    expect(spent).toBe(0)
    expect(upstreams.openai.upstream.calls).toHaveLength(0)
  })
})

describe('a prompt', () => {
  const openAi = () => new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })

  it('is refused with its code in every mode that has words', async () => {
    const client = openAi()
    const requested = [
      client.chat.completions.create({
        model: 'house-openai',
        messages: [
          { role: 'system', content: '说一个禁词' },
          { role: 'user', content: 'Hi.' },
        ],
      }),
      client.completions.create({ model: 'house-openai', prompt: 'forbidden' }),
      client.embeddings.create({ model: 'house-openai', input: ['fine', 'Forbidden'] }),
      client.responses.create({ model: 'house-anthropic', input: 'forbidden' }),
    ]
    for (const outcome of await Promise.allSettled(requested)) {
      const error = outcome.status === 'rejected' ? outcome.reason : undefined
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error.code).toBe('sensitive_words_detected')
    }
  })

  it('passes where the operator has it not looked through', async () => {
    const messages = [{ role: 'user' as const, content: 'forbidden' }]
    for (const option of ['CheckSensitiveOnPromptEnabled', 'CheckSensitiveEnabled']) {
      await operator.option(option, 'false')
      await openAi().chat.completions.create({ model: 'house-openai', messages })
      await operator.option(option, 'true')
    }
  })
})

describe('a response with a word', () => {
  const pieces = ['Say no FORB', 'idd', 'en word or 禁', '词 at all.']
  const masked = 'Say no **###** word or **###** at all.'

  /** The upstream sends the same bytes, cut into pieces of this many. */
  function cutInto(size: number): ScriptedBehaviour {
    return async ({ call, response, protocol }) => {
      const bytes = Buffer.concat(protocol.frames({ text: pieces }, call).map((frame) => frame.bytes))
      response.writeHead(200, { 'content-type': protocol.streamType })
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    }
  }

  function allReply(behaviour: ScriptedBehaviour): void {
    for (const { upstream } of Object.values(upstreams)) upstream.otherwise(behaviour)
  }

  async function checking(stop: boolean, work: () => Promise<void>): Promise<void> {
    await operator.option('CheckSensitiveOnCompletionEnabled', 'true')
    await operator.option('StopOnSensitiveEnabled', String(stop))
    await work()
    await operator.option('CheckSensitiveOnCompletionEnabled', 'false')
  }

  const forms = dialectForms.flatMap(([, dialect]) => [false, true].map((stream) => ({ dialect, stream })))

  it('has it replaced, in every dialect, from every provider, streamed byte by byte or whole', () =>
    checking(false, async () => {
      allReply(says({ text: pieces }))
      for (const { dialect, stream } of forms) {
        const replies = models().map((model) => send(gateway, dialect, model, key, { stream }))
        for (const reply of await Promise.all(replies))
          expect(dialect.textIn(await reply.text())).toBe(masked)
      }
      allReply(cutInto(1))
      for (const { dialect } of forms) {
        const replies = ['house-openai', 'house-gemini'].map((model) =>
          send(gateway, dialect, model, key, { stream: true }),
        )
        for (const reply of await Promise.all(replies))
          expect(dialect.textIn(await reply.text())).toBe(masked)
      }
    }))

  const messages = [{ role: 'user' as const, content: 'Hi.' }]

  it('ends before it as OpenAI’s SDK expects', () =>
    checking(true, async () => {
      allReply(cutInto(3))
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
      for (const model of models()) {
        const { choices } = await client.chat.completions
          .stream({ model, messages, stream: true, stream_options: { include_usage: true } })
          .finalChatCompletion()
        expect(choices[0]?.message.content).toBe('Say no ')
        expect(choices[0]?.finish_reason).toBe('content_filter')
      }
    }))

  it('ends before it as callers of Responses expect', () =>
    checking(true, async () => {
      allReply(cutInto(3))
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
      const events = await Array.fromAsync(
        client.responses.stream({ model: 'house-anthropic', input: 'Hi.' }),
      )
      const stated = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      expect(stated.join('')).toBe('Say no ')
      expect(events.at(-1)).toMatchObject({
        type: 'response.incomplete',
        response: {
          incomplete_details: { reason: 'content_filter' },
          output: [{ type: 'message', content: [{ text: 'Say no ' }] }],
        },
      })
    }))

  it('ends before it as Anthropic’s and Google’s SDKs expect', () =>
    checking(true, async () => {
      allReply(cutInto(3))
      const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 })
      const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } })
      for (const model of models()) {
        const message = await anthropic.messages.stream({ model, max_tokens: 100, messages }).finalMessage()
        expect(message.content).toEqual([expect.objectContaining({ type: 'text', text: 'Say no ' })])
        expect(message.stop_reason).toBe('refusal')
        const chunks = await Array.fromAsync(
          await google.models.generateContentStream({ model, contents: 'Hi.' }),
        )
        expect(chunks.map(({ text = '' }) => text).join('')).toBe('Say no ')
        expect(chunks.at(-1)?.candidates?.[0]?.finishReason as string).toBe('SAFETY')
      }
    }))

  it('leaves a log row that says so, charged as far as it was delivered', () =>
    checking(true, async () => {
      for (const stream of [true, false]) {
        upstreams.openai.upstream.otherwise(
          says({
            text: ['Short. ', 'Forbidden ', 'and a long tail. '.repeat(200)],
            counts: { input: 10, cacheRead: 0, cacheWrite: 0, output: 900, reasoning: 0 },
          }),
        )
        const total = await operator.consumed()
        const dialect = dialectForms[0][1]
        const response = await send(gateway, dialect, 'house-openai', key, { stream })
        const body = await response.text()
        expect(dialect.textIn(body)).toBe('Short. ')
        expect(body).toContain('"finish_reason":"content_filter"')
        const row = await operator.consumption(total + 1)
        expect(JSON.parse(row.other)).toMatchObject({ ended: 'sensitive_words', estimated: true })
        expect(row.completion_tokens).toBeLessThan(10)
        expect(row.quota).toBeGreaterThan(0)
      }
    }))

  it('is not looked at otherwise', async () => {
    upstreams.openai.upstream.otherwise(says({ text: pieces }))
    const dialect = dialectForms[0][1]
    const response = await send(gateway, dialect, 'house-openai', key, { stream: true })
    expect(dialect.textIn(await response.text())).toBe(pieces.join(''))
  })
})

it('takes a hundred thousand words, and goes on serving while it makes them ready', async () => {
  const words = Array.from({ length: 100_000 }, (_, index) => `w${index.toString(36)}`)
  const waits: number[] = []
  const saving = operator.option('SensitiveWords', words.join('\n'))
  for (let index = 0; index < 20; index += 1) {
    const before = performance.now()
    await fetch(`${gateway.url}/api/status`)
    waits.push(performance.now() - before)
  }
  await saving
  expect(Math.max(...waits)).toBeLessThan(1000 * slowness())
})
