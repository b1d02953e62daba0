import { describe, expect, it } from 'bun:test'
import { RequestFault } from './canonical/codec.ts'
import type { PublicFormat } from './canonical/request.ts'
import type { ChatPart } from './canonical/stream.ts'
import { chatCodecs } from './codecs.ts'
import { SseScanner } from './framing/sse.ts'
import { jsonSchemaOf } from './gemini/request/decode-schema.ts'
import { isObject, type JsonObject } from './json/value.ts'
import { positions, schemaFeatures } from './schemas/test-support/schema-features.ts'
import { isValid } from './schemas/test-support/validate.ts'
import { wrapperProperty, wrapText } from './schemas/wrapped-value.ts'
import { collectResponse } from './streams/collect-response.ts'
import { translateResponse } from './streams/response-body.ts'
import { streamOf } from './test-support/arbitraries.ts'
import { ResponseStream } from './translation/response-stream.ts'
import { usageOf } from './usage.ts'

type Ask = (schema: JsonObject, strict: boolean) => JsonObject
const user = [{ role: 'user', content: 'go' }]
const contents = [{ role: 'user', parts: [{ text: 'go' }] }]
const json = { responseMimeType: 'application/json' }

/** Requests of callers for a call of a tool with these arguments, and for a response of this form. */
const callers: readonly (readonly [PublicFormat, 'tool' | 'output', Ask])[] = [
  [
    'openai-chat',
    'tool',
    (parameters, strict) => ({
      messages: user,
      tools: [{ type: 'function', function: { name: 'f', parameters, strict } }],
    }),
  ],
  [
    'openai-chat',
    'output',
    (schema, strict) => ({
      messages: user,
      response_format: { type: 'json_schema', json_schema: { name: 'o', schema, strict } },
    }),
  ],
  [
    'openai-responses',
    'tool',
    (parameters, strict) => ({ input: 'go', tools: [{ type: 'function', name: 'f', parameters, strict }] }),
  ],
  [
    'openai-responses',
    'output',
    (schema, strict) => ({
      input: 'go',
      text: { format: { type: 'json_schema', name: 'o', schema, strict } },
    }),
  ],
  [
    'anthropic-messages',
    'tool',
    (input_schema, strict) => ({
      max_tokens: 9,
      messages: user,
      tools: [{ name: 'f', input_schema, strict }],
    }),
  ],
  [
    'anthropic-messages',
    'output',
    (schema) => ({
      max_tokens: 9,
      messages: user,
      output_config: { format: { type: 'json_schema', schema } },
    }),
  ],
  [
    'gemini',
    'tool',
    (parametersJsonSchema) => ({
      contents,
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema }] }],
    }),
  ],
  [
    'gemini',
    'output',
    (response_json_schema) => ({ contents, generation_config: { ...json, response_json_schema } }),
  ],
]

const upstreams: readonly (readonly [PublicFormat, string])[] = [
  ['openai-chat', 'gpt-5.5'],
  ['openai-responses', 'gpt-5.5'],
  ['anthropic-messages', 'claude-sonnet-4-5'],
  ['anthropic-messages', 'claude-3-5-sonnet-20241022'],
  ['gemini', 'gemini-3-pro-preview'],
  ['gemini', 'gemini-2.5-flash'],
  ['gemini', 'gemini-2.0-flash'],
]

const cases = callers.flatMap(([from, kind, ask]) =>
  upstreams
    .filter(([to]) => to !== from)
    .flatMap(([to, model]) =>
      [true, false].map((strict) => [from, kind, strict ? 'strict' : 'plain', to, model, ask] as const),
    ),
)

const schemaKeys = [
  'parameters',
  'input_schema',
  'parametersJsonSchema',
  'responseJsonSchema',
  'responseSchema',
  'schema',
]

/** The one schema that a body holds for the upstream. */
function schemaIn(body: unknown): JsonObject {
  const found: JsonObject[] = []
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look)
    if (!isObject(value)) return
    for (const [key, inner] of Object.entries(value))
      if (schemaKeys.includes(key) && isObject(inner)) found.push(inner)
      else look(inner)
  }
  look(body)
  expect(found).toHaveLength(1)
  return found[0] ?? {}
}

/** Models before 2.5 read a part of OpenAPI, which the caller's codec reads as JSON Schema. */
function readableIn(model: string, schema: JsonObject): JsonObject {
  return model === 'gemini-2.0-flash' ? jsonSchemaOf(schema) : schema
}

function isWrapped({ properties }: JsonObject): boolean {
  return isObject(properties) && Object.hasOwn(properties, wrapperProperty)
}

const call = { model: 'm', responseId: 'r', createdAt: 0, includeUsage: true, estimatedInputTokens: 1 }
const usage = usageOf({ inputTokens: 2, outputTokens: 3 })

