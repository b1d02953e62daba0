import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import type { ChatRequest, Message, Tool } from '../../canonical/request.ts'
import { anyParts, anyText } from '../../test-support/arbitraries.ts'
import { openAiChat } from '../codec.ts'

const target = { model: 'upstream-model', streamOptions: true }
const plain: ChatRequest = {
  model: 'm',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}
const encode = (more: Partial<ChatRequest>, model = target.model) =>
  openAiChat.encodeRequest({ ...plain, ...more }, { ...target, model })
const messagesOf = (...messages: readonly Message[]) => encode({ messages }).body.messages

const turn = fc.tuple(anyText, anyParts, anyText).map(([requested, parts, result]): readonly Message[] => {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const content = [{ type: 'text', text: result }] as const
  const results = calls.map(({ id }) => ({ type: 'tool-result', callId: id, content }) as const)
  const responded: readonly Message[] = results.length === 0 ? [] : [{ role: 'user', parts: results }]
  return [
    { role: 'user', parts: [{ type: 'text', text: requested }] },
    { role: 'assistant', parts },
    ...responded,
  ]
})

const anyRequest: fc.Arbitrary<ChatRequest> = fc
  .record({
    stream: fc.boolean(),
    turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
    sampling: fc.record(
      {
        temperature: fc.constantFrom(0, 0.5, 2),
        topP: fc.constantFrom(0.1, 1),
        seed: fc.integer(),
        stop: fc.array(anyText, { maxLength: 2 }),
        candidates: fc.integer({ min: 1, max: 3 }),
        logprobs: fc.integer({ min: 0, max: 5 }),
      },
      { requiredKeys: ['stop', 'candidates'] },
    ),
    options: fc.record(
      {
        user: anyText,
        serviceTier: fc.constantFrom('auto', 'flex'),
        promptCacheKey: anyText,
        verbosity: fc.constantFrom('low', 'high'),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ turns, ...request }) => ({ ...plain, ...request, messages: turns.flat() }) as ChatRequest)

describe('encodeRequest of openAiChat', () => {
  it('says what decodeRequest reads', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { body, dropped } = openAiChat.encodeRequest(request, target)
        expect(openAiChat.decodeRequest(JSON.parse(JSON.stringify(body)), {})).toEqual({
          ...request,
          model: target.model,
        })
        expect(dropped).toEqual([])
      }),
    )
  })

  it('asks for usage where the upstream can give it, and for the limit by the name all know', () => {
    expect(encode({ stream: true, maxOutputTokens: 9 }).body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
    })
    const quiet = openAiChat.encodeRequest({ ...plain, stream: true }, { ...target, streamOptions: false })
    expect(quiet.body).not.toHaveProperty('stream_options')
  })

  it('puts results ahead of what else their message says, and refuses media in them', () => {
    const text = { type: 'text', text: 'seen' } as const
    const result = { type: 'tool-result', callId: 'a', content: [text], isError: true } as const
    const said = { type: 'text', text: 'And now?' } as const
    const { body, dropped } = encode({ messages: [{ role: 'user', parts: [said, result] }] })
    expect(body.messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'seen' },
      { role: 'user', content: 'And now?' },
    ])
    expect(dropped).toEqual(['is_error'])
    const source = { type: 'base64', mediaType: 'image/png', data: 'aGk=' } as const
    const content = [text, { type: 'media', kind: 'image', source } as const]
    expect(() => encode({ messages: [{ role: 'user', parts: [{ ...result, content }] }] })).toThrow(
      'messages[0].content[0].content[1]',
    )
  })

  it('gives ids to calls that have none, and their results the same ones', () => {
    const callOf = (name: string) => ({ type: 'tool-call', id: '', name, arguments: '{}' }) as const
    const resultOf = (name: string) => ({ type: 'tool-result', callId: '', name, content: [] }) as const
    const sent = messagesOf(
      { role: 'assistant', parts: [callOf('a'), callOf('b'), callOf('a')] },
      { role: 'user', parts: [resultOf('b'), resultOf('a'), resultOf('a')] },
    ) as readonly { tool_calls?: readonly { id: string }[]; tool_call_id?: string }[]
    expect(sent[0]?.tool_calls?.map((call) => call.id)).toEqual(['call_1', 'call_2', 'call_3'])
    expect(sent.slice(1).map((message) => message.tool_call_id)).toEqual(['call_2', 'call_1', 'call_3'])
  })

  it('sends unsigned reasoning back, and keeps signed reasoning from other vendors', () => {
    const text = { type: 'text', text: 'ok' } as const
    expect(messagesOf({ role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, text] })).toEqual([
      { role: 'assistant', content: 'ok', reasoning_content: 'hm' },
    ])
    const signed = { type: 'reasoning', text: 'hm', signature: { vendor: 'anthropic', value: 's' } } as const
    expect(messagesOf({ role: 'assistant', parts: [signed, text] })).toEqual([
      { role: 'assistant', content: 'ok' },
    ])
    expect(messagesOf({ role: 'assistant', parts: [signed] })).toEqual([])
  })

  const own: Tool = { type: 'function', name: 'look' }
  const search: Tool = { type: 'vendor', format: 'anthropic-messages', name: 'web_search', definition: {} }

  it("leaves another vendor's tool out beside others, by name, and refuses when it is needed", () => {
    const { body, dropped } = encode({ tools: [own, search] })
    expect(body.tools).toEqual([{ type: 'function', function: { name: 'look' } }])
    expect(dropped).toEqual(['tools[1] (web_search)'])
    expect(() => encode({ tools: [search] })).toThrow('tools[0] is not supported')
    expect(() => encode({ tools: [own, search], toolChoice: { type: 'tool', name: 'web_search' } })).toThrow(
      'tools[1] is not supported',
    )
  })

  it('writes custom tools, their choice and their calls as free text', () => {
    const definition = { type: 'custom', custom: { name: 'patch' } }
    const tool: Tool = { type: 'vendor', format: 'openai-chat', name: 'patch', definition }
    const { body } = encode({
      tools: [tool],
      toolChoice: { type: 'tool', name: 'patch' },
      messages: [
        { role: 'assistant', parts: [{ type: 'tool-call', id: 'a', name: 'patch', arguments: '*** x' }] },
      ],
    })
    expect(body).toMatchObject({
      tools: [definition],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
      messages: [{ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: '*** x' } }] }],
    })
  })

  it('names what is lost, and refuses what must not be', () => {
    const marked = { type: 'text', text: 'x', cache: { ttl: '5m' } } as const
    const lost = encode({
      messages: [{ role: 'system', parts: [marked] }],
      sampling: { stop: [], candidates: 1, topK: 5 },
      options: { serviceTier: 'standard_only', metadata: { nested: {} } },
      vendor: { format: 'anthropic-messages', fields: { context_management: {} } },
    })
    expect([...lost.dropped].toSorted()).toEqual([
      'cache_control',
      'context_management',
      'metadata',
      'service_tier',
      'top_k',
    ])
    const vendor = { format: 'openai-responses', fields: { previous_response_id: 'r' } } as const
    expect(() => encode({ vendor })).toThrow('previous_response_id is not supported')
    const film = {
      type: 'media',
      kind: 'image',
      source: { type: 'base64', mediaType: 'image/png', data: '' },
    } as const
    expect(() => encode({ messages: [{ role: 'assistant', parts: [film] }] })).toThrow('messages[0].content')
    const file = {
      type: 'media',
      kind: 'document',
      source: { type: 'file', format: 'gemini', id: 'f' },
    } as const
    expect(() => encode({ messages: [{ role: 'user', parts: [file] }] })).toThrow('not supported')
  })

  it('makes a budget an effort', () => {
    const effortFor = (budgetTokens: number) => encode({ reasoning: { budgetTokens } }).body.reasoning_effort
    expect([1024, 2048, 31_999, 0, -1].map(effortFor)).toEqual(['low', 'medium', 'high', 'none', 'default'])
  })

  it('puts back what only this format knows', () => {
    const fields = { logit_bias: { 5: -1 }, store: false }
    expect(encode({ vendor: { format: 'openai-chat', fields } }).body).toMatchObject(fields)
  })
})
