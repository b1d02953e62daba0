import { describe, expect, it } from 'bun:test'
import { type ChatRequest, type Message, outputToolName, RequestFault } from '@tollgate/formats'
import { encodeRequest } from './encode-request.ts'

const nova = 'us.amazon.nova-2-lite-v1:0'
const llama = 'us.meta.llama4-scout-17b-instruct-v1:0'
const text = (words: string) => ({ type: 'text', text: words }) as const
const user = (words: string): Message => ({ role: 'user', parts: [text(words)] })
const bare: ChatRequest = {
  model: 'asked',
  stream: true,
  messages: [user('hi')],
  tools: [],
  sampling: { stop: [], candidates: 1 },
  options: {},
}
const tool = {
  type: 'function',
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: { q: { $ref: '#/$defs/q' } }, $defs: { q: { type: 'string' } } },
} as const
const png = {
  type: 'media',
  kind: 'image',
  source: { type: 'base64', mediaType: 'image/PNG', data: 'iVBO' },
} as const

function encode(more: Partial<ChatRequest>, model = nova) {
  return encodeRequest({ ...bare, ...more }, { model, streamOptions: false })
}
const body = (more: Partial<ChatRequest>, model = nova): Record<string, unknown> => ({
  ...encode(more, model).body,
})

function faultOf(more: Partial<ChatRequest>, model = nova): string | null {
  try {
    encode(more, model)
  } catch (error) {
    if (error instanceof RequestFault) return error.param
    throw error
  }
  throw new Error('it was encoded')
}

