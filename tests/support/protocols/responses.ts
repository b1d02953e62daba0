import {
  bytesIn,
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type Scripted,
  type ScriptedCall,
  sseFrame,
  type ToolTurn,
} from './protocol.ts'

/** OpenAI's Responses. https://platform.openai.com/docs/api-reference/responses-streaming */
export const responsesProtocol: Protocol = {
  streamType: 'text/event-stream; charset=utf-8',
  wantsStream: ({ json }) => json.stream === true,
  fault({ path, headers, json }) {
    if (!path.endsWith('/v1/responses')) return { status: 404, message: `no such path: ${path}` }
    if (!headers.authorization?.startsWith('Bearer ')) return { status: 401, message: 'no bearer token' }
    return json.input === undefined ? { status: 400, message: 'input is missing' } : undefined
  },
  frames: (reply, { json }) =>
    eventsOf(reply, json).map(({ delivers, ...event }, sequence_number) =>
      sseFrame({ ...event, sequence_number }, { event: event.type, delivers: delivers === true }),
    ),
  buffered: (reply, { json }) => completed(reply, json),
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
  reported({ json }) {
    const items = Array.isArray(json.input) ? (json.input as readonly InputItem[]) : []
    const { format } = (json.text ?? {}) as { format?: { schema?: unknown } }
    const { summary } = (json.reasoning ?? {}) as { summary?: unknown }
    return {
      tools: [json, ...items].flatMap(({ tools }) => namesIn(tools)),
      toolTurns: items.flatMap((item) => turnOf(item, items)),
      images: items.flatMap(imagesIn),
      schema: format?.schema,
      wantsReasoning: typeof summary === 'string',
    }
  },
}

interface OfferedTool {
  readonly type?: string
  readonly name?: string
  readonly tools?: unknown
}

/** Those of a namespace by their own names. */
function namesIn(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return []
  return (tools as readonly OfferedTool[]).flatMap(({ name, tools: inner }) =>
    inner === undefined ? (name ?? []) : namesIn(inner),
  )
}

type InputItem = Readonly<Record<string, unknown>>

/** Reports the free text of a custom tool as an argument. */
function turnOf({ type, call_id, name, arguments: text, input }: InputItem, items: readonly InputItem[]) {
  if (type !== 'function_call' && type !== 'custom_tool_call') return []
  const result = items.find((item) => item.type === `${type}_output` && item.call_id === call_id)
  if (result === undefined) return []
  const turn: ToolTurn = {
    name: String(name),
    arguments: type === 'custom_tool_call' ? { input } : JSON.parse(String(text)),
    result: outputText(result.output),
  }
  return [turn]
}

function outputText(output: unknown): string {
  return Array.isArray(output) ? output.map(({ text = '' }) => text).join('') : String(output)
}

function imagesIn({ content }: InputItem): readonly string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap(({ image_url }: { image_url?: string }) =>
    image_url === undefined ? [] : [bytesIn(image_url)],
  )
}

type Event = { readonly type: string; readonly delivers?: boolean } & Readonly<Record<string, unknown>>
/** An item of the response, and the events between its first and its last. */
interface Output {
  readonly item: object
  readonly started: object
  readonly delivers?: boolean
  readonly events: (output_index: number) => readonly Event[]
}

type Json = ReceivedCall['json']

