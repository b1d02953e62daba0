import { describe, expect, it } from 'bun:test'
import { type ChatRequest, type Message, RequestFault } from '@tollgate/formats'
import { encodeRequest } from './encode-request.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const user = (words: string): Message => ({ role: 'user', parts: [text(words)] })
const bare: ChatRequest = {
  model: 'asked',
  stream: false,
  messages: [user('hi')],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}
const tool = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } } as const
const encode = (more: Partial<ChatRequest>, model = 'command-a-03-2025') =>
  encodeRequest({ ...bare, ...more }, { model, streamOptions: false })
const body = (more: Partial<ChatRequest>, model?: string): Record<string, unknown> => ({
  ...encode(more, model).body,
})

function faultOf(more: Partial<ChatRequest>): string | null {
  try {
    encode(more)
  } catch (error) {
    if (error instanceof RequestFault) return error.param
    throw error
  }
  throw new Error('it was encoded')
}

describe('encodeRequest of Cohere', () => {
  it('says the conversation, results before what the user says with them', () => {
    const png = { type: 'base64', mediaType: 'image/png', data: 'iVBO' } as const
    const messages: readonly Message[] = [
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('a'), { type: 'media', kind: 'image', source: png, detail: 'low' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', signature: { vendor: 'anthropic', value: 'x' } },
          text('I look.'),
          { type: 'tool-call', id: 'c1', name: 'look', arguments: '' },
        ],
      },
      { role: 'user', parts: [text('and?'), { type: 'tool-result', callId: 'c1', content: [text('one')] }] },
      { role: 'assistant', parts: [text('One.')] },
    ]
    expect(body({ messages, tools: [tool] })).toEqual({
      model: 'command-a-03-2025',
      stream: false,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          tool_plan: 'I look.',
        },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'user', content: 'and?' },
        { role: 'assistant', content: 'One.' },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: tool.parameters } }],
    })
  })

  it('says how strictly to look, but for chats with tools', () => {
    const strict = (more: Partial<ChatRequest>) =>
      encodeRequest({ ...bare, ...more }, { model: 'm', streamOptions: false }, 'STRICT').body.safety_mode
    expect([strict({}), strict({ tools: [tool] }), body({}).safety_mode]).toEqual([
      'STRICT',
      undefined,
      undefined,
    ])
  })

  it('chooses one tool by offering no other', () => {
    const tools = [tool, { ...tool, name: 'other', strict: true }]
    const named = encode({ tools, toolChoice: { type: 'tool', name: 'other' } })
    expect(named.body).toMatchObject({ tools: [{ function: { name: 'other' } }], tool_choice: 'REQUIRED' })
    expect(named.dropped).toEqual(['strict'])
    expect(body({ tools, toolChoice: { type: 'none' } }).tool_choice).toBe('NONE')
    expect(body({ tools, toolChoice: { type: 'auto' } })).not.toHaveProperty('tool_choice')
    expect(body({ tools: [{ ...tool, strict: true }] }).strict_tools).toBe(true)
  })

  it('says the form of the response, limits and knobs in its own words and bounds', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const outputFormat = { type: 'json-schema', name: 'x', schema } as const
    const sampling = {
      stop: ['END', ''],
      candidates: 1,
      temperature: 1.5,
      topP: 1,
      topK: 7,
      seed: -3,
      presencePenalty: -1,
      logprobs: 2,
    }
    expect(encode({ outputFormat, sampling, maxOutputTokens: 9, options: { user: 'u' } })).toEqual({
      body: {
        model: 'command-a-03-2025',
        stream: false,
        messages: [{ role: 'user', content: 'hi' }],
        response_format: { type: 'json_object', json_schema: schema },
        max_tokens: 9,
        temperature: 1,
        p: 0.99,
        k: 7,
        seed: 3,
        presence_penalty: 0,
        stop_sequences: ['END'],
      },
      dropped: ['logprobs', 'user'],
    })
  })

  it('has models think that can', () => {
    const reasoner = 'command-a-reasoning-08-2025'
    expect(body({ reasoning: { effort: 'low' } }, reasoner).thinking).toEqual({
      type: 'enabled',
      token_budget: 1024,
    })
    expect(body({ reasoning: { budgetTokens: 0 } }, reasoner).thinking).toEqual({ type: 'disabled' })
    for (const model of ['command-b-01-2027', 'our-model', 'command-a-plus-05-2026'])
      expect(body({ reasoning: { effort: 'high' } }, model).thinking).toEqual({
        type: 'enabled',
        token_budget: 16384,
      })
    for (const model of ['command-r-plus-08-2024', 'command-r7b-12-2024', 'c4ai-aya-expanse-32b'])
      expect(body({ reasoning: { effort: 'high' } }, model)).not.toHaveProperty('thinking')
    expect(encode({ reasoning: { effort: 'high' } }).dropped).toEqual(['reasoning'])
    expect(encode({ reasoning: { effort: 'none' } }).dropped).toEqual([])
  })

  it('refuses what would change the response, by the name of the field', () => {
    const audio = { type: 'base64', mediaType: 'audio/wav', data: '' } as const
    expect(
      faultOf({ messages: [{ role: 'user', parts: [{ type: 'media', kind: 'audio', source: audio }] }] }),
    ).toBe('messages[0].content[0]')
    expect(faultOf({ sampling: { stop: [], candidates: 2 } })).toBe('n')
    expect(faultOf({ sampling: { stop: ['1', '2', '3', '4', '5', '6'], candidates: 1 } })).toBe('stop')
    expect(faultOf({ messages: [] })).toBe('messages')
  })
})
