import { describe, expect, it } from 'bun:test'
import { chatCodecs } from '../../../codecs.ts'
import type { JsonObject } from '../../../json/value.ts'
import { inOwnWords } from './index.ts'

const model = 'gpt-5.5'
const user = { role: 'user', content: 'Read it.' }
const schema = { type: 'object', properties: { path: { type: 'string' } } }
const grammar = { syntax: 'lark', definition: 'start: "a"' }
const mark = { cache_control: { type: 'ephemeral' } }
const png = 'data:image/png;base64,iVBORw0KGgo='
const pdf = 'data:application/pdf;base64,JVBERi0='

const ownTool = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema } }
const ownCall = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a"}' },
})
const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const text = (words: string) => ({ type: 'text', text: words })
const base64 = (media_type: string, data: string) => ({ type: 'base64', media_type, data })

const withTools = (...tools: readonly JsonObject[]) => ({ model, messages: [user], tools })
const withChoice = (tool_choice: unknown) => ({ ...withTools(ownTool), tool_choice })
const withContent = (...content: readonly JsonObject[]) => ({ model, messages: [{ role: 'user', content }] })
const withInput = (...input: readonly JsonObject[]) => ({ model, input: [user, ...input] })
const withMessages = (...messages: readonly JsonObject[]) => ({ model, messages: [user, ...messages] })

const used = { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } }
const called = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' }
const output = { type: 'function_call_output', call_id: 'c1', output: 'A' }
const answered = { role: 'tool', tool_call_id: 'c1', content: 'A' }

