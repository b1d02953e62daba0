import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import { serviceOf, toolCallsOf, toolKindOf } from '../canonical/charged-tools.ts'
import type { UpstreamCodec } from '../canonical/codec.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { gemini } from '../gemini/codec.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { StreamMeter } from '../streams/stream-meter.ts'

function costsOf(codec: UpstreamCodec, body: object) {
  const reading = codec.decodeResponse(body)
  if (!reading.ok || reading.response.usage === undefined) throw new Error('no usage was read')
  const { toolCalls, service } = reading.response.usage
  return { toolCalls, service }
}

/** Returns what the usage of a response says of tools and prompts. */
function runsOf(codec: UpstreamCodec, body: object) {
  const reading = codec.decodeResponse(body)
  if (!reading.ok || reading.response.usage === undefined) throw new Error('no usage was read')
  const { toolCalls, otherTools, maxRoundPromptTokens } = reading.response.usage
  return { toolCalls, otherTools, maxRoundPromptTokens }
}

/** Returns what a meter knows after so many events of a stream. */
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

describe('tools that ran', () => {
  const items = (...types: readonly string[]) => response(types.map((type) => ({ type })))
  const counted = (usage: object, ...types: readonly string[]) =>
    response(
      types.map((type) => ({ type })),
      { usage: { input_tokens: 10, output_tokens: 2, ...usage } },
    )

  it.each([
    [items('x_search_call', 'x_search_call'), { x_search: 2 }, undefined],
    [items('x_call', 'y_call', 'x_call'), undefined, { x_call: 2, y_call: 1 }],
    [items('mcp_call', 'view_image_call', 'function_call', 'computer_call'), undefined, undefined],
    [items('shell_call'), undefined, undefined],
    [
      response([{ type: 'shell_call', environment: { type: 'container_reference', container_id: 'c' } }]),
      undefined,
      { shell_call: 1 },
    ],
    // The vendor's own count is charged: the rest of it by no name, and no more than it.
    [counted({ num_server_side_tools_used: 3 }), { server_side_tool: 3 }, undefined],
    [
      counted({ num_server_side_tools_used: 3 }, 'x_search_call'),
      { x_search: 1, server_side_tool: 2 },
      undefined,
    ],
    [
      counted({ num_server_side_tools_used: 1 }, 'x_search_call', 'x_search_call'),
      { x_search: 1 },
      undefined,
    ],
    [counted({ num_server_side_tools_used: 1 }, 'mcp_call'), undefined, undefined],
    [
      counted({ server_side_tool_usage: { SERVER_SIDE_TOOL_WEB_SEARCH: 2, SERVER_SIDE_TOOL_X_SEARCH: 1 } }),
      { web_search: 2, x_search: 1 },
      undefined,
    ],
    [
      counted({ server_side_tool_usage_details: { x_search_calls: 1, mcp_calls: 2, new_thing_calls: 3 } }),
      { x_search: 1 },
      { new_thing_calls: 3 },
    ],
  ])('of a response: %#', (body, toolCalls, otherTools) =>
    expect(runsOf(openAiResponses, body)).toMatchObject({ toolCalls, otherTools }),
  )

  it.each([
    [{ num_search_queries: 4 }, { web_search: 4 }, undefined],
    [{ num_server_side_tools_used: 2 }, { server_side_tool: 2 }, undefined],
    [{ connectors: { web_search: 1, web_search_premium: 2 } }, { web_search: 1 }, { web_search_premium: 2 }],
    [
      { server_tool_use: { web_search_requests: 1, tool_calls_executed: 1, tool_calls_requested: 1 } },
      { web_search: 1 },
      undefined,
    ],
  ])('of a chat whose usage has %j', (usage, toolCalls, otherTools) =>
    expect(runsOf(openAiChat, chat({}, usage))).toMatchObject({ toolCalls, otherTools }),
  )

  const executed = [
    { index: 0, type: 'search' },
    { index: 1, type: 'visit' },
  ]

  it('of a compound system, which a stream tells twice', () => {
    const message = { role: 'assistant', content: 'Hi', executed_tools: executed }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    const reported = { toolCalls: { web_search: 1 }, otherTools: { visit: 1 } }
    expect(runsOf(openAiChat, chat({ choices }))).toMatchObject(reported)
    const delta = { choices: [{ index: 0, delta: { executed_tools: executed } }] }
    const usage = { choices: [], x_groq: { usage: { prompt_tokens: 10, completion_tokens: 2 } } }
    expect(metered(openAiChat, [delta, delta, usage]).usage).toMatchObject(reported)
  })

  it('of a message, by the usage and by the blocks that it does not count', () => {
    const ran = (name: string) => ({ type: 'server_tool_use', id: 's', name, input: {} })
    const usage = { server_tool_use: { web_search_requests: 2, new_requests: 3, web_fetch_requests: 1 } }
    expect(runsOf(anthropicMessages, message(usage, [ran('web_search'), ran('advisor')]))).toMatchObject({
      toolCalls: { web_search: 2 },
      otherTools: { new_requests: 3, advisor: 1 },
    })
  })

  it('of a grounded candidate, by the lists of its queries', () => {
    const body = grounded('gemini-3-pro', ['a'])
    const [candidate] = body.candidates
    const groundingMetadata = { ...candidate?.groundingMetadata, retrievalQueries: ['a', 'b'] }
    expect(runsOf(gemini, { ...body, candidates: [{ ...candidate, groundingMetadata }] })).toMatchObject({
      toolCalls: { google_search: 1 },
      otherTools: { retrievalQueries: 2 },
    })
  })

  it('are bounded in number and name', () => {
    const names = Array.from({ length: 40 }, (_, index) => [`tool_${index}`, 10 ** 9] as const)
    const usage = { tool_usage: { 'a\nb': 1, ...Object.fromEntries(names) } }
    const { otherTools = {} } = runsOf(openAiChat, chat({}, usage))
    expect([Object.keys(otherTools).length, Math.max(...Object.values(otherTools))]).toEqual([16, 1000])
  })
})

