import { events, type Vendor, type VendorCall } from './vendor-upstreams.ts'

/** Every vendor's text, and the reasoning before it, where the vendor shows it. */
export const said = 'In Zürich it is 21 °C.'
export const thought = 'Which city?'

const ids = { task_id: 't-1', message_id: 'm-1', conversation_id: 'c-1' }
const difyUsage = {
  prompt_tokens: 31,
  completion_tokens: 12,
  total_tokens: 43,
  currency: 'USD',
  latency: 0.4,
}
const difyRefusal = {
  status: 401,
  body: { code: 'unauthorized', message: 'Access token is invalid', status: 401 },
}

/** A workflow that thinks the way Dify shows it. https://docs.dify.ai/api-reference/chat/send-chat-message */
export const difyChatflow: Vendor = {
  channelType: 37,
  key: 'app-chatflow-secret-0001',
  path: '/v1/chat-messages',
  stream: () =>
    events(
      { event: 'workflow_started', workflow_run_id: 'w-1', ...ids, data: { id: 'w-1' } },
      { event: 'node_started', workflow_run_id: 'w-1', data: { node_type: 'llm', title: 'LLM' } },
    ) +
    'event: ping\n\n' +
    events(
      {
        event: 'message',
        ...ids,
        answer: '<details style="color:gray;" open> <summary> Thinking... </summary>\n',
      },
      { event: 'message', ...ids, answer: `${thought}\n</details>\n\nIn Zürich ` },
      { event: 'message', ...ids, answer: 'it is 21 °C.' },
      { event: 'workflow_finished', workflow_run_id: 'w-1', ...ids, data: { status: 'succeeded' } },
      { event: 'message_end', ...ids, metadata: { usage: difyUsage } },
    ),
  buffered: () => ({
    event: 'message',
    ...ids,
    mode: 'advanced-chat',
    answer: `<think>${thought}</think>\n${said}`,
    metadata: { usage: difyUsage },
    created_at: 1_760_000_070,
  }),
  refusal: difyRefusal,
}

/** Responds with a stream to every request. */
export const difyAgent: Vendor = {
  channelType: 37,
  key: 'app-agent-secret-00001',
  other: 'agent',
  path: '/v1/chat-messages',
  stream: () =>
    events(
      { event: 'agent_thought', id: 'a-1', ...ids, position: 1, thought: thought, tool: '', observation: '' },
      { event: 'agent_message', ...ids, answer: 'In Zürich ' },
      { event: 'agent_message', ...ids, answer: 'it is 21 °C.' },
      { event: 'message_end', ...ids, metadata: { usage: difyUsage } },
    ),
  buffered: () => ({ code: 'invalid_param', message: 'Agent apps have no blocking mode', status: 400 }),
  refusal: difyRefusal,
}

const dummy = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 }
const fastgptChunk = (delta: object, finish_reason: string | null = null) => ({
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [{ delta, index: 0, finish_reason }],
})

export const fastgpt: Vendor = {
  channelType: 22,
  key: 'fastgpt-secret0001-64f3app',
  path: '/v1/chat/completions',
  stream: () =>
    events(
      fastgptChunk({ role: 'assistant', content: '' }),
      fastgptChunk({ reasoning_content: thought }),
      fastgptChunk({ content: said }),
      { ...fastgptChunk({}, 'stop'), usage: dummy },
      '[DONE]',
    ),
  buffered: () => {
    const message = { role: 'assistant', reasoning_content: thought, content: said }
    return { id: '', model: '', usage: dummy, choices: [{ message, finish_reason: 'stop', index: 0 }] }
  },
  refusal: { status: 403, body: { code: 403, statusText: 'unAuthApiKey', message: 'key error', data: null } },
}

const documents = [{ title: 'Weather', url: 'https://d.example/1' }]

export const aiproxyLibrary: Vendor = {
  channelType: 21,
  key: 'aiproxy-secret-00001',
  other: '123456',
  path: '/api/library/ask',
  stream: () =>
    events(
      { content: 'In Zürich ', finish: false, model: 'm', documents: [] },
      { content: 'it is 21 °C.', finish: false, model: 'm', documents },
      { content: '', finish: true, model: 'm', documents: [] },
    ),
  buffered: () => ({ success: true, answer: said, documents, errCode: 0, message: '' }),
  refusal: { status: 200, body: { success: false, errCode: 401, message: 'key is wrong' } },
}

/** Differences between vendors of OpenAI's format. */
interface Chat {
  readonly channelType: number
  readonly key: string
  readonly path?: string
  /** Pieces of the response, as each vendor puts them. */
  readonly deltas: readonly object[]
  readonly message: object
  /** Chunks behind the last delta. */
  readonly ending: (chunk: ChunkOf, finish: string) => readonly (object | string)[]
  readonly usage: object
  /** Beside the choices. */
  readonly more?: object
  readonly call?: (id: string) => object
  readonly refusal: Vendor['refusal']
}

type ChunkOf = (delta: object, finish?: string | null, more?: object) => object

