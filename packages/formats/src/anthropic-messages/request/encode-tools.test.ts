import { describe, expect, it } from 'bun:test'
import type { ChatRequest } from '../../canonical/request.ts'
import { anthropicMessages } from '../codec.ts'
import { encode, faultOf, newer, system, text, tool, user } from '../test-support/requests.ts'

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
    const { body } = encode({ outputFormat })
    expect(body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            age: { type: 'integer', description: 'years\n{minimum: 0}' },
            minimum: { type: 'string' },
          },
          anyOf: [{ type: 'object', additionalProperties: false }],
          additionalProperties: false,
        },
      },
    })
    expect(body.tools).toBeUndefined()
  })

  it('forces a tool in its place for older models and at clouds, and reads its call back as text', () => {
    const forced = encode({ outputFormat }, newer, { hosted: true }).body
    expect(forced.tools).toMatchObject([{ name: 'tollgate_json_answer', input_schema: outputFormat.schema }])
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
    expect(faultOf(() => encode({ outputFormat: list }, 'claude-3-haiku-20240307')).code).toBe(
      'unsupported_parameter',
    )
  })

  it('asks for JSON of any form in words', () => {
    const { body } = encode({ outputFormat: { type: 'json' }, messages: [system('s'), user(text('a'))] })
    expect(body.system).toMatchObject([text('s'), { type: 'text' }])
  })
})
