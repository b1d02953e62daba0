import { describe, expect, it } from 'bun:test'
import { RequestFault } from '../../canonical/codec.ts'
import type { ChatRequest } from '../../canonical/request.ts'
import type { JsonObject } from '../../json/value.ts'
import { wrapSignature } from '../../requests/foreign-signatures.ts'
import { openAiResponses } from '../codec.ts'

const decode = (body: JsonObject): ChatRequest =>
  openAiResponses.decodeRequest({ model: 'm', input: 'Hi', ...body }, {})
const messagesOf = (...input: readonly JsonObject[]) => decode({ input }).messages
const text = (value: string) => ({ type: 'text', text: value }) as const

function faultOf(body: JsonObject): RequestFault {
  try {
    decode(body)
  } catch (error) {
    if (error instanceof RequestFault) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('the conversation', () => {
  it('begins with the instructions', () => {
    expect(decode({ instructions: 'Be brief.' }).messages).toEqual([
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('Hi')] },
    ])
  })

  it('joins the items of one side: a turn with reasoning and parallel calls, and their outputs', () => {
    const messages = messagesOf(
      { role: 'user', content: 'Look.' },
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'gA',
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":1}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: '*** Begin' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
      { role: 'developer', content: 'Go on.' },
    )
    expect(messages).toEqual([
      { role: 'user', parts: [text('Look.')] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.', encrypted: { vendor: 'openai', value: 'gA' } },
          text('Looking.'),
          { type: 'tool-call', id: 'c1', name: 'look', arguments: '{"at":1}' },
          { type: 'tool-call', id: 'c2', name: 'patch', arguments: '{"input":"*** Begin"}' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: 'c1', content: [text('one')] },
          { type: 'tool-result', callId: 'c2', content: [text('two')] },
        ],
      },
      { role: 'system', parts: [text('Go on.')] },
    ])
  })

  it('gives other vendors their signatures back', () => {
    const signature = { vendor: 'gemini', value: 'Ci' } as const
    const marked = (kind: 'reasoning' | 'encrypted' | 'text' | 'tool-call' | 'unsigned', summary = '') => ({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: summary }],
      encrypted_content: wrapSignature(kind, kind === 'unsigned' ? undefined : signature),
    })
    const stated = { role: 'assistant', content: 'Hi' }
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '' }
    const [, message] = messagesOf(
      { role: 'user', content: 'Hi' },
      marked('reasoning', 'A'),
      marked('encrypted'),
      marked('unsigned', 'B'),
      marked('unsigned'),
      stated,
      marked('text'),
      marked('tool-call'),
      call,
    )
    expect(message?.parts).toEqual([
      { type: 'reasoning', text: 'A', signature },
      { type: 'reasoning', text: '', encrypted: signature },
      { type: 'reasoning', text: 'B' },
      { ...text('Hi'), signature },
      { type: 'tool-call', id: 'c', name: 'f', arguments: '{}', signature },
    ])
  })

  it('holds images, files and sounds', () => {
    const content = [
      { type: 'input_image', image_url: 'https://a.example/i', detail: 'low' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
      { type: 'input_file', file_id: 'file-1' },
      { type: 'input_file', file_url: 'https://a.example/f' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
    ]
    const [message] = messagesOf({ role: 'user', content })
    expect(message?.parts).toMatchObject([
      { kind: 'image', source: { type: 'url', url: 'https://a.example/i' }, detail: 'low' },
      { kind: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AA==' } },
      { kind: 'document', source: { type: 'file', format: 'openai-responses', id: 'file-1' } },
      { kind: 'document', source: { type: 'url', url: 'https://a.example/f' } },
      { kind: 'document', source: { type: 'base64', mediaType: 'application/pdf' }, filename: 'a.pdf' },
      { kind: 'audio', source: { type: 'base64', mediaType: 'audio/mpeg' } },
    ])
  })

  it('leaves out reasoning that only the vendor stores, and names items of its own tools', () => {
    const search = { type: 'web_search_call', id: 'ws', status: 'completed' }
    const request = decode({
      input: [{ type: 'reasoning', id: 'rs', summary: [] }, search, { role: 'user', content: 'Hi' }],
    })
    expect(request.messages).toEqual([{ role: 'user', parts: [text('Hi')] }])
    expect(request.vendor?.fields).toEqual({ 'input[1] (web_search_call)': search })
  })
})

describe('tools', () => {
  it('of namespaces get flat names, custom ones become functions with a text', () => {
    const { tools, toolChoice } = decode({
      tools: [
        { type: 'function', name: 'look', parameters: { type: 'object' }, strict: true },
        { type: 'namespace', name: 'files', tools: [{ type: 'function', name: 'read', parameters: null }] },
        {
          type: 'custom',
          name: 'patch',
          description: 'Edits.',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
        },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'function', namespace: 'files', name: 'read' },
    })
    expect(tools).toMatchObject([
      { type: 'function', name: 'look', strict: true },
      { type: 'function', name: 'files__read' },
      { type: 'function', name: 'patch', parameters: { required: ['input'] } },
      { type: 'vendor', format: 'openai-responses', name: 'web_search' },
    ])
    expect(tools[2]).toMatchObject({ description: expect.stringContaining('lark grammar:\nstart: "x"') })
    expect(toolChoice).toEqual({ type: 'tool', name: 'files__read' })
  })

  it('inside the conversation are tools like others', () => {
    const input = [
      { type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] },
      { role: 'user', content: 'x' },
    ]
    expect(decode({ input }).tools).toMatchObject([{ type: 'function', name: 'exec' }])
  })

  it('can be chosen from a few', () => {
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'look' }] }
    expect(decode({ tool_choice: allowed }).toolChoice).toEqual({
      type: 'allowed',
      names: ['look'],
      required: true,
    })
    expect(decode({ tool_choice: 'required' }).toolChoice).toEqual({ type: 'required' })
  })
})

