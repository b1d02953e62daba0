import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import type { UpstreamCodec } from '../canonical/codec.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { gemini } from '../gemini/codec.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { StreamMeter } from '../streams/stream-meter.ts'
import { serviceOf, toolCallsOf, toolKindOf } from './charged-tools.ts'

function costsOf(codec: UpstreamCodec, body: object) {
  const reading = codec.decodeResponse(body)
  if (!reading.ok || reading.response.usage === undefined) throw new Error('no usage was read')
  const { toolCalls, service } = reading.response.usage
  return { toolCalls, service }
}

/** What a meter knows after so many events of a stream. */
function metered(codec: UpstreamCodec, events: readonly object[]): StreamMeter {
  const meter = new StreamMeter()
  const state = codec.decodeStream.start()
  const parts: ChatPart[] = events.flatMap((event) => [
    ...codec.decodeStream.step(state, { event: '', data: JSON.stringify(event) }),
  ])
  for (const part of parts) meter.take(part)
  return meter
}

const chat = (more: object, usage: object = {}) => ({
  id: 'c',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, ...usage },
  ...more,
})

const message = (usage: object, blocks: readonly object[] = []) => ({
  id: 'msg',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [...blocks, { type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 2, ...usage },
})

const text = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }
const response = (output: readonly object[], more: object = {}) => ({
  id: 'resp',
  object: 'response',
  status: 'completed',
  output: [...output, text],
  usage: { input_tokens: 10, output_tokens: 2 },
  ...more,
})
const searched = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } }
const opened = { type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: 'x' } }

const grounded = (model: string, queries: readonly string[], chunks: readonly object[] = []) => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text: 'Hi' }] },
      finishReason: 'STOP',
      groundingMetadata: { webSearchQueries: queries, groundingChunks: chunks },
    },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, trafficType: 'ON_DEMAND' },
  modelVersion: model,
})

describe('a chat completion', () => {
  it('names its tier, and the usual one as such', () => {
    expect(costsOf(openAiChat, chat({ service_tier: 'priority' })).service).toEqual({ tier: 'priority' })
    expect(costsOf(openAiChat, chat({ service_tier: 'default' })).service).toEqual({ tier: 'standard' })
    expect(costsOf(openAiChat, chat({})).service).toBeUndefined()
    expect(costsOf(openAiChat, chat({ service_tier: 'auto' })).service).toBeUndefined()
    // OpenAI's newer name of the same tier.
    expect(costsOf(openAiChat, chat({ service_tier: 'fast' })).service).toEqual({ tier: 'priority' })
    expect(costsOf(openAiChat, chat({ service_tier: 'ultrafast' })).service).toEqual({ tier: 'ultrafast' })
  })

  it('counts what xAI and Qwen ran', () => {
    const details = { web_search_calls: 2, x_search_calls: 1, mcp_calls: 4 }
    const usage = { num_sources_used: 0, server_side_tool_usage_details: details }
    expect(costsOf(openAiChat, chat({}, usage)).toolCalls).toEqual({ web_search: 2, x_search: 1 })
    expect(costsOf(openAiChat, chat({}, { plugins: { search: { count: 1 } } })).toolCalls).toEqual({
      web_search: 1,
    })
  })

  it.each([
    [
      { x_tools: { web_search: { count: 2 }, code_interpreter: { count: 1 } } },
      { web_search: 2, code_interpreter: 1 },
    ],
    [{ tool_usage: { web_search: 3, image_process: 1 } }, { web_search: 3 }],
    [{ server_tool_use: { web_search_requests: 4 } }, { web_search: 4 }],
    [{ server_side_tool_usage_details: { document_search_calls: 2 } }, { attachment_search: 2 }],
    [{ num_sources_used: 7 }, { live_search: 7 }],
  ])('counts what its vendor reports as %j', (usage, counted) =>
    expect(costsOf(openAiChat, chat({}, usage)).toolCalls).toEqual(counted),
  )
})

describe('a response', () => {
  it('is charged for searches and not for looking into what they found', () => {
    expect(costsOf(openAiResponses, response([searched, opened, searched])).toolCalls).toEqual({
      web_search: 2,
    })
  })

  it('tells the older search by its tools, code by its containers, and pictures and files by their items', () => {
    const code = (id: string) => ({ type: 'code_interpreter_call', container_id: id })
    const output = [
      searched,
      code('a'),
      code('a'),
      code('b'),
      { type: 'file_search_call' },
      { type: 'image_generation_call' },
    ]
    const more = { tools: [{ type: 'web_search_preview_2025_03_11' }], service_tier: 'flex' }
    expect(costsOf(openAiResponses, response(output, more))).toEqual({
      toolCalls: { web_search_preview: 1, code_interpreter: 2, file_search: 1, image_generation: 1 },
      service: { tier: 'flex' },
    })
  })

  it('tells containers by their memory, which its tools name', () => {
    const code = { type: 'code_interpreter_call', container_id: 'a' }
    const tools = [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '16g' } }]
    expect(costsOf(openAiResponses, response([code, code], { tools })).toolCalls).toEqual({
      code_interpreter_16g: 1,
    })
  })

  it('has told its tools when its stream breaks off', () => {
    const done = { type: 'response.output_item.done', output_index: 0, item: searched }
    const created = { type: 'response.created', response: { id: 'resp', tools: [{ type: 'web_search' }] } }
    const cut = metered(openAiResponses, [created, done])
    expect([cut.usage, cut.toolCalls]).toEqual([undefined, { web_search: 1 }])
    const complete = metered(openAiResponses, [
      created,
      done,
      { type: 'response.completed', response: response([searched], { service_tier: 'default' }) },
    ])
    expect(complete.usage).toMatchObject({ toolCalls: { web_search: 1 }, service: { tier: 'standard' } })
  })
})

