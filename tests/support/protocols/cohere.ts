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
  type WireFrame,
} from './protocol.ts'

/** Cohere's chat, version 2. https://docs.cohere.com/docs/streaming */
export const cohereProtocol: Protocol = {
  streamType: 'text/event-stream',
  wantsStream: ({ json }) => json.stream === true,
  fault({ path, headers, json }) {
    if (path !== '/v2/chat') return { status: 404, message: `no such path: ${path}` }
    if (!headers.authorization?.startsWith('Bearer ')) return { status: 401, message: 'no api key supplied' }
    const extra = Object.keys(json).find((name) => !known.has(name))
    if (extra !== undefined)
      return { status: 422, message: `unknown field: parameter '${extra}' is not a valid field` }
    const wordy = messagesIn(json).some(
      ({ tool_calls, content }) => tool_calls !== undefined && content !== undefined,
    )
    return wordy ? { status: 400, message: 'a message has either content or tool_calls' } : undefined
  },
  frames(reply) {
    const { reasoning = [], text = [], toolCalls = [], counts = defaultCounts, countsAt = 'end' } = reply
    const start = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
    const usage = countsAt === 'end' ? { usage: usageOf(counts) } : {}
    return [
      event({ type: 'message-start', id: 'c0ffee', delta: { message: start } }),
      ...contentFrames('thinking', reasoning, 0),
      ...contentFrames('text', text, reasoning.length > 0 ? 1 : 0),
      ...toolCalls.flatMap(callFrames),
      event({ type: 'message-end', delta: { finish_reason: stopOf(reply), ...usage } }),
    ]
  },
  buffered(reply) {
    const { reasoning = [], text = [], toolCalls = [], counts = defaultCounts, countsAt } = reply
    const content = [
      ...(reasoning.length > 0 ? [{ type: 'thinking', thinking: reasoning.join('') }] : []),
      ...(text.length > 0 ? [{ type: 'text', text: text.join('') }] : []),
    ]
    return {
      id: 'c0ffee',
      finish_reason: stopOf(reply),
      message: {
        role: 'assistant',
        ...(content.length > 0 && { content }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(completeCall) }),
      },
      ...(countsAt !== 'nowhere' && { usage: usageOf(counts) }),
    }
  },
  refusal: (_status, message) => ({ headers: {}, body: { id: 'e1', message } }),
  failure: (error) => event({ type: 'message-end', delta: { finish_reason: 'ERROR', error } }).bytes,
  modelOf: ({ json }) => String(json.model),
  reported({ json }) {
    const messages = messagesIn(json)
    const format = json.response_format as { readonly json_schema?: unknown } | undefined
    const tools = (json.tools ?? []) as readonly { readonly function: { readonly name: string } }[]
    return {
      tools: tools.map(({ function: { name } }) => name),
      toolTurns: messages
        .flatMap(({ tool_calls = [] }) => tool_calls)
        .flatMap((call) => turnOf(call, messages)),
      images: messages.flatMap(({ content }) => (Array.isArray(content) ? content.flatMap(imageIn) : [])),
      schema: format?.json_schema,
      wantsReasoning: (json.thinking as { readonly type?: string } | undefined)?.type === 'enabled',
    }
  },
}

const known = new Set(
  'model messages stream tools tool_choice strict_tools response_format max_tokens temperature p k seed presence_penalty frequency_penalty stop_sequences thinking'.split(
    ' ',
  ),
)

interface CohereMessage {
  readonly role: string
  readonly content?: string | readonly CoherePart[]
  readonly tool_calls?: readonly CohereCall[]
  readonly tool_call_id?: string
}

interface CoherePart {
  readonly image_url?: { readonly url: string }
}

interface CohereCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

function messagesIn({ messages }: ReceivedCall['json']): readonly CohereMessage[] {
  return Array.isArray(messages) ? messages : []
}

function imageIn({ image_url }: CoherePart): readonly string[] {
  return image_url === undefined ? [] : [bytesIn(image_url.url)]
}

function turnOf(call: CohereCall, messages: readonly CohereMessage[]): readonly ToolTurn[] {
  const reply = messages.find(({ tool_call_id }) => tool_call_id === call.id)
  if (reply === undefined) return []
  const { name, arguments: provided } = call.function
  return [{ name, arguments: JSON.parse(provided), result: String(reply.content) }]
}

interface WireEvent {
  readonly type: string
  readonly [name: string]: unknown
}

function event(data: WireEvent, delivers = false): WireFrame {
  return sseFrame(data, { event: data.type, delivers })
}

function contentFrames(
  type: 'text' | 'thinking',
  pieces: readonly string[],
  index: number,
): readonly WireFrame[] {
  if (pieces.length === 0) return []
  const content = (piece: string) => ({ message: { content: { [type]: piece } } })
  return [
    event({ type: 'content-start', index, delta: { message: { content: { type, [type]: '' } } } }),
    ...pieces.map((piece) => event({ type: 'content-delta', index, delta: content(piece) }, true)),
    event({ type: 'content-end', index }),
  ]
}

function callFrames({ id, name, pieces }: ScriptedCall, index: number): readonly WireFrame[] {
  const call = { id, type: 'function', function: { name, arguments: '' } }
  const delta = (text: string) => ({ message: { tool_calls: { function: { arguments: text } } } })
  return [
    event({ type: 'tool-call-start', index, delta: { message: { tool_calls: call } } }, true),
    ...pieces.map((piece) => event({ type: 'tool-call-delta', index, delta: delta(piece) }, true)),
    event({ type: 'tool-call-end', index }),
  ]
}

function completeCall({ id, name, pieces }: ScriptedCall): object {
  return { id, type: 'function', function: { name, arguments: pieces.join('') } }
}

function stopOf({ toolCalls = [] }: Scripted): string {
  return toolCalls.length > 0 ? 'TOOL_CALL' : 'COMPLETE'
}

/** Returns the usage; the model read and wrote more than is billed. */
function usageOf({ input, output }: Counts): object {
  return {
    billed_units: { input_tokens: input, output_tokens: output },
    tokens: { input_tokens: input + 300, output_tokens: output + 5 },
    cached_tokens: 256,
  }
}
