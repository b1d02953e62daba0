import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { RequestFault } from '../../canonical/codec.ts'
import type { AssistantPart, ChatRequest, Message, UserPart } from '../../canonical/request.ts'
import { openAiResponses } from '../codec.ts'

const bare: ChatRequest = {
  model: 'asked',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}
const text = (value: string) => ({ type: 'text', text: value }) as const
const user = (...parts: readonly UserPart[]): Message => ({ role: 'user', parts })
const assistant = (...parts: readonly AssistantPart[]): Message => ({ role: 'assistant', parts })
const system = (value: string): Message => ({ role: 'system', parts: [text(value)] })

const encode = (request: Partial<ChatRequest>, model = 'gpt-5.6-luna') =>
  openAiResponses.encodeRequest({ ...bare, ...request }, { model, streamOptions: false })

function faultOf(request: Partial<ChatRequest>): string | null {
  try {
    encode(request)
  } catch (error) {
    if (error instanceof RequestFault) return error.param
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('the body', () => {
  it('has instructions first, and later ones where they stand', () => {
    const { body } = encode({ messages: [system('A'), system('B'), user(text('Hi')), system('C')] })
    expect(body).toMatchObject({
      model: 'gpt-5.6-luna',
      instructions: 'A\n\nB',
      store: false,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { role: 'developer', content: [{ type: 'input_text', text: 'C' }] },
      ],
    })
    expect(encode({ messages: [system('A')] }).body).toMatchObject({ input: [{ role: 'developer' }] })
  })

  it('returns reasoning to its own vendor alone, and calls with their outputs', () => {
    const encrypted = { vendor: 'openai', value: 'gA' } as const
    const { body, dropped } = encode({
      messages: [
        user(text('Hi')),
        assistant(
          { type: 'reasoning', text: 'Hm.', encrypted },
          { type: 'reasoning', text: 'Ah.', signature: { vendor: 'anthropic', value: 'Er' } },
          text('Look.'),
          { type: 'tool-call', id: '', name: 'look', arguments: '{}' },
        ),
        user({ type: 'tool-result', callId: '', name: 'look', content: [text('seen')], isError: true }),
        assistant({ type: 'refusal', text: 'No.' }),
      ],
    })
    expect(body.input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gA' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ])
    expect(dropped).toEqual(['is_error'])
  })

  it('has a flat form of tools, custom ones of Chat Completions among them', () => {
    const custom = {
      name: 'patch',
      format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } },
    }
    const { body, dropped } = encode({
      messages: [
        user(text('Hi')),
        assistant({ type: 'tool-call', id: 'c', name: 'patch', arguments: '*** Begin' }),
        { role: 'user', parts: [{ type: 'tool-result', callId: 'c', content: [text('Done.')] }] },
      ],
      tools: [
        { type: 'function', name: 'look', description: 'Looks.' },
        { type: 'vendor', format: 'openai-chat', name: 'patch', definition: { type: 'custom', custom } },
        {
          type: 'vendor',
          format: 'openai-responses',
          name: 'web_search',
          definition: { type: 'web_search' },
        },
        { type: 'vendor', format: 'gemini', name: 'google_search', definition: {} },
      ],
      toolChoice: { type: 'allowed', names: ['look', 'patch', 'web_search'], required: false },
      parallelToolCalls: false,
    })
    expect(body.input).toMatchObject([
      {},
      { type: 'custom_tool_call', call_id: 'c', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'Done.' },
    ])
    expect(body).toMatchObject({
      tools: [
        {
          type: 'function',
          name: 'look',
          description: 'Looks.',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
        { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
        { type: 'web_search' },
      ],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'custom', name: 'patch' },
          { type: 'web_search' },
        ],
      },
      parallel_tool_calls: false,
    })
    expect(dropped).toEqual(['tools[3] (google_search)'])
  })

  it('requests encrypted reasoning, which models without any have left out by their profile', () => {
    const reasoning = { budgetTokens: 3000, includeThoughts: true } as const
    expect(encode({ reasoning, maxOutputTokens: 3 }).body).toMatchObject({
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 16,
    })
  })

  it('names what is left out, and drops what does not change the response', () => {
    const { dropped } = encode({
      sampling: { stop: [], candidates: 1, seed: 1, topK: 2, presencePenalty: 1, frequencyPenalty: 1 },
      options: { serviceTier: 'standard_only', metadata: { a: 1 } },
    })
    expect(dropped).toEqual([
      'top_k',
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'service_tier',
      'metadata',
    ])
  })
})