/** Bodies that clients write in the words of other formats, each with the same in this format's own. */
const written: readonly (readonly [string, JsonObject, JsonObject])[] = [
  [
    'a flat function',
    withTools({ type: 'function', name: 'read', description: 'Reads.', parameters: schema, strict: true }),
    withTools({ ...ownTool, function: { ...ownTool.function, strict: true } }),
  ],
  [
    'flat functions beside nested ones',
    withTools(ownTool, { type: 'function', name: 'stop', parameters: schema }),
    withTools(ownTool, { type: 'function', function: { name: 'stop', parameters: schema } }),
  ],
  [
    'a flat custom tool with a grammar',
    withTools({ type: 'custom', name: 'ApplyPatch', format: { type: 'grammar', ...grammar } }),
    withTools({ type: 'custom', custom: { name: 'ApplyPatch', format: { type: 'grammar', grammar } } }),
  ],
  [
    "a tool of Anthropic's",
    withTools({ name: 'read', description: 'Reads.', input_schema: schema, ...mark }),
    withTools({ ...ownTool, ...mark }),
  ],
  [
    'a flat choice',
    withChoice({ type: 'function', name: 'read' }),
    withChoice({ type: 'function', function: { name: 'read' } }),
  ],
  [
    "a choice of Anthropic's",
    withChoice({ type: 'tool', name: 'read', disable_parallel_tool_use: true }),
    { ...withChoice({ type: 'function', function: { name: 'read' } }), parallel_tool_calls: false },
  ],
  ["Anthropic's any", withChoice({ type: 'any' }), withChoice('required')],
  ["Anthropic's auto", withChoice({ type: 'auto' }), withChoice('auto')],
  [
    'calls and results in blocks',
    withMessages(
      { role: 'assistant', content: [text('I read.'), used] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [text('A'), { type: 'image', source: base64('image/png', 'iVBORw0KGgo=') }],
          },
          { ...text('Go on.'), ...mark },
        ],
      },
    ),
    withMessages(
      { role: 'assistant', content: [text('I read.')], tool_calls: [ownCall('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: [text('A')] },
      { role: 'user', content: [image(png), { ...text('Go on.'), ...mark }] },
    ),
  ],
  [
    'a call and a result alone',
    withMessages(
      { role: 'assistant', content: [used] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A' }] },
    ),
    withMessages({ role: 'assistant', content: null, tool_calls: [ownCall('c1')] }, answered),
  ],
  [
    'images and documents in blocks',
    withContent(
      { type: 'image', source: base64('image/png', 'iVBORw0KGgo='), ...mark },
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      { type: 'document', source: base64('application/pdf', 'JVBERi0='), title: 'a.pdf' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
    ),
    withContent(
      { ...image(png), ...mark },
      image('https://a.example/b.png'),
      { type: 'file', file: { file_data: pdf, filename: 'a.pdf' } },
      text('plain'),
    ),
  ],
  [
    'parts of Responses',
    withContent(
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: png, detail: 'low' },
      { type: 'input_file', file_data: pdf, filename: 'a.pdf' },
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
      { type: 'input_file', file_id: 'file-1' },
    ),
    withContent(
      text('a'),
      { type: 'image_url', image_url: { url: png, detail: 'low' } },
      { type: 'file', file: { file_data: pdf, filename: 'a.pdf' } },
      { type: 'file', file: { file_data: 'https://a.example/b.pdf' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ),
  ],
  ['a text as input', { model, input: 'Read it.' }, { model, messages: [user] }],
  [
    'a body of Responses',
    {
      ...withInput(),
      instructions: 'Be brief.',
      stream: true,
      stream_options: { include_usage: true },
      include: ['reasoning.encrypted_content'],
      store: false,
      truncation: 'disabled',
      previous_response_id: null,
      max_output_tokens: 99,
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'n', schema, strict: true }, verbosity: 'low' },
      tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: schema }],
      tool_choice: 'auto',
      temperature: 1,
    },
    {
      model,
      messages: [{ role: 'system', content: 'Be brief.' }, user],
      stream: true,
      stream_options: { include_usage: true },
      previous_response_id: null,
      max_completion_tokens: 99,
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
      verbosity: 'low',
      tools: [ownTool],
      tool_choice: 'auto',
      temperature: 1,
    },
  ],
  [
    'items of Responses',
    withInput(
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I read.' }] },
      called,
      { type: 'custom_tool_call', call_id: 'c2', name: 'ApplyPatch', input: '*** Begin' },
      output,
      {
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [{ type: 'input_text', text: 'B' }],
      },
    ),
    withMessages(
      {
        role: 'assistant',
        content: [text('I read.')],
        tool_calls: [
          ownCall('c1'),
          { id: 'c2', type: 'custom', custom: { name: 'ApplyPatch', input: '*** Begin' } },
        ],
      },
      answered,
      { role: 'tool', tool_call_id: 'c2', content: [text('B')] },
    ),
  ],
  [
    'items between a call and its result',
    withInput(called, { role: 'assistant', content: 'Wait.' }, { role: 'user', content: 'Yes?' }, output),
    withMessages({ role: 'assistant', content: 'Wait.', tool_calls: [ownCall('c1')] }, answered, {
      role: 'user',
      content: 'Yes?',
    }),
  ],
  [
    "blocks of Anthropic's among the input",
    withInput(
      { role: 'assistant', content: [used] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A' }] },
    ),
    withMessages({ role: 'assistant', content: null, tool_calls: [ownCall('c1')] }, answered),
  ],
]

function rewritten(body: JsonObject): JsonObject | undefined {
  return inOwnWords(body, () => body)
}

describe('a body of Chat Completions in the words of other formats', () => {
  it.each(written)('has %s in its own', (_name, other, own) => {
    expect(rewritten(other)).toEqual(own)
  })

  it.each(written)('is left as it is with %s in its own', (_name, _other, own) => {
    expect(rewritten(own)).toBeUndefined()
  })

  it.each(written)('is understood by every other format with %s', (_name, other) => {
    const request = chatCodecs['openai-chat'].decodeRequest(rewritten(other) ?? {}, {})
    expect(request.messages.length).toBeGreaterThan(0)
  })

  it('leaves tools and parts of vendors alone', () => {
    const tools = [
      { type: 'web_search_preview' },
      { type: 'web_search', web_search: { enable: true } },
      { type: 'builtin_function', function: { name: '$web_search' } },
      { type: 'web_search_20250305', name: 'web_search' },
      { googleSearch: {} },
      { type: 'custom', custom: { name: 'a' } },
    ]
    const content = [{ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }, { type: 'image' }]
    expect(rewritten({ ...withTools(...tools), ...withContent(...content) })).toBeUndefined()
  })

  it('refuses what Responses alone can say', () => {
    for (const [field, value] of [
      ['previous_response_id', 'resp_1'],
      ['conversation', 'conv_1'],
      ['prompt', { id: 'p' }],
      ['background', true],
    ] as const)
      expect(() => rewritten({ ...withInput(), [field]: value })).toThrow(`${field} is not supported`)
    expect(() => rewritten(withInput({ type: 'item_reference', id: 'x' }))).toThrow('input[1].type')
  })
})
