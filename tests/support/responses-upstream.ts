import { type Counts, defaultCounts, type Protocol, type Scripted, sseFrame } from './upstream-protocol.ts'

/** OpenAI's Responses. https://platform.openai.com/docs/api-reference/responses-streaming */
export const responsesProtocol: Protocol = {
  streamType: 'text/event-stream; charset=utf-8',
  wantsStream: ({ json }) => json.stream === true,
  fault({ path, headers, json }) {
    if (path !== '/v1/responses') return { status: 404, message: `no such path: ${path}` }
    if (!headers.authorization?.startsWith('Bearer ')) return { status: 401, message: 'no bearer token' }
    return json.input === undefined ? { status: 400, message: 'input is missing' } : undefined
  },
  frames: (answer, { json }) =>
    eventsOf(answer, json.model).map(({ delivers, ...event }, sequence_number) =>
      sseFrame({ ...event, sequence_number }, { event: event.type, delivers: delivers === true }),
    ),
  whole: (answer, { json }) => completed(answer, json.model),
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
  failure: (message) =>
    sseFrame({ type: 'error', code: 'server_error', message, param: null }, { event: 'error' }).bytes,
  modelOf: ({ json }) => String(json.model),
  toolTurnIn({ json }) {
    const items = json.input as readonly Readonly<Record<string, unknown>>[]
    const call = items.find(({ type }) => type === 'function_call')
    const result = items.find(
      ({ type, call_id }) => type === 'function_call_output' && call_id === call?.call_id,
    )
    if (call === undefined || result === undefined) return undefined
    const told = JSON.parse(String(call.arguments))
    return { name: String(call.name), arguments: told, result: String(result.output) }
  },
}

type Event = { readonly type: string; readonly delivers?: boolean } & Readonly<Record<string, unknown>>

function eventsOf(answer: Scripted, model: unknown): readonly Event[] {
  const response = responseOf(model, 'in_progress', [])
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...messageEvents(answer),
    ...callEvents(answer),
    { type: 'response.completed', response: completed(answer, model) },
  ]
}

function messageEvents({ text = [] }: Scripted): readonly Event[] {
  const [item] = messageOf(text)
  if (item === undefined) return []
  const at = { item_id: 'msg_68af4030', output_index: 0, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
  const whole = text.join('')
  return [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part },
    ...text.map((delta) => {
      return {
        type: 'response.output_text.delta',
        ...at,
        delta,
        logprobs: [],
        obfuscation: 'x',
        delivers: true,
      }
    }),
    { type: 'response.output_text.done', ...at, text: whole, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: { ...part, text: whole } },
    { type: 'response.output_item.done', output_index: 0, item },
  ]
}

function callEvents({ text = [], toolCall }: Scripted): readonly Event[] {
  if (toolCall === undefined) return []
  const output_index = text.length > 0 ? 1 : 0
  const item = callOf(toolCall)
  const at = { item_id: 'fc_68af4031', output_index }
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
      delivers: true,
    },
    ...toolCall.pieces.map((delta) => {
      return { type: 'response.function_call_arguments.delta', ...at, delta, delivers: true }
    }),
    { type: 'response.function_call_arguments.done', ...at, arguments: toolCall.pieces.join('') },
    { type: 'response.output_item.done', output_index, item },
  ]
}

function messageOf(text: readonly string[]): readonly object[] {
  if (text.length === 0) return []
  const content = [{ type: 'output_text', text: text.join(''), annotations: [], logprobs: [] }]
  return [{ id: 'msg_68af4030', type: 'message', status: 'completed', role: 'assistant', content }]
}

function callOf({ id, name, pieces }: NonNullable<Scripted['toolCall']>): object {
  const called = { call_id: id, name, arguments: pieces.join('') }
  return { id: 'fc_68af4031', type: 'function_call', status: 'completed', ...called }
}

function completed(answer: Scripted, model: unknown): object {
  const calls = answer.toolCall === undefined ? [] : [callOf(answer.toolCall)]
  const output = [...messageOf(answer.text ?? []), ...calls]
  return { ...responseOf(model, 'completed', output), usage: usageOf(answer.counts ?? defaultCounts) }
}

function responseOf(model: unknown, status: string, output: readonly object[]): object {
  const head = { id: 'resp_68af4030592c', object: 'response', created_at: 1_756_315_696, status, model }
  const said = { parallel_tool_calls: true, previous_response_id: null }
  return { ...head, error: null, incomplete_details: null, output, ...said, usage: null }
}

function usageOf({ input, cacheRead, output, thoughts }: Counts): object {
  return {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thoughts },
    total_tokens: input + cacheRead + output,
  }
}
