import { describe, expect, it } from 'bun:test'
import {
  formatFields,
  readResponseFormat,
  schemaFault,
  settingsFault,
  toolsFault,
} from './response-format.ts'

const text = { type: 'text', schema: '' } as const

describe('the format of a response', () => {
  it('goes into the body as Chat Completions takes it', () => {
    expect(formatFields(text, { tools: '' })).toEqual({})
    expect(formatFields({ type: 'json_object', schema: 'left over' }, { tools: '' })).toEqual({
      response_format: { type: 'json_object' },
    })
    expect(formatFields({ type: 'json_schema', schema: '{"type":"object"}' }, { tools: '' })).toEqual({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'response', schema: { type: 'object' }, strict: true },
      },
    })
  })

  it('is read from whatever was stored', () => {
    expect(readResponseFormat({ type: 'json_schema', schema: '{}' })).toEqual({
      type: 'json_schema',
      schema: '{}',
    })
    expect(readResponseFormat({ type: 'xml', schema: 7 })).toEqual(text)
  })
})

describe('functions', () => {
  it('are taken bare and as Chat Completions has them', () => {
    const bare = { name: 'a', parameters: { type: 'object' } }
    const tools = JSON.stringify([
      bare,
      { type: 'function', function: { name: 'b' } },
      { type: 'function', name: 'c' },
    ])
    expect(formatFields(text, { tools })).toEqual({
      tools: [
        { type: 'function', function: bare },
        { type: 'function', function: { name: 'b' } },
        { type: 'function', function: { name: 'c' } },
      ],
    })
    expect(formatFields(text, { tools: '[]' })).toEqual({})
  })
})

describe('a text that cannot be sent', () => {
  it.each([
    ['', 'object'],
    ['{', 'json'],
    ['[]', 'object'],
    ['null', 'object'],
    ['{}', undefined],
  ] as const)('schema %p: %p', (schema, fault) => {
    expect(schemaFault(schema)).toBe(fault)
  })

  it.each([
    ['', undefined],
    ['[', 'json'],
    ['{}', 'list'],
    ['[{}]', 'name'],
    ['[7]', 'name'],
    ['[{"name":"f"}]', undefined],
  ] as const)('functions %p: %p', (tools, fault) => {
    expect(toolsFault(tools)).toBe(fault)
  })

  it('holds a call up only where it would be sent', () => {
    expect(settingsFault({ type: 'text', schema: '{' }, { tools: '' })).toBeUndefined()
    expect(settingsFault({ type: 'json_schema', schema: '{' }, { tools: '[' })).toEqual({
      field: 'schema',
      fault: 'json',
    })
    expect(settingsFault(text, { tools: '[' })).toEqual({ field: 'tools', fault: 'json' })
  })
})
