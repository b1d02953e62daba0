import { describe, expect, it } from 'bun:test'
import { type EncodeTarget, RequestFault } from '../../canonical/codec.ts'
import type { ChatRequest, Message, UserPart } from '../../canonical/request.ts'
import {
  assistant,
  bare,
  call,
  encode,
  faultOf,
  newer,
  older,
  result,
  system,
  text,
  tool,
  user,
} from '../test-support/requests.ts'

describe('encodeRequest', () => {
  it('always says an output limit: the caller’s, the operator’s, or the default', () => {
    expect(encode({}).body).toEqual({
      model: older,
      max_tokens: 8192,
      messages: [{ role: 'user', content: [text('hi')] }],
    })
    expect(encode({}, older, { defaultMaxTokens: 77 }).body.max_tokens).toBe(77)
    expect(encode({ maxOutputTokens: 5 }, older, { defaultMaxTokens: 77 }).body.max_tokens).toBe(5)
    expect(encode({}, 'claude-3-haiku-20240307').body.max_tokens).toBe(4096)
  })

  it('makes turns: the user first, one turn per side, results before all else, no blank texts', () => {
    const messages = [
      assistant(text('Welcome.')),
      user(text('a'), text(' ')),
      user(text('b')),
      assistant(text(''), call('call.1:x', 'f', '{"n":1}'), call('2')),
      user(text('and then?'), result('call.1:x', 'one')),
      user(result('2', 'two')),
      assistant(text('Going on  \n')),
    ]
    expect(encode({ messages, tools: [tool] }).body.messages).toEqual([
      { role: 'user', content: [text('...')] },
      { role: 'assistant', content: [text('Welcome.')] },
      { role: 'user', content: [text('a'), text('b')] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call.1:x', name: 'f', input: { n: 1 } },
          { type: 'tool_use', id: '2', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call.1:x', content: 'one' },
          { type: 'tool_result', tool_use_id: '2', content: 'two' },
          text('and then?'),
        ],
      },
      { role: 'assistant', content: [text('Going on')] },
    ])
  })

  it('puts leading instructions on top, and later ones where the model takes them', () => {
    const messages: readonly Message[] = [
      { role: 'system', parts: [{ type: 'text', text: 'one', cache: { ttl: '1h' } }] },
      system('two'),
      user(text('a')),
      system('three'),
      assistant(text('b')),
      system('four'),
      user(text('c')),
    ]
    const top = [{ ...text('one'), cache_control: { type: 'ephemeral', ttl: '1h' } }, text('two')]
    expect(encode({ messages }).body).toMatchObject({
      system: top,
      messages: [
        { role: 'user', content: [text('a'), text('three')] },
        { role: 'assistant', content: [text('b')] },
        { role: 'user', content: [text('four'), text('c')] },
      ],
    })
    const retained = [
      { role: 'user', content: [text('a')] },
      { role: 'system', content: [text('three')] },
      { role: 'assistant', content: [text('b')] },
      { role: 'user', content: [text('four'), text('c')] },
    ]
    expect(encode({ messages }, newer).body.messages).toEqual(retained)
    expect(encode({ messages }, newer, { hosted: true }).body.messages).toHaveLength(3)
  })

  it('pairs calls and results of formats without ids by name and order', () => {
    const messages = [
      user(text('go')),
      assistant(call('', 'a'), call('', 'b'), call('', 'a')),
      user(result('', 'B', 'b'), result('', 'A1', 'a'), result('', 'A2', 'a')),
    ]
    const [, calls, results] = encode({ messages }).body.messages as { content: Record<string, string>[] }[]
    expect(calls?.content.map(({ id }) => id)).toEqual(['toolu_1', 'toolu_2', 'toolu_3'])
    expect(results?.content.map(({ tool_use_id, content }) => [tool_use_id, content])).toEqual([
      ['toolu_2', 'B'],
      ['toolu_1', 'A1'],
      ['toolu_3', 'A2'],
    ])
    const orphan = faultOf(() => encode({ messages: [user(result('', 'x'))] }))
    expect(orphan.param).toBe('messages[0].content[0]')
  })

  it('returns reasoning to Anthropic alone, and keeps calls whose arguments are not an object', () => {
    const messages = [
      user(text('a')),
      assistant(
        { type: 'reasoning', text: 'mine', signature: { vendor: 'anthropic', value: 's' } },
        { type: 'reasoning', text: '', encrypted: { vendor: 'anthropic', value: 'e' } },
        { type: 'reasoning', text: 'theirs', signature: { vendor: 'gemini', value: 'g' } },
        { type: 'reasoning', text: 'unsigned' },
        { type: 'reasoning', text: '', encrypted: { vendor: 'openai', value: 'o' } },
        call('1', 'f', '{"broken'),
      ),
    ]
    const { body, dropped } = encode({ messages })
    expect((body.messages as { content: unknown }[])[1]?.content).toEqual([
      { type: 'thinking', thinking: 'mine', signature: 's' },
      { type: 'redacted_thinking', data: 'e' },
      { type: 'tool_use', id: '1', name: 'f', input: { arguments: '{"broken' } },
    ])
    expect(dropped).toEqual([])
  })

  it('carries media by bytes and address, and refuses what the format cannot hold', () => {
    const image = { type: 'media', kind: 'image', detail: 'high' } as const
    const png = { type: 'base64', mediaType: 'image/PNG', data: 'AAAA' } as const
    const pdf = { type: 'base64', mediaType: 'application/pdf', data: 'AAAA' } as const
    const parts: readonly UserPart[] = [
      { ...image, source: png },
      { type: 'media', kind: 'document', source: pdf, filename: 'a.pdf', cache: { ttl: '5m' } },
      { type: 'media', kind: 'document', source: { type: 'text', text: 'plain' } },
    ]
    const { body, dropped } = encode({ messages: [user(...parts)] })
    expect((body.messages as { content: unknown }[])[0]?.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
        title: 'a.pdf',
        cache_control: { type: 'ephemeral' },
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
    ])
    expect(dropped).toEqual(['detail'])
    const refuse = (part: UserPart, target: Partial<EncodeTarget> = {}) =>
      faultOf(() => encode({ messages: [user(text('a'), part)] }, older, target))
    const fault = { param: 'messages[0].content[1]', code: 'unsupported_parameter' }
    expect(refuse({ ...image, kind: 'audio', source: pdf })).toMatchObject(fault)
    expect(refuse({ ...image, source: pdf })).toMatchObject(fault)
    expect(refuse({ ...image, source: { type: 'file', format: 'gemini', id: 'x' } })).toMatchObject(fault)
    expect(
      refuse({ ...image, source: { type: 'url', url: 'https://a.example' } }, { hosted: true }),
    ).toMatchObject(fault)
    expect(faultOf(() => encode({ messages: [assistant({ ...image, source: png })] }))).toBeInstanceOf(
      RequestFault,
    )
  })
})