/** Returns what the model says, as the caller reads it: buffered, and streamed byte by byte. */
function readBy(
  from: PublicFormat,
  to: PublicFormat,
  kind: 'tool' | 'output',
  stated: string,
): readonly string[] {
  const part =
    kind === 'output'
      ? ({ type: 'text', text: stated } as const)
      : ({ type: 'tool-call', id: 'call_1', name: 'f', arguments: stated } as const)
  const stop = { reason: kind === 'output' ? 'stop' : 'tool-calls' } as const
  const response = {
    id: 'i',
    model: 'm',
    createdAt: 0,
    candidates: [{ index: 0, parts: [part], stop }],
    usage,
  }
  const [upstream, caller] = [chatCodecs[to], chatCodecs[from]]
  const body = JSON.stringify(upstream.encodeResponse(response, call))
  const translated = translateResponse(body, upstream, caller, call)
  if (!translated.ok) throw new Error(translated.error.message)
  const buffered = caller.decodeResponse(JSON.parse(translated.encode(usage)))
  if (!buffered.ok) throw new Error(buffered.error.message)

  const state = upstream.encodeStream.start(call)
  const frames = [
    ...streamOf(response, 3).flatMap((each) => upstream.encodeStream.step(state as never, each)),
    ...upstream.encodeStream.finish(state as never, usage),
  ]
  const text = frames.map(
    ({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`,
  )
  const stream = new ResponseStream({
    scanner: new SseScanner(1 << 20),
    decoder: upstream,
    encode: { codec: caller, call },
    maxFrameBytes: 1 << 20,
  })
  const bytes = new TextEncoder().encode(text.join(''))
  const forwarded = [...[...bytes].map((byte) => stream.push(Uint8Array.of(byte))), stream.end()]
    .flatMap(({ forward }) => forward)
    .map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece)))
  const streamed = collectResponse(partsIn(from, forwarded.join('') + stream.trailer(usage)))
  return [buffered.response, streamed].map(({ candidates }) => {
    const [only] = candidates[0]?.parts ?? []
    return only?.type === 'tool-call' ? only.arguments : only?.type === 'text' ? only.text : ''
  })
}

function partsIn(format: PublicFormat, text: string): readonly ChatPart[] {
  const { decodeStream } = chatCodecs[format]
  const state = decodeStream.start() as never
  const scanner = new SseScanner(1 << 20)
  const frames = [...scanner.push(new TextEncoder().encode(text)), ...scanner.end()]
  return frames.flatMap(({ event, data }) =>
    data === undefined ? [] : decodeStream.step(state, { event, data: new TextDecoder().decode(data) }),
  )
}

/** Returns what goes to the upstream; `undefined` for a request that is refused. */
function encodedFor(from: PublicFormat, to: PublicFormat, model: string, body: JsonObject) {
  const request = chatCodecs[from].decodeRequest({ model: 'm', ...body }, { model: 'm' })
  try {
    return chatCodecs[to].encodeRequest(request, { model, streamOptions: true })
  } catch (error) {
    expect(error).toBeInstanceOf(RequestFault)
    return undefined
  }
}

function expectMeaning(schema: JsonObject, sent: JsonObject, lost: readonly string[], value: unknown): void {
  const before = isValid(schema, value)
  const after = isValid(sent, isWrapped(sent) ? { [wrapperProperty]: value } : value)
  // Arguments are never null; lists of anything have to say what is in them where that is named.
  const isNarrowed = lost.some((name) => name.endsWith('(type)') || name.endsWith('(items)'))
  if (before && !isNarrowed) expect(after).toBe(true)
  if (!before && after) expect(lost).not.toEqual([])
}

describe.each(cases)('%s %s %s at %s %s', (from, kind, strictness, to, model, ask) => {
  it.each(Object.entries(schemaFeatures))(
    'carries %s, names what is lost, or refuses it',
    (_name, feature) => {
      for (const put of Object.values(positions)) {
        const { schema, value } = put(feature)
        const encoded = encodedFor(from, to, model, ask(schema, strictness === 'strict'))
        if (encoded === undefined) continue
        const sent = readableIn(model, schemaIn(encoded.body))
        const lost = encoded.dropped.filter((name) => name.endsWith(')'))
        // Arguments are objects, and so is what a forced tool gives.
        const values = [...feature.fits, ...feature.misfits].map(value)
        for (const each of values.filter((one) => isObject(one) || isWrapped(sent)))
          expectMeaning(schema, sent, lost, each)
      }
    },
  )

  it('gives the caller the value of a wrapper, buffered and streamed', () => {
    const value = '{"a":{"b":"}\\"{"},"c":[1,{}]}'
    // What no model of ours was asked to wrap stays as it is.
    for (const stated of [wrapText(value), ` { "${wrapperProperty}" : ${value} }`, value])
      for (const read of readBy(from, to, kind, stated)) expect(JSON.parse(read)).toEqual(JSON.parse(value))
  })
})
