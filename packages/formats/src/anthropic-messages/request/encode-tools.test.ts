import { describe, expect, it } from 'bun:test'
import type { ChatRequest } from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { anthropicMessages } from '../codec.ts'
import {
  assistant,
  call,
  encode,
  faultOf,
  newer,
  result,
  text as said,
  system,
  tool,
  user,
} from '../test-support/requests.ts'

describe('tools and the form of the response', () => {
  it('encodes tools, the choice among them, and calls one at a time', () => {
    const strict = {
      type: 'function',
      name: 'g',
      description: 'd',
      strict: true,
      cache: { ttl: '5m' },
    } as const
    const { body } = encode({
      tools: [tool, strict],
      toolChoice: { type: 'required' },
      parallelToolCalls: false,
    })
    expect(body.tools).toEqual([
      { name: 'f', input_schema: { type: 'object' } },
      {
        name: 'g',
        description: 'd',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
        strict: true,
        cache_control: { type: 'ephemeral' },
      },
    ])
    expect(body.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true })
    const choice = (request: Partial<ChatRequest>) =>
      encode({ tools: [tool, strict], ...request }).body.tool_choice
    expect(choice({ toolChoice: { type: 'tool', name: 'f' } })).toEqual({ type: 'tool', name: 'f' })
    expect(choice({ toolChoice: { type: 'none' }, parallelToolCalls: false })).toEqual({ type: 'none' })
    expect(choice({ parallelToolCalls: false })).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(choice({})).toBeUndefined()
    const allowed = encode({
      tools: [tool, strict],
      toolChoice: { type: 'allowed', names: ['f'], required: false },
    })
    expect(allowed.body).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'auto' } })
    expect(encode({ toolChoice: { type: 'auto' } }).body.tool_choice).toBeUndefined()
    expect(encode({ tools: [strict] }, 'claude-3-5-sonnet-20241022').dropped).toEqual(['strict'])
  })

  it('takes tools of this vendor as they are, and goes without those of others where that can be', () => {
    const definition = { type: 'web_search_20250305', name: 'web_search' }
    const own = { type: 'vendor', format: 'anthropic-messages', name: 'web_search', definition } as const
    expect(encode({ tools: [own] }).body.tools).toEqual([definition])
    const fault = { param: 'tools[0]', code: 'unsupported_parameter' }
    expect(faultOf(() => encode({ tools: [{ ...own, format: 'openai-responses' }] }))).toMatchObject(fault)
    const foreign = { ...own, format: 'openai-responses' } as const
    const { body, dropped } = encode({ tools: [foreign, tool] })
    expect(body.tools).toMatchObject([{ name: 'f' }])
    expect(dropped).toEqual(['tools[0] (web_search)'])
    const toolChoice = { type: 'tool', name: 'web_search' } as const
    expect(faultOf(() => encode({ tools: [foreign, tool], toolChoice }))).toMatchObject(fault)
  })

  const outputFormat = {
    type: 'json-schema',
    name: 'person',
    schema: {
      $schema: 'x',
      type: 'object',
      properties: { age: { type: 'integer', minimum: 0, description: 'years' }, minimum: { type: 'string' } },
      oneOf: [{ type: 'object' }],
    },
  } as const

  it('gives a JSON Schema where the model takes one, without what is refused in it', () => {
    const { body, dropped } = encode({ outputFormat })
    expect(body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            age: { type: 'integer', description: 'years\n{minimum: 0}' },
            minimum: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
    })
    expect(body.tools).toBeUndefined()
    expect(dropped).toEqual(['response_format (minimum)'])
  })

  const closed = (properties: JsonObject) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  const text = { type: 'string' }
  const node = closed({ value: text, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } })
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}`, text]))

  it.each<[string, JsonObject]>([
    ['a map', closed({ counts: { type: 'object', additionalProperties: { type: 'integer' } } })],
    ['a free object', closed({ any: { type: 'object' } })],
    ['a recursive schema', { ...closed({ first: { $ref: '#/$defs/node' } }), $defs: { node } }],
    ['a tuple', closed({ pair: { type: 'array', prefixItems: [text, text] } })],
    ['more optional properties than can be guaranteed', { ...closed(many), required: [] }],
    ['a condition', { ...closed({ a: text }), if: { required: ['a'] } }],
  ])('gives %s to a forced tool as it is, since structured outputs would change it', (_, schema) => {
    const { body, dropped } = encode({ outputFormat: { ...outputFormat, schema, strict: true } })
    expect(body.output_config).toBeUndefined()
    expect(body.tools).toEqual([
      { name: 'tollgate_json_answer', description: expect.any(String), input_schema: schema },
    ])
    expect(dropped).toEqual(['strict'])
    expect(encode({ outputFormat: { ...outputFormat, schema } }).dropped).toEqual([])
  })

  it('joins schemas that hold together before it closes them', () => {
    const schema = {
      allOf: [closed({ a: text, b: {} }), { type: 'object', properties: { b: { type: 'integer' } } }],
    }
    expect(encode({ outputFormat: { ...outputFormat, schema } }).body.output_config).toEqual({
      format: { type: 'json_schema', schema: closed({ a: text, b: { type: 'integer' } }) },
    })
  })

  it.each(['anyOf', 'oneOf', 'allOf'])(
    'wraps %s at the root of a tool, and its calls in the history',
    (key) => {
      const branches = [
        { type: 'object', required: ['a'] },
        { type: 'object', not: { required: ['b'] } },
      ]
      const parameters = { type: 'object', if: { required: ['c'] }, [key]: branches, $defs: { d: text } }
      const tools = [{ ...tool, parameters }] as const
      const messages = [user(said('go')), assistant(call('c1', 'f', '{"a":1}')), user(result('c1', 'ok'))]
      const { body, dropped } = encode({ tools, messages })
      expect(body.tools).toEqual([
        {
          name: 'f',
          input_schema: {
            type: 'object',
            properties: {
              tollgate_value: {
                description: expect.any(String),
                type: 'object',
                if: { required: ['c'] },
                [key]: branches,
              },
            },
            required: ['tollgate_value'],
            additionalProperties: false,
            $defs: { d: text },
          },
        },
      ])
      expect(JSON.stringify(body.messages)).toContain('"input":{"tollgate_value":{"a":1}}')
      expect(dropped).toEqual([])
    },
  )

  it.each<[string, JsonObject, JsonObject]>([
    ['without a type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    ['that says nothing', {}, { type: 'object' }],
    ['of an object or null', { type: ['object', 'null'] }, { type: 'object' }],
    [
      'that is a reference',
      { $ref: '#/$defs/a', $defs: { a: closed({ a: text }) } },
      { ...closed({ a: text }), $defs: { a: closed({ a: text }) } },
    ],
    [
      'of two that are one',
      { allOf: [{ type: 'object', properties: { a: text } }, { required: ['a'] }] },
      { type: 'object', properties: { a: text }, required: ['a'] },
    ],
  ])('declares arguments %s as an object', (_, parameters, schema) => {
    expect(encode({ tools: [{ ...tool, parameters }] }).body.tools).toEqual([
      { name: 'f', input_schema: schema },
    ])
  })

  it('guarantees as many strict tools as the vendor takes, and names the others', () => {
    const tools = Array.from({ length: 21 }, (_, at) => ({
      ...tool,
      name: `f${at}`,
      parameters: closed({}),
      strict: true,
    }))
    const { body, dropped } = encode({ tools })
    expect((body.tools as JsonObject[]).filter(({ strict }) => strict === true)).toHaveLength(20)
    expect(dropped).toEqual(['strict'])
  })

  it('forces a tool in its place for older models and at clouds, and reads its call back as text', () => {
    const forced = encode({ outputFormat }, newer, { hosted: true }).body
    const { oneOf: _, ...schema } = outputFormat.schema
    expect(forced.tools).toMatchObject([{ name: 'tollgate_json_answer', input_schema: schema }])
    expect(forced.tool_choice).toEqual({ type: 'tool', name: 'tollgate_json_answer' })
    expect(encode({ outputFormat, tools: [tool] }, 'claude-3-5-haiku-20241022').body.tool_choice).toEqual({
      type: 'any',
    })
    const reading = anthropicMessages.decodeResponse({
      type: 'message',
      content: [{ type: 'tool_use', id: 'a', name: 'tollgate_json_answer', input: { age: 1 } }],
      stop_reason: 'tool_use',
    })
    expect(reading).toMatchObject({
      ok: true,
      response: { candidates: [{ parts: [{ type: 'text', text: '{"age":1}' }], stop: { reason: 'stop' } }] },
    })
    const list = { ...outputFormat, schema: { type: 'array' } }
    expect(encode({ outputFormat: list }, 'claude-3-haiku-20240307').body.tools).toMatchObject([
      { name: 'tollgate_json_answer', input_schema: { properties: { tollgate_value: { type: 'array' } } } },
    ])
  })

  it('asks for JSON of any form in words', () => {
    const { body } = encode({ outputFormat: { type: 'json' }, messages: [system('s'), user(said('a'))] })
    expect(body.system).toMatchObject([said('s'), { type: 'text' }])
  })
})