describe('the longest prompt of a loop over tools', () => {
  const big = { input_tokens: 300_000, output_tokens: 2 }

  it('is what the usage tells of it', () => {
    const iterations = [
      { type: 'message', input_tokens: 120_000, cache_read_input_tokens: 10_000 },
      { type: 'message', input_tokens: 180_000 },
    ]
    expect(runsOf(anthropicMessages, message({ ...big, iterations })).maxRoundPromptTokens).toBe(180_000)
    const summary = [{ type: 'compaction', input_tokens: 210_000 }, ...iterations]
    expect(runsOf(anthropicMessages, message({ ...big, iterations: summary })).maxRoundPromptTokens).toBe(
      210_000,
    )
    const one = [{ type: 'message', input_tokens: 300_000 }]
    expect(
      runsOf(anthropicMessages, message({ ...big, iterations: one })).maxRoundPromptTokens,
    ).toBeUndefined()
  })

  it('is elsewhere at least the average, by the runs between the prompts', () => {
    const ran = { type: 'server_tool_use', id: 's', name: 'web_fetch', input: {} }
    expect(runsOf(anthropicMessages, message(big, [ran, ran])).maxRoundPromptTokens).toBe(100_000)
    expect(runsOf(openAiResponses, response([searched, opened], { usage: big })).maxRoundPromptTokens).toBe(
      100_000,
    )
    expect(runsOf(openAiResponses, response([{ type: 'x_call' }], { usage: big })).maxRoundPromptTokens).toBe(
      150_000,
    )
    const counted = { ...big, num_server_side_tools_used: 5 }
    expect(runsOf(openAiResponses, response([], { usage: counted })).maxRoundPromptTokens).toBe(50_000)
    const chatCounted = { prompt_tokens: 300_000, num_server_side_tools_used: 2 }
    expect(runsOf(openAiChat, chat({}, chatCounted)).maxRoundPromptTokens).toBe(100_000)
    const body = grounded('gemini-2.5-pro', ['a'])
    const usageMetadata = {
      promptTokenCount: 150_000,
      toolUsePromptTokenCount: 90_000,
      candidatesTokenCount: 2,
    }
    expect(runsOf(gemini, { ...body, usageMetadata }).maxRoundPromptTokens).toBe(150_000)
  })

  it('is all of the prompt where nothing ran but at the caller', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
    expect(runsOf(openAiResponses, response([call], { usage: big })).maxRoundPromptTokens).toBeUndefined()
    expect(runsOf(anthropicMessages, message(big)).maxRoundPromptTokens).toBeUndefined()
    expect(runsOf(openAiChat, chat({}, { prompt_tokens: 300_000 })).maxRoundPromptTokens).toBeUndefined()
  })
})

describe('counts of 0', () => {
  const zeros = { usage: { input_tokens: 0, output_tokens: 0 } }
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
  const caller = { type: 'program', caller_id: 'p' }

  it('are right for a response that only goes on with a program', () => {
    for (const output of [[{ type: 'program_output', result: 'x' }], [{ ...call, caller }]]) {
      const reading = openAiResponses.decodeResponse({ ...response([], zeros), output })
      expect(reading).toMatchObject({
        ok: true,
        response: { usage: { inputTokens: 0, isWithoutModel: true } },
      })
      const done = { type: 'response.completed', response: { ...response([], zeros), output } }
      expect(metered(openAiResponses, [done]).usage).toMatchObject({ outputTokens: 0 })
    }
  })

  it('are no counts beside what a model said', () => {
    expect(openAiResponses.decodeResponse(response([{ type: 'program_output' }], zeros))).toMatchObject({
      response: { usage: undefined },
    })
    const output = [{ ...call, caller: { type: 'direct' } }]
    expect(openAiResponses.decodeResponse({ ...response([], zeros), output })).toMatchObject({
      response: { usage: undefined },
    })
  })
})
