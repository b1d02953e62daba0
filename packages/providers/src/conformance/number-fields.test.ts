import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  anthropicMessages,
  type ChatCodec,
  costlyFields,
  gemini,
  type JsonObject,
  MalformedFrameError,
  objectOf,
  openAiChat,
  openAiResponses,
  parseExactJson,
  RequestFault,
  type UpstreamCodec,
} from '@tollgate/formats'
import { providers } from '../registry.ts'
import { callingUpstreams } from '../test-support/number-responses.ts'

/*
 * Numbers that the gateway computes with are read as before, however they are written: each number of a body or an event is
 * written otherwise, and everything comes out as from the nearest double.
 */

const tool = { type: 'object', properties: { n: { type: 'integer', minimum: 1, maxLength: 3 } } }
const bodies: readonly (readonly [ChatCodec, JsonObject])[] = [
  [
    openAiChat,
    {
      model: 'm',
      messages: [{ role: 'user', content: 'go' }],
      temperature: 1,
      top_p: 1,
      n: 1,
      max_tokens: 100,
      max_completion_tokens: 100,
      presence_penalty: 1,
      frequency_penalty: 0.5,
      seed: 7,
      top_logprobs: 2,
      logprobs: true,
      logit_bias: { 5: 1 },
      tools: [{ type: 'function', function: { name: 'f', parameters: tool } }],
    },
  ],
  [
    openAiResponses,
    {
      model: 'm',
      input: 'go',
      temperature: 1,
      top_p: 1,
      max_output_tokens: 100,
      top_logprobs: 2,
      max_tool_calls: 3,
      tools: [{ type: 'function', name: 'f', parameters: tool }],
    },
  ],
  [
    anthropicMessages,
    {
      model: 'm',
      max_tokens: 5000,
      messages: [{ role: 'user', content: 'go' }],
      temperature: 1,
      top_p: 1,
      top_k: 5,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [
        { name: 'f', input_schema: tool },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      ],
    },
  ],
  [
    gemini,
    {
      contents: [{ role: 'user', parts: [{ text: 'go' }] }],
      generationConfig: {
        temperature: 1,
        topP: 1,
        topK: 5,
        maxOutputTokens: 5000,
        candidateCount: 1,
        seed: 7,
        presencePenalty: 1,
        logprobs: 2,
        responseLogprobs: true,
        thinkingConfig: { thinkingBudget: 1024 },
      },
      tools: [{ functionDeclarations: [{ name: 'f', parameters: tool }] }],
    },
  ],
]

const target = { baseUrl: '', key: '', upstreamModel: 'm', openaiOrganization: '', other: 'v1' }
const upstreams = new Map<string, UpstreamCodec>(
  [...bodies.map(([codec]) => codec), ...Object.values(providers).map(codecOf)].map((codec) => [
    codec.format,
    codec,
  ]),
)

function codecOf(provider: (typeof providers)[number]): UpstreamCodec {
  return provider.operation('chat', target, 'openai-chat')?.codec ?? openAiChat
}

describe('a number of a request', () => {
  it.each(bodies.map(([codec, body]) => [codec.format, codec, body] as const))(
    'of %s is read as before, however it is written',
    (_format, codec, body) => {
      for (const text of rewritten(JSON.stringify(body), [...writings, () => '1e400']))
        for (const upstream of upstreams.values())
          expect(outcomeOf(codec, parseExactJson(text), upstream)).toBe(
            outcomeOf(codec, JSON.parse(text), upstream),
          )
    },
  )
})

/** Returns the outcome for a body: its facts, its costly fields, the sent body, or the refusal. Numbers are doubles. */
function outcomeOf(codec: ChatCodec, value: unknown, upstream: UpstreamCodec): string {
  const body = objectOf(value)
  const path = { model: 'm', stream: false }
  try {
    const facts = codec.inspectRequest(body, path)
    const costs = costlyFields(codec.format, body, {}).map(({ param }) => param)
    const request = codec.decodeRequest(body, path)
    const sent = upstream.encodeRequest(request, { model: 'm', streamOptions: true })
    return readable([facts, costs, codec.promptOf(body).texts.length, sent])
  } catch (error) {
    if (error instanceof RequestFault) return `${error.param}: ${error.message}`
    throw error
  }
}

const source = join(import.meta.dir, '..')
const isStream = (file: string) => /\.stream\.(sse|ndjson)$/.test(file)