describe('sampling and options', () => {
  const sampling = { temperature: 1.4, topP: 0.5, topK: 3, stop: ['END', ''], candidates: 1 } as const

  it('sends what the model takes and names the rest', () => {
    expect(encode({ sampling }, 'claude-3-5-sonnet-20241022')).toMatchObject({
      body: { temperature: 1, top_p: 0.5, top_k: 3, stop_sequences: ['END'] },
      dropped: ['temperature'],
    })
    const { body, dropped } = encode({ sampling })
    expect(body).toMatchObject({ temperature: 1, top_k: 3 })
    expect(body.top_p).toBeUndefined()
    expect(dropped).toEqual(['temperature', 'topP'])
    expect(encode({ sampling }, newer).dropped).toEqual(['temperature', 'topP', 'topK'])
    const cool = { ...sampling, temperature: 0.5, topP: 0.96 }
    const thinks = encode({ sampling: cool, reasoning: { effort: 'low' } })
    expect(thinks.body).toMatchObject({ top_p: 0.96, thinking: { type: 'enabled' } })
    expect(thinks.dropped).toEqual(['temperature', 'topK'])
  })

  it('names fields that have no place here', () => {
    const { body, dropped } = encode({
      sampling: { ...bare.sampling, seed: 1, presencePenalty: 1, frequencyPenalty: 1, logprobs: 2 },
      options: {
        user: 'u',
        metadata: { a: 'b' },
        serviceTier: 'default',
        promptCacheKey: 'k',
        verbosity: 'low',
        modalities: ['text'],
      },
      vendor: { format: 'openai-chat', fields: { store: true } },
    })
    expect(body).toMatchObject({ metadata: { user_id: 'u' }, service_tier: 'standard_only' })
    expect(dropped).toEqual([
      ...['store', 'seed', 'presencePenalty', 'frequencyPenalty', 'logprobs'],
      ...['metadata', 'promptCacheKey', 'verbosity'],
    ])
    expect(encode({ options: { serviceTier: 'flex' } }).dropped).toEqual(['serviceTier'])
  })

  it.each<[Partial<ChatRequest>, string]>([
    [{ sampling: { stop: [], candidates: 2 } }, 'n'],
    [{ sampling: { stop: ['\n'], candidates: 1 } }, 'stop'],
    [{ options: { modalities: ['text', 'audio'] } }, 'modalities'],
    [
      { vendor: { format: 'openai-responses', fields: { previous_response_id: 'r' } } },
      'previous_response_id',
    ],
  ])('refuses what it cannot say and would change the answer: %j', (request, param) => {
    expect(faultOf(() => encode(request))).toMatchObject({ param, code: 'unsupported_parameter' })
  })
})