describe('what would change the response is refused by name:', () => {
  const media = (kind: 'video' | 'image') =>
    ({ type: 'media', kind, source: { type: 'url', url: 'https://a.example' } }) as const
  const faults: readonly (readonly [string, Partial<ChatRequest>])[] = [
    ['stop', { sampling: { stop: ['x'], candidates: 1 } }],
    ['n', { sampling: { stop: [], candidates: 2 } }],
    ['modalities', { options: { modalities: ['text', 'audio'] } }],
    ['messages[0].content[0]', { messages: [user(media('video'))] }],
    ['messages[0].content', { messages: [assistant(media('image'))] }],
    ['tools[0]', { tools: [{ type: 'vendor', format: 'gemini', name: 'google_search', definition: {} }] }],
    ['container', { vendor: { format: 'anthropic-messages', fields: { container: 'c' } } }],
  ]
  it.each(faults)('%s', (param, request) => {
    expect(faultOf(request)).toBe(param)
  })
})

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const textPart = word.map(text)
const image = fc
  .oneof(
    fc.record({ type: fc.constant('base64' as const), mediaType: fc.constant('image/png'), data: word }),
    fc.record({ type: fc.constant('url' as const), url: fc.webUrl() }),
    fc.record({
      type: fc.constant('file' as const),
      format: fc.constant('openai-responses' as const),
      id: word,
    }),
  )
  .map((source) => ({ type: 'media', kind: 'image', source }) as const)
const reasoning = word.map(
  (value): AssistantPart => ({ type: 'reasoning', text: value, encrypted: { vendor: 'openai', value } }),
)

/** A user's turn, a response with calls, and their results: the content of every tool loop. */
const round = fc
  .tuple(
    fc.array(fc.oneof(textPart, image), { minLength: 1, maxLength: 3 }),
    fc.array(reasoning, { maxLength: 2 }),
    fc.array(textPart, { maxLength: 2 }),
    fc.array(fc.tuple(word, fc.dictionary(word, fc.jsonValue())), { minLength: 1, maxLength: 3 }),
    fc.array(image, { maxLength: 1 }),
  )
  .map(([requested, reasoning, stated, calls, seen]): readonly Message[] => {
    const ids = calls.map((_, index) => `call_${index}`)
    return [
      user(...requested),
      assistant(
        ...reasoning,
        ...stated,
        ...calls.map(([name, input], index): AssistantPart => {
          return { type: 'tool-call', id: ids[index] ?? '', name, arguments: JSON.stringify(input) }
        }),
      ),
      user(
        ...ids.map((callId): UserPart => ({ type: 'tool-result', callId, content: [text('a'), ...seen] })),
      ),
      assistant(text('so')),
    ]
  })

/** Schemas of objects that strict schemas may have, too. */
const objectSchema = fc.uniqueArray(word).map((required) => ({
  type: 'object',
  properties: Object.fromEntries(required.map((name) => [name, { type: 'string', description: name }])),
  required,
  additionalProperties: false,
}))
const requests = fc.record(
  {
    model: fc.constant('gpt-5.6-luna'),
    stream: fc.boolean(),
    messages: fc
      .tuple(fc.option(word), fc.array(round, { minLength: 1, maxLength: 2 }))
      .map(([first, rounds]) => [...(first === null ? [] : [system(first)]), ...rounds.flat()]),
    tools: fc.array(
      fc.record({
        type: fc.constant('function' as const),
        name: word,
        description: word,
        parameters: objectSchema,
        strict: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    toolChoice: fc.oneof(
      fc.record({ type: fc.constantFrom('auto' as const, 'none' as const, 'required' as const) }),
      fc.record({ type: fc.constant('tool' as const), name: word }),
    ),
    parallelToolCalls: fc.boolean(),
    outputFormat: fc.record({
      type: fc.constant('json-schema' as const),
      name: word,
      schema: objectSchema,
      strict: fc.boolean(),
    }),
    reasoning: fc.record({
      effort: fc.constantFrom('low' as const, 'high' as const),
      includeThoughts: fc.boolean(),
    }),
    sampling: fc.record({
      temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((value) => value + 0),
      topP: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
      logprobs: fc.nat(20),
      stop: fc.constant([]),
      candidates: fc.constant(1),
    }),
    maxOutputTokens: fc.integer({ min: 16, max: 64000 }),
    options: fc.record(
      { user: word, promptCacheKey: word, verbosity: fc.constantFrom('low' as const, 'high' as const) },
      { requiredKeys: [] },
    ),
    vendor: fc.constant({ format: 'openai-responses', fields: { safety_identifier: 's' } } as const),
  },
  { requiredKeys: ['model', 'stream', 'messages', 'tools', 'sampling', 'options'] },
)

it('a request of what this format can say comes back as it was', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const target = { model: request.model, streamOptions: false }
      const { body, dropped } = openAiResponses.encodeRequest(request as ChatRequest, target)
      expect(dropped).toEqual([])
      const wire = JSON.parse(JSON.stringify(body))
      expect(openAiResponses.decodeRequest(wire, {})).toEqual(JSON.parse(JSON.stringify(request)))
    }),
  )
})
