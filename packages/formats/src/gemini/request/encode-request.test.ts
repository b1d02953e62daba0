import { describe, expect, it } from 'bun:test'
import { RequestFault } from '../../canonical/codec.ts'
import type { ChatRequest, Message, ToolCallPart, ToolResultPart } from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { gemini } from '../codec.ts'

const plain: ChatRequest = {
  model: 'm',
  stream: false,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}
const encode = (request: Partial<ChatRequest>, model = 'gemini-3.8-flash') =>
  gemini.encodeRequest({ ...plain, ...request }, { model, streamOptions: false })
const contentsOf = (messages: readonly Message[], model?: string) => encode({ messages }, model).body.contents

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const call = (id: string, name: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  id,
  name,
  arguments: '{}',
  ...more,
})
const result = (callId: string, text: string, more: Partial<ToolResultPart> = {}): ToolResultPart => ({
  type: 'tool-result',
  callId,
  content: [{ type: 'text', text }],
  ...more,
})

function faultOf(run: () => unknown): RequestFault {
  try {
    run()
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error('nothing was at fault')
}

describe('encodeRequest', () => {
  it('encodes a complete request', () => {
    const { body, dropped } = encode({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        user('hi'),
        { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
      ],
      tools: [
        {
          type: 'function',
          name: 'f',
          description: 'does',
          parameters: { type: 'object', properties: { a: {} } },
        },
      ],
      toolChoice: { type: 'required' },
      outputFormat: {
        type: 'json-schema',
        name: 'n',
        schema: { type: 'object', properties: { a: { type: 'number' } } },
      },
      maxOutputTokens: 10,
      sampling: { temperature: 0, topP: 0.5, topK: 3, seed: 7, stop: ['x'], candidates: 2, logprobs: 3 },
      options: { modalities: ['text'] },
    })
    expect(dropped).toEqual([])
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      systemInstruction: { parts: [{ text: 'Be brief.\nBe kind.' }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              description: 'does',
              parametersJsonSchema: { type: 'object', properties: { a: {} } },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      generationConfig: {
        temperature: 0,
        topP: 0.5,
        topK: 3,
        seed: 7,
        maxOutputTokens: 10,
        stopSequences: ['x'],
        candidateCount: 2,
        responseLogprobs: true,
        logprobs: 3,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', properties: { a: { type: 'number' } } },
      },
    })
  })

  it('puts results in the order of their calls, before what the user says, and merges neighbours', () => {
    const contents = contentsOf(
      [
        user('a'),
        user('b'),
        { role: 'assistant', parts: [call('1', 'f'), call('2', 'g'), call('3', 'f')] },
        { role: 'user', parts: [{ type: 'text', text: 'there:' }, result('3', 'three')] },
        { role: 'user', parts: [result('2', '{"two":2}')] },
        { role: 'user', parts: [result('1', 'one', { isError: true })] },
      ],
      'gemini-2.5-pro',
    )
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: {} } },
          { functionCall: { name: 'g', args: {} } },
          { functionCall: { name: 'f', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { error: 'one' } } },
          { functionResponse: { name: 'g', response: { two: 2 } } },
          { functionResponse: { name: 'f', response: { content: 'three' } } },
          { text: 'there:' },
        ],
      },
    ])
  })

  it('sends a result with references as text, which the service would look for among its media', () => {
    const sentWith = (text: string) =>
      contentsOf([
        { role: 'assistant', parts: [call('1', 'f')] },
        { role: 'user', parts: [result('1', text)] },
      ])
    const sent = (response: unknown) => [
      { role: 'model' },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response } }] },
    ]
    for (const text of ['{"$ref":"#/$defs/a"}', '{"a":[{"$ref" : "#"}],"$defs":{}}'])
      expect(sentWith(text)).toMatchObject(sent({ content: text }))
    expect(sentWith('{"a":"\\"$ref\\": b"}')).toMatchObject(sent({ a: '"$ref": b' }))
    expect(sentWith('{"ref":1}')).toMatchObject(sent({ ref: 1 }))
  })

  it('keeps the digits of numbers in a result', () => {
    const messages: readonly Message[] = [
      { role: 'assistant', parts: [call('1', 'f')] },
      { role: 'user', parts: [result('1', '{"id":12345678901234567890}')] },
    ]
    expect(JSON.stringify(contentsOf(messages))).toContain('"response":{"id":12345678901234567890}')
  })

  it('signs the first call of each step for Gemini 3, with its own signature or the bypass', () => {
    const signature = { vendor: 'gemini', value: 'own' } as const
    const foreign = { vendor: 'anthropic', value: 'theirs' } as const
    const messages: readonly Message[] = [
      user('x'),
      { role: 'assistant', parts: [call('1', 'f', { signature }), call('2', 'g')] },
      { role: 'user', parts: [result('1', ''), result('2', '')] },
      {
        role: 'assistant',
        parts: [{ type: 'text', text: 'so' }, call('3', 'f', { signature: foreign }), call('4', 'g')],
      },
      { role: 'user', parts: [result('3', ''), result('4', '')] },
    ]
    const signatures = (model: string) =>
      JSON.stringify(contentsOf(messages, model)).match(/"thoughtSignature":"\w+"/g) ?? []
    expect(signatures('gemini-3.8-flash')).toEqual([
      '"thoughtSignature":"own"',
      '"thoughtSignature":"skip_thought_signature_validator"',
    ])
    expect(signatures('models/gemini-flash-latest')).toHaveLength(2)
    expect(signatures('gemini-2.5-flash')).toEqual(['"thoughtSignature":"own"'])
    expect(signatures('some-model')).toEqual(['"thoughtSignature":"own"'])
    expect(contentsOf(messages)).toMatchObject([
      {},
      { parts: [{ thoughtSignature: 'own' }, { functionCall: { name: 'g' } }] },
      {},
      { parts: [{ text: 'so' }, { thoughtSignature: 'skip_thought_signature_validator' }, {}] },
      {},
    ])
  })

  it('returns reasoning that Gemini signed, and no other', () => {
    const messages: readonly Message[] = [
      user('x'),
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'mine', signature: { vendor: 'gemini', value: 's' } },
          { type: 'reasoning', text: 'theirs', signature: { vendor: 'anthropic', value: 's' } },
          { type: 'reasoning', text: 'unsigned' },
          { type: 'text', text: 'y', signature: { vendor: 'openai', value: 's' } },
        ],
      },
    ]
    expect(contentsOf(messages)).toMatchObject([
      {},
      { parts: [{ text: 'mine', thought: true, thoughtSignature: 's' }, { text: 'y' }] },
    ])
  })

  it('keeps a call whose arguments were never valid, for a result refers to it', () => {
    const messages: readonly Message[] = [
      {
        role: 'assistant',
        parts: [call('1', 'f', { arguments: '{"a":' }), call('2', 'g', { arguments: '' })],
      },
      { role: 'user', parts: [result('1', 'invalid'), result('2', '')] },
    ]
    expect(contentsOf(messages)).toMatchObject([
      { parts: [{ functionCall: { args: { arguments: '{"a":' } } }, { functionCall: { args: {} } }] },
      {},
    ])
  })

  it('puts media into the result for Gemini 3, and behind all results what it does not take there', () => {
    const image = (mediaType: string) => {
      const source = { type: 'base64', mediaType, data: 'AA==' } as const
      return { type: 'media', kind: 'image', source } as const
    }
    const url = { ...image(''), source: { type: 'url', url: 'https://a.example/a.png' } } as const
    const text = { ...image(''), kind: 'document', source: { type: 'text', text: 'read' } } as const
    const seen = [{ type: 'text', text: 'see' }, image('image/png'), image('image/gif'), url, text] as const
    const messages: readonly Message[] = [
      { role: 'assistant', parts: [call('1', 'f'), call('2', 'g')] },
      { role: 'user', parts: [result('1', '', { content: seen }), result('2', 'ok')] },
    ]
    const inline = (mimeType: string) => ({ inlineData: { mimeType, data: 'AA==' } })
    const png = inline('image/png')
    const others = [
      inline('image/gif'),
      { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/a.png' } },
      { text: 'read' },
    ]
    const response = { name: 'f', response: { content: 'see' } }
    const second = { functionResponse: { name: 'g', response: { content: 'ok' } } }
    const first = { functionResponse: { ...response, parts: [png] } }
    expect(contentsOf(messages)).toMatchObject([{}, { parts: [first, second, ...others] }])
    expect(contentsOf(messages, 'gemini-2.5-flash')).toEqual([
      expect.anything(),
      { role: 'user', parts: [{ functionResponse: response }, second, png, ...others] },
    ])
  })

  it('leaves addresses to the service, with a type by their extension', () => {
    const typed = (url: string, kind: 'image' | 'video' | 'document' = 'image') =>
      contentsOf([{ role: 'user', parts: [{ type: 'media', kind, source: { type: 'url', url } }] }])
    const part = (fileData: unknown) => [{ role: 'user', parts: [{ fileData }] }]
    const png = 'https://example.com/a.PNG?x=1.pdf'
    expect(typed(png)).toEqual(part({ mimeType: 'image/png', fileUri: png }))
    expect(typed('https://example.com/a')).toEqual(
      part({ mimeType: 'image/jpeg', fileUri: 'https://example.com/a' }),
    )
    expect(typed('https://x.com/a', 'document')).toEqual(
      part({ mimeType: 'application/pdf', fileUri: 'https://x.com/a' }),
    )
    expect(typed('https://youtu.be/x', 'video')).toEqual(part({ fileUri: 'https://youtu.be/x' }))
  })

  it('says an instruction where it can be said', () => {
    const system: Message = { role: 'system', parts: [{ type: 'text', text: 's' }] }
    expect(encode({ messages: [system, user('hi')] }, 'gemma-3-27b-it').body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 's' }, { text: 'hi' }] }],
    })
    expect(encode({ messages: [system] }).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 's' }] }],
    })
  })

  it.each<[string, NonNullable<ChatRequest['reasoning']>, unknown]>([
    ['gemini-3.8-flash', { effort: 'none' }, { thinkingLevel: 'minimal' }],
    ['gemini-3.1-pro-preview', { effort: 'minimal' }, { thinkingLevel: 'low' }],
    [
      'gemini-3.1-pro-preview',
      { effort: 'max', includeThoughts: true },
      { thinkingLevel: 'high', includeThoughts: true },
    ],
    ['gemini-3.8-flash', { budgetTokens: 5000 }, { thinkingLevel: 'medium' }],
    ['gemini-3.8-flash', { budgetTokens: -1 }, undefined],
    ['gemini-pro-latest', { effort: 'high' }, { thinkingLevel: 'high' }],
    ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }],
    ['gemini-2.5-pro', { effort: 'high' }, { thinkingBudget: 24576 }],
    ['gemini-2.5-flash', { budgetTokens: 99999 }, { thinkingBudget: 24576 }],
    ['gemini-2.5-flash-lite', { budgetTokens: 100 }, { thinkingBudget: 512 }],
    [
      'gemini-2.5-flash',
      { budgetTokens: -1, includeThoughts: true },
      { thinkingBudget: -1, includeThoughts: true },
    ],
    ['gemini-2.5-flash', { budgetTokens: -1, effort: 'low' }, { thinkingBudget: 1024 }],
    [
      'our-deployment',
      { effort: 'high', includeThoughts: true },
      { thinkingBudget: 24576, includeThoughts: true },
    ],
    ['gemini-next', { budgetTokens: 3000 }, { thinkingBudget: 3000 }],
    ['gemini-next', { effort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-next-pro', { effort: 'none' }, { thinkingBudget: 128 }],
  ])('tells %s to reason by %j', (model, reasoning, thinkingConfig) => {
    const { body, dropped } = encode({ reasoning }, model)
    expect(body.generationConfig).toEqual(thinkingConfig === undefined ? undefined : { thinkingConfig })
    expect(dropped).toEqual([])
  })

  it('keeps the type of parameters without properties, in the field that takes it', () => {
    const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const tools = [{ type: 'function', name: 'get_goal', parameters }] as const
    const declared = (parametersJsonSchema: unknown) => [
      { functionDeclarations: [{ name: 'get_goal', parametersJsonSchema }] },
    ]
    expect(encode({ tools }).body.tools).toEqual(declared(parameters))
    expect(encode({ tools }, 'gemini-2.0-flash').body.tools).toEqual(
      declared({ type: 'object', properties: {} }),
    )
  })

  const counts = { type: 'object', additionalProperties: { type: 'integer' } }
  const pair = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }
  const outputFormat = (properties: JsonObject) =>
    ({ type: 'json-schema', name: 'o', schema: { type: 'object', properties } }) as const

  it('gives maps, tuples and empty objects as they are to models that read JSON Schema', () => {
    const back = { type: 'object', properties: {}, additionalProperties: false }
    const format = outputFormat({ counts, pair, back })
    for (const model of [
      'gemini-2.5-flash',
      'models/gemini-3-pro-preview',
      'gemini-flash-latest',
      'my-tuned',
    ])
      expect(encode({ outputFormat: format }, model)).toMatchObject({
        body: {
          generationConfig: { responseMimeType: 'application/json', responseJsonSchema: format.schema },
        },
        dropped: [],
      })
  })

  it('names what a model without JSON Schema loses, and refuses a map there', () => {
    const { body, dropped } = encode({ outputFormat: outputFormat({ pair }) }, 'gemini-2.0-flash')
    expect(body.generationConfig).toMatchObject({
      responseSchema: {
        properties: { pair: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      },
    })
    expect(dropped).toEqual(['response_format (prefixItems)'])
    expect(
      faultOf(() => encode({ outputFormat: outputFormat({ counts }) }, 'gemini-2.0-flash')),
    ).toMatchObject({
      param: 'response_format',
      code: 'unsupported_parameter',
    })
  })

  it('names what Gemini does not read, by its schema and keyword', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^a', $comment: 'x' } } }
    const tools = [{ type: 'function', name: 'f', parameters: schema }] as const
    expect(encode({ tools, outputFormat: { type: 'json-schema', name: 'o', schema } }).dropped).toEqual([
      'response_format (pattern)',
      'tools[0].parameters (pattern)',
    ])
  })

  it('wraps alternatives at the root of a function, in its calls, too', () => {
    const parameters = {
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }
    const call = { type: 'tool-call', id: '', name: 'f', arguments: '{"a":1}' } as const
    const { body } = encode({
      messages: [user('go'), { role: 'assistant', parts: [call] }, user('on')],
      tools: [{ type: 'function', name: 'f', parameters }],
    })
    const [{ functionDeclarations }] = body.tools as [{ functionDeclarations: [JsonObject] }]
    expect(functionDeclarations[0].parametersJsonSchema).toMatchObject({
      type: 'object',
      properties: { tollgate_value: { anyOf: parameters.anyOf } },
      required: ['tollgate_value'],
    })
    expect(JSON.stringify(body.contents)).toContain('"args":{"tollgate_value":{"a":1}}')
  })

  it('asks models that take JSON without tools alone for a call in its place', () => {
    const look = { type: 'function', name: 'look' } as const
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const outputFormat = { type: 'json-schema', name: 'x', schema } as const
    const both = encode({ tools: [look], outputFormat }, 'gemini-3.8-flash').body
    expect(both.generationConfig).toMatchObject({ responseMimeType: 'application/json' })
    expect(encode({ outputFormat }, 'gemini-2.5-flash').body.generationConfig).toBeDefined()
    const { body } = encode({ tools: [look], outputFormat }, 'gemini-2.5-flash')
    expect(body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'look' }, { name: 'tollgate_json_answer' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    })
    expect(body.generationConfig).toBeUndefined()
    const choose = (toolChoice: ChatRequest['toolChoice']) =>
      (
        encode({ tools: [look], outputFormat, ...(toolChoice && { toolChoice }) }, 'gemini-2.5-flash').body
          .toolConfig as JsonObject
      ).functionCallingConfig
    const named = (...allowedFunctionNames: readonly string[]) => ({ mode: 'ANY', allowedFunctionNames })
    expect(choose({ type: 'none' })).toEqual(named('tollgate_json_answer'))
    expect(choose({ type: 'tool', name: 'look' })).toEqual(named('look'))
    expect(choose({ type: 'allowed', names: ['look'], required: false })).toEqual(
      named('look', 'tollgate_json_answer'),
    )
    const own = { type: 'function', name: 'googleSearch' } as const
    for (const request of [
      { tools: [look], outputFormat: { type: 'json' } as const },
      { tools: [own], outputFormat },
    ]) {
      const inWords = encode(request, 'gemini-2.0-flash').body
      expect(inWords.generationConfig).toBeUndefined()
      expect(JSON.stringify(inWords.systemInstruction)).toContain('one valid JSON object')
    }
  })

  it('does not ask models to reason that cannot', () => {
    for (const model of ['gemini-2.0-flash', 'gemini-pro', 'gemma-3-27b-it'])
      expect(encode({ reasoning: { effort: 'high' } }, model).dropped).toEqual(['reasoning'])
    expect(encode({ reasoning: { effort: 'none' } }, 'gemma-3-27b-it').dropped).toEqual([])
  })

  it('names what it leaves out', () => {
    const { dropped } = encode({
      messages: [{ role: 'user', name: 'bob', parts: [{ type: 'text', text: 'x', cache: { ttl: '5m' } }] }],
      tools: [{ type: 'function', name: 'f', strict: true }],
      parallelToolCalls: false,
      options: { user: 'u', verbosity: 'low', serviceTier: 'flex', promptCacheKey: 'k', metadata: {} },
      vendor: { format: 'openai-chat', fields: { store: true } },
    })
    expect([...dropped].toSorted()).toEqual([
      'cache',
      'metadata',
      'name',
      'parallelToolCalls',
      'promptCacheKey',
      'serviceTier',
      'store',
      'strict',
      'user',
      'verbosity',
    ])
  })

  it("puts a caller's own fields back into their places", () => {
    const fields = {
      safetySettings: [],
      'generationConfig.speechConfig': { a: 1 },
      'generationConfig.temperature': 2,
      'toolConfig.retrievalConfig': {},
      'tools[0].functionDeclarations[0].response': {},
    }
    const sampling = { temperature: 1, stop: [], candidates: 1 }
    const { body, dropped } = encode({ sampling, vendor: { format: 'gemini', fields } })
    expect(body).toMatchObject({
      safetySettings: [],
      generationConfig: { temperature: 1, speechConfig: { a: 1 } },
      toolConfig: { retrievalConfig: {} },
    })
    expect(dropped).toEqual(['tools[0].functionDeclarations[0].response'])
  })

  it("takes Google's own tools, by their definition or by the custom of OpenAI's callers", () => {
    const { body } = encode({
      tools: [
        { type: 'function', name: 'googleSearch' },
        { type: 'vendor', format: 'gemini', name: 'urlContext', definition: { urlContext: {} } },
      ],
      toolChoice: { type: 'auto' },
    })
    expect(body.tools).toEqual([{ googleSearch: {} }, { urlContext: {} }])
    expect(body.toolConfig).toBeUndefined()
  })

  it("goes without another vendor's tools where there are others", () => {
    const foreign = {
      type: 'vendor',
      format: 'openai-responses',
      name: 'web_search',
      definition: {},
    } as const
    const tools = [foreign, { type: 'function', name: 'f' } as const]
    const { body, dropped } = encode({ tools })
    expect(body.tools).toEqual([{ functionDeclarations: [{ name: 'f' }] }])
    expect(dropped).toEqual(['tools[0] (web_search)'])
    const fault = faultOf(() => encode({ tools, toolChoice: { type: 'tool', name: 'web_search' } }))
    expect(fault).toMatchObject({ param: 'tools[0]', code: 'unsupported_parameter' })
  })

  it.each<[NonNullable<ChatRequest['toolChoice']>, unknown, readonly string[]]>([
    [{ type: 'auto' }, { mode: 'AUTO' }, ['f', 'g']],
    [{ type: 'none' }, { mode: 'NONE' }, ['f', 'g']],
    [{ type: 'tool', name: 'f' }, { mode: 'ANY', allowedFunctionNames: ['f'] }, ['f', 'g']],
    [
      { type: 'allowed', names: ['f'], required: true },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
      ['f', 'g'],
    ],
    [{ type: 'allowed', names: ['g'], required: false }, { mode: 'AUTO' }, ['g']],
  ])('says the choice %j', (toolChoice, functionCallingConfig, names) => {
    const tools = ['f', 'g'].map((name) => ({ type: 'function', name }) as const)
    const { body } = encode({ tools, toolChoice })
    expect(body.toolConfig).toEqual({ functionCallingConfig })
    expect(body.tools).toEqual([{ functionDeclarations: names.map((name) => ({ name })) }])
  })

  it.each<[string, Partial<ChatRequest>, string]>([
    ['too many stops', { sampling: { stop: [...'abcdef'], candidates: 1 } }, 'stop'],
    [
      "another vendor's tool",
      { tools: [{ type: 'vendor', format: 'anthropic-messages', name: 'bash', definition: {} }] },
      'tools[0]',
    ],
    [
      "another vendor's file",
      {
        messages: [
          {
            role: 'user',
            parts: [
              { type: 'media', kind: 'document', source: { type: 'file', format: 'openai-chat', id: 'f' } },
            ],
          },
        ],
      },
      'messages[0].content[0]',
    ],
    [
      'a result of nothing',
      { messages: [{ role: 'user', parts: [result('x', 'y')] }] },
      'messages[0].content[0]',
    ],
    ['nothing to say', { messages: [user('')] }, 'messages'],
    [
      'a conversation stored elsewhere',
      { vendor: { format: 'openai-responses', fields: { previous_response_id: 'r' } } },
      'previous_response_id',
    ],
  ])('refuses %s', (_, request, param) => {
    expect(faultOf(() => encode(request))).toMatchObject({ param, code: 'unsupported_parameter' })
  })
})