/** Responses of a provider's chat, by file. */
function fixturesOf(provider: (typeof providers)[number]): readonly (readonly [string, UpstreamCodec])[] {
  const folder = join(source, 'vendors', provider.id, 'fixtures')
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.upstream.json') || isStream(name))
      .filter(
        (name) => isStream(name) || parseExactJson(readFileSync(join(folder, name), 'utf8')) !== undefined,
      )
      .filter((name) => readFileSync(join(folder, expectation(name)), 'utf8').includes('"mode": "chat"'))
      .map((name) => [join(folder, name), codecOf(provider)])
  } catch {
    return [] // A provider without fixtures.
  }
}

function expectation(name: string): string {
  return name.replace(/\.(stream\.(sse|ndjson)|upstream\.json)$/, '.expected.json')
}

const fixtures = Object.values(providers).flatMap(fixturesOf)

describe('a number of a response', () => {
  it.each(fixtures.map(([file, codec]) => [file.slice(source.length), file, codec] as const))(
    'in %s is read as before, however it is written',
    (_name, file, codec) => {
      const text = readFileSync(file, 'utf8')
      if (isStream(file)) expectSameParts(framesIn(text), codec)
      else expectSameResponse(text, codec)
    },
  )

  it.each(callingUpstreams.map((upstream) => [upstream.name, upstream] as const))(
    'of %s is read as before, however it is written',
    (_name, { codec, buffered, streamed }) => {
      const args = '{"a":1,"b":[0.5]}'
      if (buffered) expectSameResponse(buffered(args), codec)
      if (streamed)
        expectSameParts(
          streamed(args).map(({ event = '', data }) => ({ event, data })),
          codec,
        )
    },
  )
})

function expectSameResponse(text: string, codec: UpstreamCodec): void {
  for (const written of rewritten(text)) {
    const [own, plain] = [written, asDoubles(written)].map((body) =>
      codec.decodeResponse(parseExactJson(body)),
    )
    expect(readable(own)).toBe(readable(plain))
  }
}

interface NamedFrame {
  readonly event: string
  readonly data: string
}

function expectSameParts(frames: readonly NamedFrame[], codec: UpstreamCodec): void {
  frames.forEach(({ data }, index) => {
    for (const written of data.startsWith('{') ? rewritten(data) : []) {
      const [own, plain] = [written, asDoubles(written)].map((changed) =>
        partsOf(frames.with(index, { event: frames[index]?.event ?? '', data: changed }), codec),
      )
      expect(own).toBe(plain)
    }
  })
}

function partsOf(frames: readonly NamedFrame[], { decodeStream }: UpstreamCodec): string {
  const state = decodeStream.start()
  try {
    const parts = frames.flatMap((frame) => decodeStream.step(state, frame))
    return readable([...parts, ...decodeStream.finish(state)])
  } catch (error) {
    if (error instanceof MalformedFrameError) return error.message
    throw error
  }
}

function framesIn(text: string): readonly NamedFrame[] {
  if (!text.includes('data:'))
    return text
      .split('\n')
      .filter(Boolean)
      .map((data) => ({ event: '', data }))
  return text.split(/\r?\n\r?\n/).flatMap((frame) => {
    const [, event = ''] = /^event: ?(.*)$/m.exec(frame) ?? []
    const [, data] = /^data: ?(.*)$/m.exec(frame) ?? []
    return data === undefined ? [] : [{ event, data }]
  })
}

/** The text with one number after the other written otherwise, or another one in its place. */
function* rewritten(text: string, writes = writings): Iterable<string> {
  const value = JSON.parse(text)
  for (let position = 0; position < numbersIn(value); position++)
    for (const write of writes) yield withNumber(value, position, write)
}

const writings: readonly ((number: number) => string)[] = [
  (number) => `${number}${Number.isInteger(number) ? '.0' : '0'}`,
  (number) => `${number}e0`,
  (number) => `${number}${Number.isInteger(number) ? '.' : ''}00000000000000000001`,
  () => '9007199254740993123',
  () => '-0.0',
]

function numbersIn(value: unknown): number {
  let count = 0
  JSON.stringify(value, (_, found: unknown) => {
    if (typeof found === 'number') count++
    return found
  })
  return count
}

function withNumber(value: unknown, position: number, write: (number: number) => string): string {
  let at = 0
  return JSON.stringify(value, (_, found: unknown) =>
    typeof found === 'number' && at++ === position ? JSON.rawJSON(write(found)) : found,
  )
}

/** The text with each number as a double writes it. */
function asDoubles(text: string): string {
  return JSON.stringify(JSON.parse(text))
}

/** The value as text, in which texts that are JSON have the numbers of doubles as well. */
function readable(value: unknown): string {
  return asDoubles(
    JSON.stringify(value, (_, found: unknown) => (typeof found === 'string' ? withDoubles(found) : found)),
  )
}

function withDoubles(text: string): string {
  try {
    return /^[{[]/.test(text) ? asDoubles(text) : text
  } catch {
    return text
  }
}