it('reads how the response is wanted', () => {
  const request = decode({
    max_output_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    top_logprobs: 2,
    include: ['message.output_text.logprobs'],
    parallel_tool_calls: false,
    text: {
      verbosity: 'low',
      format: { type: 'json_schema', name: 'a', schema: { type: 'object' }, strict: true },
    },
    reasoning: { effort: 'high', summary: 'auto' },
    user: 'u',
    metadata: { a: 'b' },
    service_tier: 'flex',
    prompt_cache_key: 'k',
    store: true,
    truncation: 'auto',
    safety_identifier: 's',
  })
  expect(request).toMatchObject({
    maxOutputTokens: 100,
    parallelToolCalls: false,
    outputFormat: { type: 'json-schema', name: 'a', schema: { type: 'object' }, strict: true },
    reasoning: { effort: 'high', includeThoughts: true },
    sampling: { temperature: 0.5, topP: 0.9, logprobs: 2, stop: [], candidates: 1 },
    options: {
      user: 'u',
      metadata: { a: 'b' },
      serviceTier: 'flex',
      promptCacheKey: 'k',
      verbosity: 'low',
    },
    vendor: { format: 'openai-responses', fields: { safety_identifier: 's' } },
  })
})

describe('a request is refused, with the field named,', () => {
  const faults: readonly (readonly [string, JsonObject])[] = [
    ['input', { input: null }],
    ['input', { input: [] }],
    ['input', { input: 7 }],
    ['input[0]', { input: ['Hi'] }],
    ['input[0].role', { input: [{ content: 'Hi' }] }],
    ['input[0].content', { input: [{ role: 'user', content: 7 }] }],
    ['input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'x' }] }] }],
    ['input[0].call_id', { input: [{ type: 'function_call', name: 'f' }] }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['model', { model: '' }],
    ['stream', { stream: 'yes' }],
    ['background', { background: true }],
    ['max_output_tokens', { max_output_tokens: 'many' }],
    ['max_output_tokens', { max_output_tokens: -1 }],
    ['temperature', { temperature: 3 }],
    ['tools[0].type', { tools: [{ name: 'f' }] }],
    ['tools[0].tools[0].name', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] }],
    ['tool_choice', { tool_choice: 'some' }],
    ['text.format.type', { text: { format: { type: 'xml' } } }],
    ['reasoning.effort', { reasoning: { effort: 'hard' } }],
  ]
  it.each(faults)('at %s', (param, body) => {
    expect(faultOf(body).param).toBe(param)
  })
})

describe('a request to an upstream of this format', () => {
  const edits = (body: JsonObject, model = 'm') => {
    const request = { text: JSON.stringify(body), body } as never
    const facts = openAiResponses.inspectRequest(body, {})
    return Object.fromEntries(openAiResponses.nativeEdits(request, facts, { model, streamOptions: false }))
  }

  it('changes in the name of a mapped model alone', () => {
    const body = { model: 'm', input: 'Hi', previous_response_id: null, future: 1 }
    expect(edits(body)).toEqual({})
    expect(edits(body, 'mapped')).toEqual({ model: '"mapped"' })
    expect(edits({ ...body, max_output_tokens: 0 })).toEqual({ max_output_tokens: undefined })
  })

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'rs_1' }] }],
  ])('is refused where it asks for what the upstream keeps: %s', (param, more) => {
    expect(() => edits({ model: 'm', input: 'Hi', ...more })).toThrow(`${param} is not supported`)
  })

  it('loses what another vendor signed', () => {
    const own = { type: 'reasoning', summary: [], encrypted_content: 'gA' }
    const foreign = { ...own, encrypted_content: wrapSignature('unsigned') }
    const stated = { role: 'user', content: 'Hi' }
    expect(edits({ model: 'm', input: [own, foreign, stated] })).toEqual({
      input: JSON.stringify([own, stated]),
    })
  })
})

it('counts as its prompt whatever the model reads', () => {
  const prompt = openAiResponses.promptOf({
    instructions: 'a',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'b' },
          { type: 'input_image', image_url: 'u' },
          { type: 'input_file' },
        ],
      },
      { type: 'function_call', name: 'c', arguments: 'd' },
      { type: 'function_call_output', output: 'e' },
      { type: 'additional_tools', tools: [{ type: 'function', name: 'f' }] },
      7,
    ],
    tools: [{ type: 'namespace', tools: [{ type: 'custom', name: 'g', format: { definition: 'h' } }] }],
  })
  expect(prompt.messages.flatMap(({ texts }) => texts)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(prompt.messages[1]).toMatchObject({ images: [{ url: 'u' }], fileParts: 1 })
  expect(prompt.tools).toEqual(['gh'])
})