function chatVendor(spec: Chat): Vendor {
  const { channelType, key, path = '/v1/chat/completions', refusal, more = {} } = spec
  const head = { id: 'v-1', created: 1_760_000_020, model: 'vendor-model', ...more }
  const chunk: ChunkOf = (delta, finish_reason = null, extra = {}) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
    ...extra,
  })
  return {
    channelType,
    key,
    path,
    refusal,
    stream(call) {
      const calls = toolCalls(call, spec)
      const finish = calls === undefined ? 'stop' : 'tool_calls'
      const deltas =
        calls === undefined ? spec.deltas : [{ role: 'assistant', content: '', tool_calls: calls }]
      return `: keep-alive\n\n${events(...deltas.map((delta) => chunk(delta)), ...spec.ending(chunk, finish))}`
    },
    buffered(call) {
      const calls = toolCalls(call, spec)
      const message =
        calls === undefined ? spec.message : { role: 'assistant', content: '', tool_calls: calls }
      const finish_reason = calls === undefined ? 'stop' : 'tool_calls'
      return {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage: spec.usage,
      }
    },
  }
}

/** A call of the tool, until its result is there. */
function toolCalls({ json }: VendorCall, { call }: Chat): readonly object[] | undefined {
  const messages = json.messages as readonly { readonly role: string }[]
  if (!Array.isArray(json.tools) || call === undefined || messages.some(({ role }) => role === 'tool'))
    return undefined
  return [call('Ab3dE6gH9')]
}

const weatherCall = (id: string) => ({
  id,
  type: 'function',
  index: 0,
  function: { name: 'get_weather', arguments: '{"city":"Zürich"}' },
})

export const perplexity = chatVendor({
  channelType: 27,
  key: 'pplx-secret-0000001',
  path: '/chat/completions',
  more: { citations: ['https://d.example/1'] },
  deltas: [{ role: 'assistant', content: `<think>${thought}</think>\n` }, { content: said }],
  message: { role: 'assistant', content: `<think>${thought}</think>\n${said}` },
  // Counts in the last event as in all of them, and no end mark.
  ending: (chunk, finish) => [
    chunk({ content: '' }, finish, {
      object: 'chat.completion.done',
      usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
    }),
  ],
  usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
  refusal: {
    status: 401,
    body: { error: { message: 'Invalid API key', type: 'invalid_api_key', code: 401 } },
  },
})

const mistralUsage = { prompt_tokens: 20, total_tokens: 29, completion_tokens: 9, num_cached_tokens: 4 }

export const mistral = chatVendor({
  channelType: 42,
  key: 'mistral-secret-00001',
  deltas: [
    { role: 'assistant', content: '' },
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: thought }] }] },
    { content: 'In Zürich ' },
    { content: 'it is 21 °C.' },
  ],
  message: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: thought }] },
      { type: 'text', text: said },
    ],
  },
  ending: (chunk, finish) => [chunk({ content: '' }, finish, { usage: mistralUsage }), '[DONE]'],
  usage: mistralUsage,
  // A complete call, without an index or a type.
  call: (id) => ({ id, function: { name: 'get_weather', arguments: '{"city":"Zürich"}' } }),
  refusal: { status: 401, body: { detail: 'Unauthorized' } },
})

const deepseekUsage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  completion_tokens_details: { reasoning_tokens: 3 },
  prompt_cache_hit_tokens: 4,
  prompt_cache_miss_tokens: 16,
}

export const deepseek = chatVendor({
  channelType: 43,
  key: 'sk-deepseek-secret-01',
  deltas: [
    { role: 'assistant', content: null, reasoning_content: thought },
    { content: said, reasoning_content: null },
  ],
  message: { role: 'assistant', content: said, reasoning_content: thought },
  ending: (chunk, finish) => [
    chunk({ content: '', reasoning_content: null }, finish, { usage: deepseekUsage }),
    '[DONE]',
  ],
  usage: deepseekUsage,
  call: weatherCall,
  refusal: {
    status: 402,
    body: {
      error: {
        message: 'Insufficient Balance',
        type: 'unknown_error',
        param: null,
        code: 'invalid_request_error',
      },
    },
  },
})

/** Its completion tokens exclude reasoning: 20 + 6 + 3. */
const xaiUsage = {
  prompt_tokens: 20,
  completion_tokens: 6,
  total_tokens: 29,
  prompt_tokens_details: { text_tokens: 20, cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
}

export const xai = chatVendor({
  channelType: 48,
  key: 'xai-secret-000000001',
  deltas: [{ role: 'assistant', reasoning_content: thought }, { content: said }],
  message: { role: 'assistant', content: said, reasoning_content: thought, refusal: null },
  ending: (chunk, finish) => [chunk({}, finish), { ...chunk({}), choices: [], usage: xaiUsage }, '[DONE]'],
  usage: xaiUsage,
  call: weatherCall,
  refusal: {
    status: 400,
    body: { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***1.' },
  },
})

const openrouterUsage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  cost: 0.0001,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 3 },
}

export const openrouter = chatVendor({
  channelType: 20,
  key: 'sk-or-v1-secret-00001',
  more: { provider: 'OpenAI' },
  deltas: [
    {
      role: 'assistant',
      content: '',
      reasoning: thought,
      reasoning_details: [
        { type: 'reasoning.summary', summary: thought, format: 'openai-responses-v1', index: 0 },
      ],
    },
    { content: said },
  ],
  message: { role: 'assistant', content: said, reasoning: thought },
  ending: (chunk, finish) => [
    chunk({ content: '' }, finish),
    chunk({ content: '' }, null, { usage: openrouterUsage }),
    '[DONE]',
  ],
  usage: openrouterUsage,
  call: weatherCall,
  refusal: {
    status: 402,
    body: { error: { code: 402, message: 'This request requires more credits.', metadata: {} } },
  },
})
