import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  anthropicMessages,
  type ChatCodec,
  gemini,
  isObject,
  openAiChat,
  openAiResponses,
  outlineOf,
  parseJson,
  WireResponse,
} from '@tollgate/formats'
import { type Operation, providers } from '@tollgate/providers'
import fc from 'fast-check'
import { expectedKinds } from '../../../billing/pricing/token-kinds.ts'
import { roughPromptTokens } from '../../../billing/tokenizer/prompt-parts.ts'
import { parseOperations } from '../../../upstream/body-operations/parse-operations.ts'
import { canCarry, encodeBody } from '../../../upstream/call-body.ts'
import { sentText } from '../../../upstream/request-body/sent-body.ts'
import type { CallText } from '../bodies/call-text.ts'
import { RelayError } from '../relay-error.ts'
import { readChat } from './chat-dialect.ts'
import type { CallRequest } from './dialect.ts'

const counting = {
  countPrompt: async () => 1,
  countDelivered: async () => 1,
  roughPrompt: roughPromptTokens,
}
const options = { counting, maxJsonDepth: 24, maxFrameBytes: 1 << 20 }
const path = { headers: {}, query: '' }

const anyTarget = {
  baseUrl: 'http://a',
  key: 'k',
  openaiOrganization: '',
  other: '',
  upstreamModel: 'm',
}

/** Every way in which some upstream takes chat in a format. */
const operationsOf = (format: ChatCodec['format']): readonly Operation[] => {
  return [...new Set(providers.flatMap((provider) => provider.operation('chat', anyTarget, format) ?? []))]
}
const formats = [openAiChat, openAiResponses, anthropicMessages, gemini] as const
const operations = [...new Set(formats.flatMap(({ format }) => operationsOf(format)))]

/** The upstreams that take a format with messages, each under its vendor's name. */
const sameFormat = [openAiChat, anthropicMessages].flatMap((codec) =>
  providers.flatMap((provider) => {
    const operation = provider.operation('chat', anyTarget, codec.format)
    return operation?.format === codec.format ? [[provider.id, codec.format, codec, operation] as const] : []
  }),
)

const overrides = [
  null,
  { fields: { temperature: 0.5, user: 'u' }, operations: [] },
  { fields: {}, operations: parseOperations([{ mode: 'delete', path: 'messages.0.content' }]) },
]

/** Returns what is sent to an upstream, or the reason for nothing. */
function sentTo(
  request: CallRequest,
  operation: Operation,
  override: (typeof overrides)[number],
  upstreamModel: string,
) {
  try {
    const { text, ...others } = encodeBody(request, { operation, upstreamModel, override })
    return { ...others, text: sentText(text) }
  } catch (error) {
    return String(error)
  }
}

/** All that the relay, a reservation and the log read of a request. */
function readingOf(codec: ChatCodec, body: CallText, operation: Operation) {
  let request: CallRequest
  try {
    request = readChat(codec, 'chat', body, path, options)
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    return { refused: [error.code, error.message, error.param, error.wireCode] }
  }
  const { model, stream, includeUsage, maxOutputTokens, candidates, reasoningEffort, costlyFields } = request
  const { messages, ...prompt } = request.prompt()
  return {
    facts: { model, stream, includeUsage, maxOutputTokens, candidates, reasoningEffort, costlyFields },
    tokens: request.roughPromptTokens(),
    kinds: expectedKinds(request.native, request.prompt()),
    addresses: request.mediaAddresses?.(),
    sent: overrides.flatMap((override) =>
      [model, 'other'].map((upstreamModel) =>
        canCarry(request, operation) ? sentTo(request, operation, override, upstreamModel) : undefined,
      ),
    ),
    prompt,
    messages: messages.map(({ role, name, texts, images, audioParts, fileParts }) => ({
      role,
      name,
      texts,
      images,
      audioParts,
      fileParts,
    })),
    echo: codec.echoOf?.(outlineOf(request.native)),
    body: request.native.body,
    text: request.native.text,
  }
}

