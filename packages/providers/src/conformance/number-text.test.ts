import { describe, expect, it } from 'bun:test'
import {
  anthropicMessages,
  type ChatCodec,
  gemini,
  isObject,
  type JsonObject,
  objectOf,
  openAiChat,
  openAiResponses,
  parseScanned,
  RequestFault,
  scanTopLevel,
  type UpstreamCodec,
} from '@tollgate/formats'
import fc from 'fast-check'
import { providers } from '../registry.ts'
import { anyExtreme, anyValueText, filled, membersNamed } from '../test-support/number-samples.ts'

interface Caller {
  readonly codec: ChatCodec
  /** Arguments, results and parameters are slots in it. */
  readonly template: JsonObject
  /** Members with further slots: not every upstream takes structured output. */
  readonly extras: JsonObject
}

const callers: readonly Caller[] = [
  {
    codec: openAiChat,
    template: {
      model: 'm',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '$args' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '$result' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: '@schema' } }],
    },
    extras: {
      response_format: { type: 'json_schema', json_schema: { name: 'r', schema: '@format' } },
      metadata: '@metadata',
    },
  },
  {
    codec: openAiResponses,
    template: {
      model: 'm',
      input: [
        { role: 'user', content: 'go' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '$args' },
        { type: 'function_call_output', call_id: 'c1', output: '$result' },
      ],
      tools: [{ type: 'function', name: 'f', parameters: '@schema' }],
    },
    extras: {
      text: { format: { type: 'json_schema', name: 'r', schema: '@format' } },
      metadata: '@metadata',
    },
  },
  {
    codec: anthropicMessages,
    template: {
      model: 'm',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: '@args' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '$result' }] },
      ],
      tools: [{ name: 'f', input_schema: '@schema' }],
    },
    extras: {
      output_config: { format: { type: 'json_schema', schema: '@format' } },
    },
  },
  {
    codec: gemini,
    template: {
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: '@args' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: '@result' } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: '@schema' }] }],
    },
    extras: {
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: '@format' },
    },
  },
]

const target = { baseUrl: '', key: '', upstreamModel: 'm', openaiOrganization: '', other: 'v1' }
const publicCodecs: readonly UpstreamCodec[] = callers.map(({ codec }) => codec)

/** Every format that an upstream speaks and that carries tools, with models that differ in what they read of a schema. */
const upstreams = [
  ...new Map(
    [...publicCodecs, ...Object.values(providers).map(codecOf)].flatMap((codec) =>
      codec === undefined || !takesTools(codec) ? [] : [[codec.format, codec] as const],
    ),
  ).values(),
]
const models: Readonly<Record<string, readonly string[]>> = {
  gemini: ['gemini-3-pro-preview', 'gemini-2.0-flash'],
  'anthropic-messages': ['claude-sonnet-4-5', 'claude-3-haiku'],
}

function codecOf(provider: (typeof providers)[number]): UpstreamCodec | undefined {
  return provider.operation('chat', target, 'openai-chat')?.codec
}

function sent(caller: Caller, json: string, codec: UpstreamCodec, model: string): string {
  const scan = scanTopLevel(json, 1000)
  if (!scan.ok) throw new Error(scan.reason)
  const body = parseScanned(json, scan) as JsonObject
  const request = caller.codec.decodeRequest(body, { model, stream: false })
  return JSON.stringify(codec.encodeRequest(request, { model, streamOptions: true }).body)
}

function takesTools(codec: UpstreamCodec): boolean {
  const [caller] = callers
  const slots = { args: '{"probe":1}', result: '{}', schema: '{"type":"object"}' }
  try {
    const text = caller && sent(caller, filled(caller.template, slots), codec, 'm')
    return membersNamed('probe', text ?? '{}').length > 0
  } catch (error) {
    if (error instanceof RequestFault) return false
    throw error
  }
}

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'multipleOf', 'default', 'const', 'enum'] as const

function schemaText(name: string, numbers: readonly string[]): string {
  const members = bounds.map((bound, index) => {
    const number = numbers[index] ?? '1'
    return `"${bound}":${bound === 'enum' ? `[${number},1]` : number}`
  })
  return `{"type":"object","properties":{"${name}":{"type":"number",${members.join()}}},"required":["${name}"]}`
}

const pairs = callers.flatMap((caller) =>
  upstreams.flatMap((codec) =>
    (models[codec.format] ?? ['m']).map(
      (model) => [caller.codec.format, codec.format, model, caller, codec] as const,
    ),
  ),
)

describe('a request', () => {
  it('has an upstream of every form that carries tools', () => {
    expect(upstreams.map(({ format }) => format)).toEqual(
      expect.arrayContaining([
        'openai-chat',
        'openai-responses',
        'anthropic-messages',
        'gemini',
        'bedrock-converse',
        'cohere-chat',
        'provider:baidu',
        'provider:tencent',
      ]),
    )
  })

  it.each(pairs)('from %s to %s (%s) keeps the text of numbers', (_from, _to, model, caller, codec) => {
    const numbers = fc.array(anyExtreme, { minLength: bounds.length, maxLength: bounds.length })
    fc.assert(
      fc.property(anyValueText, anyValueText, numbers, (argument, result, schemaNumbers) => {
        const slots = {
          args: `{"given":${argument}}`,
          result: `{"result":${result},"b":1}`,
          schema: schemaText('parameter', schemaNumbers),
          format: schemaText('answer', schemaNumbers.toReversed()),
          metadata: `{"mark":${argument}}`,
        }
        const plain = sent(caller, filled(caller.template, slots), codec, model)
        expectCarried(plain, slots)
        const rich = sentOrRefused(
          caller,
          filled({ ...caller.template, ...caller.extras }, slots),
          codec,
          model,
        )
        if (rich !== undefined) expectCarried(rich, slots)
      }),
      { numRuns: 40 },
    )
  })
})

interface Slots {
  readonly args: string
  readonly result: string
  readonly schema: string
  readonly format: string
  readonly metadata: string
}

function expectCarried(text: string, { args, result, schema, format, metadata }: Slots): void {
  expect(membersNamed('given', text)).toContainEqual(membersNamed('given', args)[0])
  expect(membersNamed('result', text)).toContainEqual(membersNamed('result', result)[0])
  expectBounds(membersNamed('parameter', text), membersNamed('parameter', schema)[0])
  expectBounds(membersNamed('answer', text), membersNamed('answer', format)[0])
  for (const mark of membersNamed('mark', text)) expect(mark).toEqual(membersNamed('mark', metadata)[0])
}

/** Expects the bounds of a schema to arrive unchanged; which of them a target reads is its own affair. */
function expectBounds(found: readonly unknown[], schema: unknown): void {
  for (const each of found.filter(isObject))
    for (const [name, bound] of Object.entries(each))
      if (bounds.some((known) => known === name)) expect(bound).toEqual(objectOf(schema)[name])
}

function sentOrRefused(
  caller: Caller,
  json: string,
  codec: UpstreamCodec,
  model: string,
): string | undefined {
  try {
    return sent(caller, json, codec, model)
  } catch (error) {
    if (error instanceof RequestFault) return undefined
    throw error
  }
}