describe('encodeRequest of Converse', () => {
  it('says neither the model nor whether to stream', () => {
    expect(body({})).toEqual({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] })
  })

  it('makes turns: the user first, one per side, results first, no blank texts', () => {
    const messages: readonly Message[] = [
      { role: 'system', parts: [text('Be brief.'), text(' ')] },
      { role: 'assistant', parts: [text('Welcome.')] },
      user('a'),
      { role: 'system', parts: [text('Now in German.')] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', signature: { vendor: 'bedrock', value: 'c2ln' } },
          { type: 'reasoning', text: 'theirs', signature: { vendor: 'anthropic', value: 'x' } },
          { type: 'tool-call', id: 'call.1', name: 'look', arguments: '{"q":1}' },
          { type: 'tool-call', id: '', name: 'look', arguments: '' },
        ],
      },
      {
        role: 'user',
        parts: [text('and?'), { type: 'tool-result', callId: 'call.1', content: [text('one'), png] }],
      },
      {
        role: 'user',
        parts: [{ type: 'tool-result', callId: '', name: 'look', content: [text('bad')], isError: true }],
      },
    ]
    expect(body({ messages, tools: [tool] })).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: '...' }] },
        { role: 'assistant', content: [{ text: 'Welcome.' }] },
        { role: 'user', content: [{ text: 'a' }, { text: 'Now in German.' }] },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'hm', signature: 'c2ln' } } },
            { toolUse: { toolUseId: 'call.1', name: 'look', input: { q: 1 } } },
            { toolUse: { toolUseId: 'toolu_1', name: 'look', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              toolResult: {
                toolUseId: 'call.1',
                content: [{ text: 'one' }, { image: { format: 'png', source: { bytes: 'iVBO' } } }],
              },
            },
            { toolResult: { toolUseId: 'toolu_1', content: [{ text: 'bad' }], status: 'error' } },
            { text: 'and?' },
          ],
        },
      ],
      toolConfig: {
        // Amazon's own models take type, properties and required alone.
        tools: [
          {
            toolSpec: {
              name: 'look',
              description: 'Looks',
              inputSchema: { json: { type: 'object', properties: { q: { type: 'string' } } } },
            },
          },
        ],
      },
    })
  })

  it('gives documents names of their own, and a text beside them', () => {
    const pdf = (filename: string) =>
      ({
        type: 'media',
        kind: 'document',
        filename,
        source: { type: 'base64', mediaType: 'application/pdf', data: 'JVBE' },
      }) as const
    const plain = { type: 'media', kind: 'document', source: { type: 'text', text: 'words' } } as const
    const messages: readonly Message[] = [{ role: 'user', parts: [pdf('a_b  c.pdf'), pdf('a/b/c'), plain] }]
    expect(body({ messages }).messages).toEqual([
      {
        role: 'user',
        content: [
          { document: { format: 'pdf', name: 'a b c', source: { bytes: 'JVBE' } } },
          { document: { format: 'pdf', name: 'a b c 2', source: { bytes: 'JVBE' } } },
          { document: { format: 'txt', name: 'document', source: { text: 'words' } } },
          { text: '...' },
        ],
      },
    ])
  })

  it('marks what is to be cached where the model keeps it', () => {
    const messages: readonly Message[] = [
      { role: 'system', parts: [{ ...text('long'), cache: { ttl: '1h' } }] },
      user('hi'),
    ]
    const marked = { ...tool, cache: { ttl: '5m' } } as const
    const mark = { cachePoint: { type: 'default' } }
    expect(body({ messages }).system).toEqual([{ text: 'long' }, mark])
    expect(body({ messages }, 'arn:aws:x/claude').system).toEqual([
      { text: 'long' },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ])
    expect(encode({ tools: [marked] }).dropped).toEqual(['cache'])
    expect(encode({ messages }, llama)).toMatchObject({
      body: { system: [{ text: 'long' }] },
      dropped: ['cache'],
    })
  })

  it('says the choice among tools as far as the model takes one', () => {
    const choice = (toolChoice: ChatRequest['toolChoice'], model = nova) =>
      body({ tools: [tool], ...(toolChoice && { toolChoice }) }, model).toolConfig
    expect(choice({ type: 'required' })).toMatchObject({ toolChoice: { any: {} } })
    expect(choice({ type: 'tool', name: 'look' })).toMatchObject({ toolChoice: { tool: { name: 'look' } } })
    expect(choice({ type: 'auto' })).not.toHaveProperty('toolChoice')
    expect(choice({ type: 'none' })).toBeUndefined()
    const named = { type: 'tool', name: 'look' } as const
    expect(faultOf({ tools: [tool], toolChoice: { type: 'required' } }, llama)).toBe('tool_choice')
    expect(faultOf({ tools: [tool], toolChoice: named }, 'mistral.mistral-large-2407-v1:0')).toBe(
      'tool_choice',
    )
  })

  it('declares the tools of a conversation that has called some', () => {
    const messages: readonly Message[] = [
      user('hi'),
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'look', arguments: '{}' }] },
      { role: 'user', parts: [{ type: 'tool-result', callId: 'c', content: [text('x')] }] },
    ]
    const { toolConfig, system } = body({ messages })
    expect(toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object' } } } }],
    })
    expect(system).toHaveLength(1)
    expect(body({ messages, tools: [tool], toolChoice: { type: 'none' } }).toolConfig).not.toHaveProperty(
      'toolChoice',
    )
  })

  it('asks for a schema by a tool, or in words where no tool can be forced', () => {
    const outputFormat = {
      type: 'json-schema',
      name: 'a',
      schema: { type: 'object', properties: {} },
    } as const
    expect(body({ outputFormat }).toolConfig).toMatchObject({
      tools: [{ toolSpec: { name: outputToolName, inputSchema: { json: outputFormat.schema } } }],
      toolChoice: { tool: { name: outputToolName } },
    })
    expect(body({ outputFormat, tools: [tool] }).toolConfig).toMatchObject({ toolChoice: { any: {} } })
    expect(JSON.stringify(body({ outputFormat }, llama).system)).toContain('JSON Schema')
    expect(body({ outputFormat }, llama).toolConfig).toBeUndefined()
    const list = { type: 'array', items: { type: 'string' } }
    expect(body({ outputFormat: { ...outputFormat, schema: list } }).toolConfig).toMatchObject({
      tools: [{ toolSpec: { inputSchema: { json: { properties: { tollgate_value: list } } } } }],
    })
  })

  it('leaves out what a model takes no schema of, and says so', () => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false, title: 't' }
    const tools = [{ ...tool, parameters }] as const
    expect(encode({ tools }).dropped).toEqual(['tools[0].parameters (additionalProperties)'])
    expect(encode({ tools }, 'us.anthropic.claude-sonnet-4-6')).toMatchObject({
      body: { toolConfig: { tools: [{ toolSpec: { inputSchema: { json: parameters } } }] } },
      dropped: [],
    })
  })

  it('says limits and knobs, and the fields that are a model’s own', () => {
    const sampling = { stop: ['END', ''], candidates: 1, temperature: 1.4, topP: 0.9, topK: 20, seed: 7 }
    expect(encode({ sampling, maxOutputTokens: 50 })).toEqual({
      body: {
        messages: [{ role: 'user', content: [{ text: 'hi' }] }],
        inferenceConfig: { maxTokens: 50, temperature: 1, topP: 0.9, stopSequences: ['END'] },
        additionalModelRequestFields: { inferenceConfig: { topK: 20 } },
      },
      dropped: ['seed'],
    })
    expect(encode({ sampling }, llama).dropped).toEqual(['seed', 'topK'])
    expect(
      body({ reasoning: { effort: 'low' } }, 'openai.gpt-oss-120b-1:0').additionalModelRequestFields,
    ).toEqual({
      reasoning_effort: 'low',
    })
    expect(
      encode({ reasoning: { budgetTokens: 9000 }, maxOutputTokens: 5, sampling: { ...sampling, stop: [] } }),
    ).toMatchObject({
      body: {
        additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
      },
      dropped: ['seed', 'maxOutputTokens', 'temperature', 'topP'],
    })
    expect(encode({ reasoning: { effort: 'high' } }, llama).dropped).toEqual(['reasoning'])
    expect(body({ options: { serviceTier: 'flex' } }).serviceTier).toEqual({ type: 'flex' })
  })

  it('refuses what would change the response, by the name of the field', () => {
    const media = (kind: 'image' | 'audio' | 'video', source: unknown): Partial<ChatRequest> => ({
      messages: [{ role: 'user', parts: [{ type: 'media', kind, source } as never] }],
    })
    const position = 'messages[0].content[0]'
    expect(faultOf(media('image', { type: 'url', url: 'https://a.example/b.png' }))).toBe(position)
    expect(faultOf(media('image', { type: 'base64', mediaType: 'image/tiff', data: '' }))).toBe(position)
    expect(faultOf(media('audio', { type: 'base64', mediaType: 'audio/wav', data: '' }))).toBe(position)
    expect(faultOf(media('video', { type: 'base64', mediaType: 'video/mp4', data: '' }), llama)).toBe(
      position,
    )
    expect(faultOf({ sampling: { stop: [], candidates: 2 } })).toBe('n')
    expect(faultOf({ options: { modalities: ['audio'] } })).toBe('modalities')
  })
})
