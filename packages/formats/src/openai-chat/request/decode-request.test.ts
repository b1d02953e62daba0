import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { RequestFault } from '../../canonical/codec.ts'
import type { ChatRequest } from '../../canonical/request.ts'
import { openAiChat } from '../codec.ts'

const decode = (body: object): ChatRequest => openAiChat.decodeRequest({ ...body } as never, {})
const user = { role: 'user', content: 'hi' }
const messagesOf = (...messages: readonly object[]) => decode({ model: 'm', messages }).messages

function fault(body: object): RequestFault {
  try {
    decode(body)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error(`no fault in ${JSON.stringify(body)}`)
}

describe('decodeRequest of openAiChat', () => {
  it('reads the second turn of an agent: reasoning, calls, and results as parts', () => {
    const messages = messagesOf(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'List.', cache_control: { type: 'ephemeral' } }] },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I look.',
        reasoning: 'I look.',
        tool_calls: [
          { id: 'a', type: 'function', index: 0, function: { name: 'ls', arguments: '{"at":"."}' } },
          { id: 'b', type: 'function', index: 1, function: { name: 'pwd', arguments: '' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [
          { type: 'text', text: 'x' },
          { type: 'text', text: 'y' },
        ],
      },
      { role: 'tool', tool_call_id: 'b', content: '/' },
    )
    expect(messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'List.', cache: { ttl: '5m' } }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'I look.' },
          { type: 'tool-call', id: 'a', name: 'ls', arguments: '{"at":"."}' },
          { type: 'tool-call', id: 'b', name: 'pwd', arguments: '{}' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            callId: 'a',
            content: [
              { type: 'text', text: 'x' },
              { type: 'text', text: 'y' },
            ],
          },
          { type: 'tool-result', callId: 'b', content: [{ type: 'text', text: '/' }] },
        ],
      },
    ])
  })

  it('gives signatures that came through callers of this format back to their vendors', () => {
    const [message] = messagesOf({
      role: 'assistant',
      content: 'Done.',
      reasoning_content: 'Plan.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Plan.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
        { type: 'reasoning.encrypted', data: 'cmVk', format: 'anthropic-claude-v1', index: 1 },
        { type: 'reasoning.encrypted', data: 'unknown', format: 'somebody-v9', index: 2 },
      ],
      extra_content: { google: { thought_signature: 'dGV4dA' } },
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: { name: 'look', arguments: '{}' },
          extra_content: { google: { thought_signature: 'Y2FsbA' } },
        },
      ],
    })
    expect(message?.parts).toEqual([
      { type: 'reasoning', text: 'Plan.', signature: { vendor: 'anthropic', value: 'c2ln' } },
      { type: 'reasoning', text: '', encrypted: { vendor: 'anthropic', value: 'cmVk' } },
      { type: 'text', text: 'Done.', signature: { vendor: 'gemini', value: 'dGV4dA' } },
      {
        type: 'tool-call',
        id: 'c',
        name: 'look',
        arguments: '{}',
        signature: { vendor: 'gemini', value: 'Y2FsbA' },
      },
    ])
  })

  it('reads media of every kind', () => {
    const [message] = messagesOf({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'low' } },
        { type: 'image_url', image_url: 'https://a.example/b.jpg' },
        { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'video_url', video_url: { url: 'https://a.example/c.mp4' } },
      ],
    })
    expect(message?.parts).toEqual([
      {
        type: 'media',
        kind: 'image',
        source: { type: 'base64', mediaType: 'image/png', data: 'aGk=' },
        detail: 'low',
      },
      { type: 'media', kind: 'image', source: { type: 'url', url: 'https://a.example/b.jpg' } },
      { type: 'media', kind: 'audio', source: { type: 'base64', mediaType: 'audio/mpeg', data: 'aGk=' } },
      {
        type: 'media',
        kind: 'document',
        source: { type: 'base64', mediaType: 'application/pdf', data: 'aGk=' },
        filename: 'a.pdf',
      },
      { type: 'media', kind: 'document', source: { type: 'file', format: 'openai-chat', id: 'file-1' } },
      { type: 'media', kind: 'video', source: { type: 'url', url: 'https://a.example/c.mp4' } },
    ])
  })

  it('reads options, and keeps what has no canonical form for its own format', () => {
    const request = decode({
      model: 'm',
      messages: [user],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 1,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      stop: 'END',
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      max_tokens: 5,
      max_completion_tokens: 9,
      user: 'u',
      metadata: { a: 'b' },
      service_tier: 'flex',
      prompt_cache_key: 'k',
      verbosity: 'low',
      modalities: ['text', 'audio'],
      audio: { voice: 'alloy', format: 'wav' },
      parallel_tool_calls: false,
      reasoning_effort: 'high',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', schema: { type: 'object' }, strict: true },
      },
      store: false,
      logit_bias: null,
    })
    expect(request).toMatchObject({
      model: 'm',
      stream: true,
      parallelToolCalls: false,
      outputFormat: { type: 'json-schema', name: 's', schema: { type: 'object' }, strict: true },
      reasoning: { effort: 'high', includeThoughts: true },
      sampling: { temperature: 1, topP: 0.9, topK: 40, seed: 7, stop: ['END'], candidates: 2, logprobs: 3 },
      maxOutputTokens: 9,
      options: {
        user: 'u',
        metadata: { a: 'b' },
        serviceTier: 'flex',
        promptCacheKey: 'k',
        verbosity: 'low',
        modalities: ['text', 'audio'],
      },
    })
    expect(request.vendor).toEqual({
      format: 'openai-chat',
      fields: { audio: { voice: 'alloy', format: 'wav' }, store: false },
    })
  })

  it("reads tools, tools of OpenAI's own, functions of the legacy field, and every choice among them", () => {
    const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: true }
    const custom = { type: 'custom', custom: { name: 'patch', format: { type: 'text' } } }
    const { tools } = decode({
      model: 'm',
      messages: [user],
      tools: [{ type: 'function', function: look }, custom],
      functions: [{ name: 'old' }],
    })
    expect(tools).toEqual([
      { type: 'function', ...look },
      { type: 'vendor', format: 'openai-chat', name: 'patch', definition: custom },
      { type: 'function', name: 'old' },
    ])
    const choices = [
      ['auto', { type: 'auto' }],
      ['required', { type: 'required' }],
      ['any', { type: 'required' }],
      ['validated', { type: 'auto' }],
      [
        { type: 'function', function: { name: 'look' } },
        { type: 'tool', name: 'look' },
      ],
      [
        { type: 'custom', custom: { name: 'patch' } },
        { type: 'tool', name: 'patch' },
      ],
      [
        {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'look' } }] },
        },
        { type: 'allowed', names: ['look'], required: true },
      ],
    ] as const
    for (const [tool_choice, expected] of choices)
      expect(decode({ model: 'm', messages: [user], tool_choice }).toolChoice).toEqual(expected)
    const legacy = decode({ model: 'm', messages: [user], function_call: { name: 'old' } })
    expect(legacy.toolChoice).toEqual({ type: 'tool', name: 'old' })
  })

  it('reads how hard to think in each of its spellings', () => {
    const reasoningOf = (body: object) => decode({ model: 'm', messages: [user], ...body }).reasoning
    expect(reasoningOf({})).toBeUndefined()
    expect(reasoningOf({ reasoning_effort: 'none' })).toEqual({ effort: 'none' })
    expect(reasoningOf({ reasoning: { enabled: false } })).toEqual({ effort: 'none' })
    expect(reasoningOf({ reasoning: { max_tokens: 2000, exclude: true } })).toEqual({
      budgetTokens: 2000,
      includeThoughts: false,
    })
    expect(reasoningOf({ reasoning: { enabled: true } })).toEqual({ includeThoughts: true })
  })

  it('takes the model of the path when the body names none', () => {
    expect(openAiChat.decodeRequest({ messages: [user] }, { model: 'p' }).model).toBe('p')
    expect(openAiChat.inspectRequest({ messages: [user], model: 'b' }, { model: 'p' }).model).toBe('b')
  })

  it('names the field that is at fault', () => {
    const base = { model: 'm', messages: [user] }
    const call = (stated: object) => ({ ...base, messages: [user, { role: 'assistant', ...stated }] })
    const part = (stated: unknown) => ({ ...base, messages: [{ role: 'user', content: [stated] }] })
    const faults: readonly (readonly [object, string])[] = [
      [{ messages: [user] }, 'model'],
      [{ model: 'm' }, 'messages'],
      [{ ...base, messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
      [part({ type: 'hologram' }), 'messages[0].content[0].type'],
      [part({}), 'messages[0].content[0].type'],
      [part({ type: 'constructor' }), 'messages[0].content[0].type'],
      [part({ type: 'text', text: 5 }), 'messages[0].content[0].text'],
      [part({ type: 'image_url' }), 'messages[0].content[0].image_url'],
      [part({ type: 'image_url', image_url: { url: 5 } }), 'messages[0].content[0].image_url.url'],
      [
        part({ type: 'input_audio', input_audio: { format: 'wav' } }),
        'messages[0].content[0].input_audio.data',
      ],
      [part({ type: 'file', file: {} }), 'messages[0].content[0].file.file_data'],
      [call({ tool_calls: {} }), 'messages[1].tool_calls'],
      [call({ tool_calls: [{ function: { name: 'x' } }] }), 'messages[1].tool_calls[0].id'],
      [call({ tool_calls: [{ id: 'a', function: {} }] }), 'messages[1].tool_calls[0].function.name'],
      [
        call({ tool_calls: [{ id: 'a', function: { name: 'x', arguments: 5 } }] }),
        'messages[1].tool_calls[0].function.arguments',
      ],
      [{ ...base, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
      [
        { ...base, messages: [{ role: 'system', content: [{ type: 'video_url', video_url: 'x' }] }] },
        'messages[0].content[0]',
      ],
      [{ ...base, tools: {} }, 'tools'],
      [{ ...base, tools: [{ type: 'function' }] }, 'tools[0].function'],
      [
        { ...base, tools: [{ type: 'function', function: { name: 'x', parameters: [] } }] },
        'tools[0].function.parameters',
      ],
      [{ ...base, tool_choice: 'maybe' }, 'tool_choice'],
      [{ ...base, tool_choice: { type: 'function' } }, 'tool_choice.function'],
      [{ ...base, response_format: { type: 'xml' } }, 'response_format.type'],
      [{ ...base, response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
      [{ ...base, reasoning_effort: 'extreme' }, 'reasoning_effort'],
      [{ ...base, stop: [1] }, 'stop[0]'],
      [{ ...base, seed: 1.5 }, 'seed'],
      [{ ...base, modalities: ['smell'] }, 'modalities[0]'],
      [{ ...base, max_tokens: 2 ** 31 }, 'max_tokens'],
    ]
    for (const [body, param] of faults) expect([fault(body).param, param]).toEqual([param, param])
  })

  it('reads the switches of thinking that vendors of this format have, unless an effort is beside them', () => {
    const off = { effort: 'none' }
    const on = (budgetTokens: number) => ({ budgetTokens, includeThoughts: true })
    const switches: readonly (readonly [object, object | undefined, readonly string[]])[] = [
      [{ thinking: { type: 'disabled' } }, off, []],
      [{ thinking: { type: 'enabled' } }, on(-1), []],
      [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, on(2000), []],
      [{ thinking: { type: 'adaptive' } }, { budgetTokens: -1 }, []],
      [{ enable_thinking: false }, off, []],
      [{ enable_thinking: true, thinking_budget: 500 }, on(500), []],
      [{ chat_template_kwargs: { enable_thinking: false } }, off, []],
      [{ chat_template_kwargs: { thinking: true } }, on(-1), []],
      [{ thinking: { type: 'strange' } }, undefined, ['thinking']],
      [{ chat_template_kwargs: { add_generation_prompt: true } }, undefined, ['chat_template_kwargs']],
      [
        { thinking: { type: 'disabled' }, reasoning_effort: 'low' },
        { effort: 'low', includeThoughts: true },
        ['thinking'],
      ],
    ]
    for (const [fields, reasoning, left] of switches) {
      const request = decode({ model: 'm', messages: [user], ...fields })
      expect([fields, request.reasoning]).toEqual([fields, reasoning as never])
      expect(Object.keys(request.vendor?.fields ?? {})).toEqual([...left])
    }
  })

  it('reads a text file as its text, and any other by its bytes', () => {
    const fileOf = (file_data: string) =>
      messagesOf({ role: 'user', content: [{ type: 'file', file: { filename: 'a', file_data } }] })[0]?.parts
    const file = { type: 'media', kind: 'document', filename: 'a' } as const
    for (const type of ['text/plain', 'text/csv', 'text/x-python', 'application/json', 'TEXT/HTML'])
      expect(fileOf(`data:${type};base64,w6QK`)).toEqual([{ ...file, source: { type: 'text', text: 'ä\n' } }])
    for (const type of ['application/pdf', 'application/zip'])
      expect(fileOf(`data:${type};base64,w6QK`)).toEqual([
        { ...file, source: { type: 'base64', mediaType: type, data: 'w6QK' } },
      ])
  })

  it('leaves out stop sequences without a character, which stop nothing', () => {
    const stopOf = (stop: unknown) => decode({ model: 'm', messages: [user], stop }).sampling.stop
    expect([stopOf(''), stopOf(['', ' ', 'x']), stopOf('x')]).toEqual([[], [' ', 'x'], ['x']])
  })

  it('answers every body with a request or a fault, never with an error of its own', () => {
    const fields = [
      'model',
      'messages',
      'tools',
      'tool_choice',
      'functions',
      'function_call',
      'response_format',
      'reasoning',
      'reasoning_effort',
      'stop',
      'n',
      'logprobs',
      'top_logprobs',
      'max_tokens',
      'user',
      'metadata',
      'service_tier',
      'verbosity',
      'modalities',
      'seed',
      'top_k',
      'stream',
    ]
    const inner = [
      'role',
      'content',
      'type',
      'text',
      'image_url',
      'url',
      'file',
      'tool_calls',
      'function',
      'name',
      'arguments',
      'id',
      'reasoning_details',
      'audio',
      'images',
      'cache_control',
      'tool_call_id',
      'refusal',
    ]
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.constantFrom('user', 'assistant', 'tool', 'text', 'image_url', 'function', 'file', 'auto'),
        fc.dictionary(fc.constantFrom(...inner), tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    })).value
    const message = fc.record(
      {
        role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
        content: value,
        tool_calls: value,
        tool_call_id: value,
      },
      { requiredKeys: ['role'] },
    )
    const body = fc
      .tuple(
        fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 4 }),
        fc.array(message, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
      )
      .map(([more, messages, complete]) => (complete ? { ...more, model: 'm', messages } : more))
    fc.assert(
      fc.property(body, (each) => {
        openAiChat.promptOf(each)
        try {
          decode(each)
        } catch (error) {
          expect(error).toBeInstanceOf(RequestFault)
          expect((error as RequestFault).param).not.toBe('')
        }
      }),
      { numRuns: 2000 },
    )
  })
})