describe('a message', () => {
  it('counts searches and runs of code, and names tier, speed and place', () => {
    const usage = {
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2, code_execution_requests: 1 },
      service_tier: 'standard',
      speed: 'fast',
      inference_geo: 'us',
    }
    expect(costsOf(anthropicMessages, message(usage))).toEqual({
      toolCalls: { web_search: 3, code_execution: 1 },
      service: { tier: 'standard', speed: 'fast', geo: 'us' },
    })
    expect(costsOf(anthropicMessages, message({ inference_geo: 'not_available' })).service).toBeUndefined()
  })

  it('tells runs of code by its blocks alone in the newer versions, and searches by what is counted', () => {
    const ran = (name: string) => ({ type: 'server_tool_use', id: 's', name, input: {} })
    const blocks = [
      ran('bash_code_execution'),
      ran('text_editor_code_execution'),
      ran('web_search'),
      ran('web_fetch'),
    ]
    const usage = { server_tool_use: { web_search_requests: 0, web_fetch_requests: 1 } }
    expect(costsOf(anthropicMessages, message(usage, blocks)).toolCalls).toEqual({ code_execution: 2 })
    const { content: _, ...started } = message({})
    const stream = metered(anthropicMessages, [
      { type: 'message_start', message: { ...started, content: [] } },
      ...blocks.map((content_block, index) => ({ type: 'content_block_start', index, content_block })),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2, ...usage } },
    ])
    expect(stream.usage?.toolCalls).toEqual({ code_execution: 2 })
  })

  it('has told its tools when its stream breaks off', () => {
    const { content: _, ...started } = message({ service_tier: 'priority' })
    const cut = metered(anthropicMessages, [
      { type: 'message_start', message: { ...started, content: [] } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'H' } },
    ])
    expect(cut.toolCalls).toEqual({ web_search: 1 })
    expect(cut.latestUsage?.service).toEqual({ tier: 'priority' })
  })
})

describe('a response of Gemini', () => {
  it('is charged by the query, and before the third by the prompt', () => {
    const queries = ['a', 'b', 'b', '']
    expect(costsOf(gemini, grounded('gemini-3.1-pro-preview', queries))).toEqual({
      toolCalls: { google_search: 2 },
      service: { tier: 'standard' },
    })
    expect(costsOf(gemini, grounded('gemini-2.5-flash', queries)).toolCalls).toEqual({ google_search: 1 })
    expect(costsOf(gemini, grounded('gemini-2.5-flash', [])).toolCalls).toBeUndefined()
    const images = { groundingMetadata: { imageSearchQueries: ['c'], webSearchQueries: ['a'] } }
    const response = grounded('gemini-3.1-flash-image', [])
    const candidates = response.candidates.map((candidate) => ({ ...candidate, ...images }))
    expect(costsOf(gemini, { ...response, candidates }).toolCalls).toEqual({ google_search: 2 })
  })

  it('is charged for places once', () => {
    const chunks = [{ maps: { uri: 'x' } }, { maps: { uri: 'y' } }]
    expect(costsOf(gemini, grounded('gemini-2.5-flash', [], chunks)).toolCalls).toEqual({ google_maps: 1 })
  })

  it('may come in any chunk of the stream, and counts once for each query', () => {
    const meter = metered(gemini, [
      grounded('gemini-3-flash-preview', ['a']),
      grounded('gemini-3-flash-preview', ['a', 'b']),
    ])
    expect(meter.usage?.toolCalls).toEqual({ google_search: 2 })
  })
})

describe('words of vendors', () => {
  it('are the same tool in every release, and none for what nobody prices', () => {
    for (const name of ['web_search', 'web_search_20250305', 'web_search_2025_08_26'])
      expect(toolKindOf(name)).toBe('web_search')
    expect(toolKindOf('web_search_preview_2025_03_11')).toBe('web_search_preview')
    expect(toolKindOf('googleSearchRetrieval')).toBe('google_search')
    for (const name of ['', 'computer', 'constructor', 'plugins', 'web_fetch_20250910'])
      expect(toolKindOf(name)).toBeUndefined()
  })

  it('are no counts where they are negative, broken or of another type, and never absurd', () => {
    expect(
      toolCallsOf({ web_search: -1, x_search: 1.5, file_search: '3', google_maps: null }),
    ).toBeUndefined()
    expect(toolCallsOf({ web_search: 10 ** 9 })).toEqual({ web_search: 1000 })
  })

  it('name nothing where nobody knows them', () => {
    expect(serviceOf({ tier: 'auto', speed: 7, geo: 'mars' })).toBeUndefined()
    expect(serviceOf({ tier: 'us', speed: 'priority', geo: 'fast' })).toBeUndefined()
    expect(serviceOf({ tier: 'ON_DEMAND_PRIORITY' })).toEqual({ tier: 'priority' })
  })
})