function eventsOf(reply: Scripted, json: Json): readonly Event[] {
  const usage = reply.countsAt === 'start' ? usageOf(reply.counts ?? defaultCounts) : null
  const response = { ...responseOf(json.model, 'in_progress', []), usage }
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...outputsOf(reply, json).flatMap(({ item, started, delivers = false, events }, output_index) => [
      { type: 'response.output_item.added', output_index, item: started, delivers },
      ...events(output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: completed(reply, json) },
  ]
}

function outputsOf({ reasoning, text = [], toolCalls = [] }: Scripted, json: Json): readonly Output[] {
  return [
    ...(reasoning === undefined ? [] : [reasoningOf(reasoning)]),
    ...(text.length === 0 ? [] : [messageOf(text)]),
    ...toolCalls.map((call, index) => (isCustom(call, json) ? customCallOf : callOf)(call, index)),
  ]
}

function reasoningOf(reasoning: readonly string[]): Output {
  const id = 'rs_68af4029'
  const part = { type: 'summary_text', text: reasoning.join('') }
  const item = { id, type: 'reasoning', summary: [part], encrypted_content: 'gAAAAABo' }
  return {
    item,
    started: { ...item, summary: [], encrypted_content: 'gAAA' },
    events(output_index) {
      const at = { item_id: id, output_index, summary_index: 0 }
      return [
        { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
        ...reasoning.map((delta) => {
          return { type: 'response.reasoning_summary_text.delta', ...at, delta, delivers: true }
        }),
        { type: 'response.reasoning_summary_text.done', ...at, text: part.text },
        { type: 'response.reasoning_summary_part.done', ...at, part },
      ]
    },
  }
}

function messageOf(text: readonly string[]): Output {
  const id = 'msg_68af4030'
  const buffered = text.join('')
  const part = { type: 'output_text', text: buffered, annotations: [], logprobs: [] }
  const item = { id, type: 'message', status: 'completed', role: 'assistant', content: [part] }
  return {
    item,
    started: { ...item, status: 'in_progress', content: [] },
    events(output_index) {
      const at = { item_id: id, output_index, content_index: 0 }
      const more = { logprobs: [], obfuscation: 'x', delivers: true }
      return [
        { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
        ...text.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, ...more })),
        { type: 'response.output_text.done', ...at, text: buffered, logprobs: [] },
        { type: 'response.content_part.done', ...at, part },
      ]
    },
  }
}

function callOf({ id: call_id, name, pieces }: ScriptedCall, position: number): Output {
  const id = `fc_68af403${position + 1}`
  const text = pieces.join('')
  const item = { id, type: 'function_call', status: 'completed', call_id, name, arguments: text }
  return {
    item,
    started: { ...item, status: 'in_progress', arguments: '' },
    delivers: true,
    events(output_index) {
      const at = { item_id: id, output_index }
      return [
        ...pieces.map((delta) => {
          return { type: 'response.function_call_arguments.delta', ...at, delta, delivers: true }
        }),
        { type: 'response.function_call_arguments.done', ...at, arguments: text },
      ]
    },
  }
}

/** Finds tools in their field and in the conversation. */
function isCustom({ name }: ScriptedCall, json: Json): boolean {
  const items = Array.isArray(json.input) ? (json.input as readonly InputItem[]) : []
  return [json, ...items].some(
    ({ tools }) =>
      Array.isArray(tools) &&
      (tools as readonly OfferedTool[]).some((tool) => tool.type === 'custom' && tool.name === name),
  )
}

/** A model writes the input of such a tool as plain text. */
function customCallOf({ id: call_id, name, pieces }: ScriptedCall, position: number): Output {
  const id = `ctc_68af403${position + 1}`
  const { input } = JSON.parse(pieces.join('')) as { input: string }
  const item = { id, type: 'custom_tool_call', status: 'completed', call_id, name, input }
  return {
    item,
    started: { ...item, status: 'in_progress', input: '' },
    delivers: true,
    events(output_index) {
      const at = { item_id: id, output_index }
      return [
        { type: 'response.custom_tool_call_input.delta', ...at, delta: input, delivers: true },
        { type: 'response.custom_tool_call_input.done', ...at, input },
      ]
    },
  }
}

function completed(reply: Scripted, json: Json): object {
  const output = outputsOf(reply, json).map(({ item }) => item)
  const { counts = defaultCounts, countsAt = 'end' } = reply
  return {
    ...responseOf(json.model, 'completed', output),
    usage: countsAt === 'end' ? usageOf(counts) : null,
  }
}

function responseOf(model: unknown, status: string, output: readonly object[]): object {
  const head = { id: 'resp_68af4030592c', object: 'response', created_at: 1_756_315_696, status, model }
  const stated = { parallel_tool_calls: true, previous_response_id: null }
  return { ...head, error: null, incomplete_details: null, output, ...stated, usage: null }
}

function usageOf({ input, cacheRead, output, reasoning }: Counts): object {
  return {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + cacheRead + output,
  }
}
