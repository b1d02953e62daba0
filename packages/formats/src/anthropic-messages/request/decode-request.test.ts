import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { RequestFault } from '../../canonical/codec.ts'
import type { JsonObject } from '../../json/value.ts'
import { anthropicMessages } from '../codec.ts'
import { agentBody, faultOf } from '../test-support/requests.ts'

const decode = (body: JsonObject) => anthropicMessages.decodeRequest(body, {})
const user = { role: 'user', content: 'hi' }
const bare = { model: 'claude-x', max_tokens: 10, messages: [user] }

describe('decodeRequest', () => {
  it('reads all that a coding agent sends, and keeps what has no canonical form', () => {
    expect(decode(agentBody)).toEqual({
      model: 'claude-opus-5-5',
      stream: true,
      messages: [
        {
          role: 'system',
          parts: [
            { type: 'text', text: 'Be brief.' },
            { type: 'text', text: 'Rules.', cache: { ttl: '1h' } },
          ],
        },
        { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: '', signature: { vendor: 'anthropic', value: 'c2ln' } },
            { type: 'reasoning', text: '', encrypted: { vendor: 'anthropic', value: 'cmVk' } },
            { type: 'text', text: 'Reading.' },
            {
              type: 'tool-call',
              id: 'toolu_1',
              name: 'Read',
              arguments: '{"path":"a"}',
              cache: { ttl: '5m' },
            },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              type: 'tool-result',
              callId: 'toolu_1',
              name: 'Read',
              isError: true,
              content: [
                { type: 'text', text: 'no' },
                {
                  type: 'media',
                  kind: 'image',
                  source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' },
                },
              ],
            },
            {
              type: 'media',
              kind: 'document',
              source: { type: 'url', url: 'https://a.example/b.pdf' },
              filename: 'b',
            },
          ],
        },
        { role: 'system', parts: [{ type: 'text', text: 'The user is away.' }] },
      ],
      tools: [
        {
          type: 'function',
          name: 'Read',
          description: 'Reads.',
          parameters: { type: 'object' },
          cache: { ttl: '5m' },
        },
        { type: 'function', name: 'Rare', parameters: { type: 'object' } },
        {
          type: 'vendor',
          format: 'anthropic-messages',
          name: 'web_search',
          definition: { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
        },
      ],
      toolChoice: { type: 'required' },
      parallelToolCalls: false,
      reasoning: { effort: 'xhigh', budgetTokens: -1, includeThoughts: false },
      sampling: { stop: [], candidates: 1 },
      maxOutputTokens: 32000,
      options: { user: 'user_1' },
      vendor: {
        format: 'anthropic-messages',
        fields: {
          context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
          output_config: { task_budget: { type: 'tokens', total: 9 } },
          'messages[1].content[3]': {
            type: 'server_tool_use',
            id: 'srvtoolu_1',
            name: 'web_search',
            input: { query: 'x' },
          },
          'tools[1].defer_loading': true,
          'tools[1].eager_input_streaming': true,
        },
      },
    })
  })

  it('reads a budget, a schema under both of its names, and thinking that is switched off', () => {
    expect(
      decode({ ...bare, thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' } }).reasoning,
    ).toEqual({ budgetTokens: 2000, includeThoughts: false })
    const format = { type: 'json_schema', schema: { type: 'object' } }
    const expected = {
      type: 'json-schema',
      name: 'answer',
      schema: { type: 'object' },
      strict: true,
    } as const
    expect(decode({ ...bare, output_format: format }).outputFormat).toEqual(expected)
    expect(decode({ ...bare, output_config: { format } }).outputFormat).toEqual(expected)
    const off = decode({ ...bare, thinking: { type: 'disabled' }, output_config: { effort: 'low' } })
    expect(off.reasoning).toEqual({ effort: 'none' })
    expect(off.vendor?.fields).toEqual({ 'output_config.effort': 'low' })
  })

  it('reads the effort of the last message that changes it, which says nothing else', () => {
    const change = (effort: string) => ({ role: 'system', content: [], output_config: { effort } })
    const messages = [user, change('low'), user, change('xhigh')]
    const read = decode({
      ...bare,
      messages,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    })
    expect(read.reasoning).toEqual({ effort: 'xhigh', budgetTokens: -1 })
    expect(read.messages).toHaveLength(2)
    const spoken = { role: 'system', content: 'Be brief.', output_config: { effort: 'low' } }
    expect(decode({ ...bare, messages: [user, spoken] })).toMatchObject({
      reasoning: { effort: 'low' },
      messages: [{ role: 'user' }, { role: 'system' }],
    })
    expect(() => decode({ ...bare, messages: [user, change('most')] })).toThrow('output_config.effort')
  })

  it('tells passages and plain texts of the caller as texts', () => {
    const search = {
      type: 'search_result',
      source: 'https://a.example',
      title: 'A',
      content: [{ type: 'text', text: 'p' }],
      citations: { enabled: true },
    }
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } }
    const [message] = decode({ ...bare, messages: [{ role: 'user', content: [search, document] }] }).messages
    expect(message?.parts).toEqual([
      { type: 'text', text: 'A\nhttps://a.example\np' },
      { type: 'media', kind: 'document', source: { type: 'text', text: 'plain' } },
    ])
  })

  it.each([
    [{ model: undefined }, 'model', 'missing_required_parameter'],
    [{ model: 7 }, 'model', 'invalid_type'],
    [{ model: ' ' }, 'model', 'invalid_value'],
    [{ model: 'x'.repeat(300) }, 'model', 'invalid_value'],
    [{ messages: undefined }, 'messages', 'missing_required_parameter'],
    [{ messages: [] }, 'messages', 'invalid_value'],
    [{ messages: 'hi' }, 'messages', 'invalid_type'],
    [{ messages: [7] }, 'messages[0]', 'invalid_type'],
    [{ messages: [{ role: 'tool', content: '' }] }, 'messages[0].role', 'invalid_value'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content', 'invalid_type'],
    [
      { messages: [{ role: 'user', content: [{}] }] },
      'messages[0].content[0].type',
      'missing_required_parameter',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image' }] }] },
      'messages[0].content[0].source',
      'missing_required_parameter',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'disk' } }] }] },
      'messages[0].content[0].source.type',
      'invalid_value',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
      'messages[0].content[0]',
      'unsupported_parameter',
    ],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: 'c' }] }] },
      'messages[0].content[0].input',
      'invalid_type',
    ],
    [{ system: 7 }, 'system', 'invalid_type'],
    [{ max_tokens: 0 }, 'max_tokens', 'invalid_value'],
    [{ max_tokens: 1e12 }, 'max_tokens', 'invalid_value'],
    [{ max_tokens: '10' }, 'max_tokens', 'invalid_type'],
    [{ stream: 'yes' }, 'stream', 'invalid_type'],
    [{ temperature: 1.5 }, 'temperature', 'invalid_value'],
    [{ top_p: 'x' }, 'top_p', 'invalid_type'],
    [{ top_k: 1.5 }, 'top_k', 'invalid_type'],
    [{ stop_sequences: ['a', 1] }, 'stop_sequences[1]', 'invalid_type'],
    [{ tools: [{ input_schema: {} }] }, 'tools[0].name', 'missing_required_parameter'],
    [{ tools: [{ name: 'a', input_schema: [] }] }, 'tools[0].input_schema', 'invalid_type'],
    [{ tool_choice: { type: 'all' } }, 'tool_choice.type', 'invalid_value'],
    [{ tool_choice: { type: 'tool' } }, 'tool_choice.name', 'missing_required_parameter'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens', 'invalid_type'],
    [{ thinking: { type: 'maybe' } }, 'thinking.type', 'invalid_value'],
    [{ output_config: { effort: 'huge' } }, 'output_config.effort', 'invalid_value'],
    [{ output_config: { format: { type: 'xml' } } }, 'output_config.format.type', 'invalid_value'],
    [{ metadata: { user_id: 1 } }, 'metadata.user_id', 'invalid_type'],
  ])('refuses %j and names the field', (change, param, code) => {
    expect(faultOf(() => decode({ ...bare, ...change }))).toMatchObject({ param, code })
  })

  it('answers any body with a request or a fault that names a field, never with another error', () => {
    const field = fc.constantFrom(
      ...['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'metadata'],
      ...['max_tokens', 'temperature', 'stop_sequences', 'stream', 'service_tier', 'output_format', 'top_k'],
    )
    fc.assert(
      fc.property(field, fc.jsonValue(), (name, value) => {
        try {
          decode({ ...bare, [name]: value as unknown })
        } catch (error) {
          expect(error).toBeInstanceOf(RequestFault)
          expect((error as RequestFault).param).toStartWith(name)
        }
      }),
    )
    const block = fc.record(
      {
        type: fc.constantFrom(
          'text',
          'image',
          'document',
          'tool_use',
          'tool_result',
          'thinking',
          'x',
          '__proto__',
        ),
        source: fc.jsonValue(),
        content: fc.jsonValue(),
        text: fc.jsonValue(),
        input: fc.jsonValue(),
        cache_control: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.constantFrom('user', 'assistant', 'system'), fc.array(block), (role, content) => {
        try {
          decode({ ...bare, messages: [{ role, content }] })
        } catch (error) {
          expect(error).toBeInstanceOf(RequestFault)
        }
      }),
    )
  })
})