function expectAlike(codec: ChatCodec, text: string, operation: Operation): void {
  const bytes = Buffer.from(text)
  const sent = bytes.toString()
  expect(readingOf(codec, { text: sent, bytes }, operation)).toEqual(
    readingOf(codec, { text: sent }, operation),
  )
}

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', 'tollgate.unsigned.none.', '"cache_control"', 'x'.repeat(1500), 'é "\\" \n 漢 😀'),
)
const part = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  words.map((text) => ({ type: 'text', text, cache_control: { type: 'ephemeral', ttl: '1h' } })),
  fc.constant({ type: 'image_url', image_url: { url: 'https://a.test/b.png' } }),
  fc.constant({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
  fc.constant({ type: 'image', source: { type: 'url', url: 'https://a.test/c.png' } }),
  fc.constant({ type: 'tool_use', id: 't', name: 'n', input: { a: 1 } }),
)
const role = fc.constantFrom('user', 'assistant', 'system', 'tool', 'developer', 'Urgroßmutter', '', 5)
const message = fc.oneof(
  { weight: 4, arbitrary: fc.record({ role, content: words }) },
  { weight: 2, arbitrary: fc.record({ role, content: fc.array(part, { maxLength: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ role, content: words, name: words, thinking_blocks: fc.constant([]) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      role,
      content: fc.constantFrom(null, 7, 'x'),
      tool_calls: fc.constant([
        { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1.0}' } },
      ]),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, 'text', []) },
)
const conversation = fc.array(message, { maxLength: 6 })
const body = fc.record(
  {
    model: fc.constantFrom('m', 'gpt-4o', 'claude-sonnet-4-5', '', 7),
    messages: conversation,
    input: fc.oneof(words, conversation),
    contents: fc.array(fc.record({ role, parts: fc.array(fc.record({ text: words }), { maxLength: 3 }) }), {
      maxLength: 3,
    }),
    system: words,
    instructions: words,
    max_tokens: fc.constantFrom(0, 5, 100, -1, 'x'),
    temperature: fc.constantFrom(0.5, 1, 9),
    stream: fc.constantFrom(true, false, null, 'yes'),
    stream_options: fc.constantFrom({ include_usage: true }, { include_obfuscation: false }, {}),
    tools: fc.constantFrom(
      [
        {
          type: 'function',
          function: { name: 'f', description: 'd'.repeat(1500), parameters: { type: 'object' } },
        },
      ],
      [{ type: 'web_search' }],
      [],
    ),
    modalities: fc.constantFrom(['text', 'audio'], ['text']),
    reasoning_effort: fc.constantFrom('low', 'high'),
    metadata: fc.dictionary(fc.string({ maxLength: 9 }), words, { maxKeys: 3 }),
    Model: fc.constant('x'),
  },
  { requiredKeys: ['model', 'messages'] },
)

/** Written by various programs. */
const written = fc
  .tuple(
    body,
    fc.constantFrom(0, 0, 2),
    fc.constantFrom('', '', '', '\uFEFF', ' ', '}'),
    fc.nat({ max: 30 }),
    fc.constantFrom(...['as it is', 'as it is', 'as it is', 'cut', 'repeated', 'escaped', 'deep', 'long']),
  )
  .map(([value, indent, before, cut, way]) => {
    const text = JSON.stringify(value, null, indent)
    const ways: Readonly<Record<string, string>> = {
      cut: text.slice(0, -cut - 1),
      repeated: `{"model":"first",${text.slice(1)}`,
      escaped: text.replace('"model"', '"mod\\u0065l"').replace('user', '\\u0075ser'),
      deep: `{"x":${'['.repeat(cut)}${']'.repeat(cut)},${text.slice(1)}`,
      long: `{"seed":12345678901234567890,"n2":1.0,${text.slice(1)}`,
    }
    return before + (ways[way] ?? text)
  })

const recordings = process.env['TOLLGATE_CASES']

/** The bodies of callers that were recorded. */
function recordedBodies(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => bodiesIn(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
}

function bodiesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isBody(parseJson(value)) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(bodiesIn) : []
}

function isBody(value: unknown): boolean {
  return isObject(value) && ['messages', 'input', 'contents'].some((name) => name in value)
}

describe('a body read as bytes', () => {
  it('is read, priced, refused and sent as one read as text, whatever is in it and whoever serves it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...formats), written, fc.constantFrom(...operations), expectAlike),
      { numRuns: 1500 },
    )
  })

  it('has no text and no long members until somebody reads them', () => {
    const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(5000) }] })
    const request = readChat(openAiChat, 'chat', { text, bytes: Buffer.from(text) }, path, options)
    expect(request.native.received).toBeDefined()
    expect(Object.getOwnPropertyDescriptor(request.native.body, 'messages')?.get).toBeDefined()
    expect(request.native.body).toEqual(JSON.parse(text))
    expect(Object.getOwnPropertyDescriptor(request.native.body, 'messages')?.get).toBeUndefined()
  })

  it.each(sameFormat)(
    'reaches %s in %s without a parser of its messages',
    (_vendor, _format, codec, operation) => {
      const messages = [
        { role: 'user', content: 'x'.repeat(5000) },
        { role: 'assistant', content: 'y' },
        { role: 'user', content: 'z' },
      ]
      const text = JSON.stringify({ model: 'm', max_tokens: 64, messages })
      const request = readChat(codec, 'chat', { text, bytes: Buffer.from(text) }, path, options)
      expect(request.prompt().messages).toHaveLength(3)
      expect(request.roughPromptTokens()).toBeGreaterThan(0)
      const sent = sentText(encodeBody(request, { operation, upstreamModel: 'm', override: null }).text)
      const response = new WireResponse(Buffer.from('{"usage":{}}'), 'application/json')
      request.readResponse(response, operation, { requestId: 'r', createdAt: 1 })
      request.readStream(operation, { requestId: 'r', createdAt: 1 })
      const isParsed = Object.getOwnPropertyDescriptor(request.native.body, 'messages')?.get === undefined
      expect(isParsed).toBe(false)
      expect(sent).toContain(JSON.stringify(messages))
    },
  )

  it('is so in every recorded case, at every upstream of its format', () => {
    const cases = recordings === undefined ? [] : recordedBodies(recordings)
    for (const text of cases)
      for (const codec of formats)
        for (const operation of operations.filter(({ format }) => format === codec.format))
          expectAlike(codec, text, operation)
    expect(cases.length > 0 || recordings === undefined).toBe(true)
  })
})
