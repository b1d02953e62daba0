import {
  bytesIn,
  type Counts,
  defaultCounts,
  type Protocol,
  type Scripted,
  type ScriptedCall,
  sseFrame,
  type ToolTurn,
} from './protocol.ts'

/**
 * OpenAI's Chat Completions, with the reasoning that DeepSeek and others add to them.
 * https://platform.openai.com/docs/api-reference/chat · https://api-docs.deepseek.com/guides/reasoning_model
 */
export const openAiProtocol: Protocol = {
  streamType: 'text/event-stream; charset=utf-8',
  wantsStream: ({ json }) => json.stream === true,
  fault({ path, headers, json }) {
    if (path !== '/v1/chat/completions') return { status: 404, message: `no such path: ${path}` }
    if (!headers.authorization?.startsWith('Bearer ')) return { status: 401, message: 'no bearer token' }
    return Array.isArray(json.messages) ? undefined : { status: 400, message: 'messages are missing' }
  },
  frames(reply, { json }) {
    const counts = reply.counts ?? defaultCounts
    const countsAt = reply.countsAt ?? 'end'
    const { include_usage } = (json.stream_options ?? {}) as { include_usage?: boolean }
    const early = countsAt === 'start' ? { usage: usageOf(counts) } : {}
    return [
      chunk(json.model, [choice({ role: 'assistant', content: '' })], early),
      ...(reply.reasoning ?? []).map((text) =>
        chunk(json.model, [choice({ reasoning_content: text })], {}, true),
      ),
      ...(reply.text ?? []).map((content) => chunk(json.model, [choice({ content })], {}, true)),
      ...(reply.toolCalls ?? []).flatMap((call, index) => callChunks(json.model, call, index)),
      chunk(json.model, [choice({}, stopOf(reply))]),
      ...(include_usage === true && countsAt === 'end'
        ? [chunk(json.model, [], { usage: usageOf(counts) })]
        : []),
      sseFrame('[DONE]'),
    ]
  },
  buffered(reply, { json }) {
    const { text, reasoning, toolCalls } = reply
    const message = {
      role: 'assistant',
      content: text?.join('') ?? null,
      ...(reasoning !== undefined && { reasoning_content: reasoning.join('') }),
      ...(toolCalls !== undefined && { tool_calls: toolCalls.map(completeCall) }),
    }
    return {
      ...identity(json.model),
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: stopOf(reply) }],
      ...(reply.countsAt !== 'nowhere' && { usage: usageOf(reply.counts ?? defaultCounts) }),
    }
  },
  refusal: (status, message) => ({
    headers: {},
    body: {
      error: {
        message,
        type: status === 400 ? 'invalid_request_error' : 'api_error',
        param: null,
        code: null,
      },
    },
  }),
  failure: (message) => sseFrame({ error: { message, type: 'server_error', param: null, code: null } }).bytes,
  modelOf: ({ json }) => String(json.model),
  reported({ json }) {
    const messages = json.messages as readonly OpenAiMessage[]
    const { json_schema } = (json.response_format ?? {}) as { json_schema?: { schema: unknown } }
    const tools = (json.tools ?? []) as readonly { function?: { name: string } }[]
    return {
      tools: tools.flatMap((tool) => tool.function?.name ?? []),
      toolTurns: messages
        .flatMap(({ tool_calls = [] }) => tool_calls)
        .flatMap((call) => turnOf(call, messages)),
      images: messages.flatMap(({ content }) => imagesIn(content)),
      schema: json_schema?.schema,
      wantsReasoning: typeof json.reasoning_effort === 'string',
    }
  },
}

interface OpenAiMessage {
  readonly role: string
  readonly content: string | readonly OpenAiPart[] | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly OpenAiCall[]
}

interface OpenAiPart {
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

interface OpenAiCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Results are found by the id of their call. */
function turnOf(
  { id, function: called }: OpenAiCall,
  messages: readonly OpenAiMessage[],
): readonly ToolTurn[] {
  const result = messages.find(({ role, tool_call_id }) => role === 'tool' && tool_call_id === id)
  if (result === undefined) return []
  return [{ name: called.name, arguments: JSON.parse(called.arguments), result: textOf(result.content) }]
}

function textOf(content: OpenAiMessage['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('')
}

function imagesIn(content: OpenAiMessage['content']): readonly string[] {
  if (typeof content === 'string') return []
  return (content ?? []).flatMap(({ image_url }) => (image_url === undefined ? [] : [bytesIn(image_url.url)]))
}

function callChunks(model: unknown, { id, name, pieces }: ScriptedCall, index: number) {
  const begin = { index, id, type: 'function', function: { name, arguments: '' } }
  return [
    chunk(model, [choice({ tool_calls: [begin] })], {}, true),
    ...pieces.map((piece) =>
      chunk(model, [choice({ tool_calls: [{ index, function: { arguments: piece } }] })], {}, true),
    ),
  ]
}

function completeCall({ id, name, pieces }: ScriptedCall): object {
  return { id, type: 'function', function: { name, arguments: pieces.join('') } }
}

function chunk(model: unknown, choices: readonly object[], more: object = {}, delivers = false) {
  return sseFrame({ ...identity(model), object: 'chat.completion.chunk', choices, ...more }, { delivers })
}

function choice(delta: object, finish_reason: string | null = null): object {
  return { index: 0, delta, logprobs: null, finish_reason }
}

function stopOf({ toolCalls }: Scripted): string {
  return toolCalls === undefined ? 'stop' : 'tool_calls'
}

function identity(model: unknown): object {
  return { id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT', created: 1_741_569_952, model }
}

/** Prompt tokens include the cached ones, completion tokens the reasoning. */
function usageOf({ input, cacheRead, output, reasoning }: Counts): object {
  const prompt = input + cacheRead
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  }
}
