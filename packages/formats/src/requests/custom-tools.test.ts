import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../codecs.ts'
import type { JsonObject } from '../json/value.ts'
import { functionOfCustom, textArguments, textInArguments, withoutCustomTools } from './custom-tools.ts'

const grammar = { syntax: 'lark', definition: 'start: "a"' }
const custom = { name: 'patch', description: 'Patches.', format: { type: 'grammar', grammar } }

function decoded(body: JsonObject) {
  return chatCodecs['openai-chat'].decodeRequest({ model: 'm', ...body }, {})
}

describe('withoutCustomTools', () => {
  const user = { role: 'user', content: 'Patch.' }
  const calls = [
    { id: 'a', type: 'custom', custom: { name: 'patch', input: '*** "a"' } },
    { id: 'b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
  ]
  const request = decoded({
    messages: [
      user,
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'Done.' },
    ],
    tools: [
      { type: 'custom', custom },
      { type: 'function', function: { name: 'read' } },
    ],
    tool_choice: { type: 'custom', custom: { name: 'patch' } },
  })

  it('puts functions of one text in their place, with the grammar in words, and wraps their calls alone', () => {
    const { tools, messages, toolChoice } = withoutCustomTools(request)
    expect(tools).toEqual([
      functionOfCustom({ name: 'patch', description: 'Patches.', grammar }),
      { type: 'function', name: 'read' },
    ])
    expect(JSON.stringify(tools[0])).toContain('lark grammar')
    expect(messages[1]?.parts).toMatchObject([
      { arguments: '{"input":"*** \\"a\\""}' },
      { arguments: '{"path":"b"}' },
    ])
    expect(toolChoice).toEqual({ type: 'tool', name: 'patch' })
  })

  it('leaves a request without any as it is', () => {
    const plain = decoded({ messages: [user], tools: [{ type: 'function', function: { name: 'read' } }] })
    expect(withoutCustomTools(plain)).toBe(plain)
  })

  it('makes of a tool what Responses make of theirs', () => {
    const flat = {
      type: 'custom',
      name: 'patch',
      description: 'Patches.',
      format: { type: 'grammar', ...grammar },
    }
    const { tools } = chatCodecs['openai-responses'].decodeRequest(
      { model: 'm', input: 'Patch.', tools: [flat] },
      {},
    )
    expect(tools).toEqual([withoutCustomTools(request).tools[0] ?? {}] as typeof tools)
  })
})

it('finds the text that it wrapped, and takes any other arguments for the text', () => {
  for (const text of ['', 'a', '*** "b"\n', '{"c":1}'])
    expect(textInArguments(textArguments(text))).toBe(text)
  for (const text of ['plain', '{"other":1}', '[1]']) expect(textInArguments(text)).toBe(text)
})
