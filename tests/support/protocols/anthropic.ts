import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type ReceivedPrompt,
  type Scripted,
  type ScriptedCall,
  sseFrame,
  type ToolTurn,
} from './protocol.ts'

/** Anthropic's Messages. https://platform.claude.com/docs/en/build-with-claude/streaming */
export const anthropicProtocol: Protocol = {
  streamType: 'text/event-stream; charset=utf-8',
  wantsStream: ({ json }) => json.stream === true,
  fault({ path, headers, json }) {
    if (path !== '/v1/messages') return { status: 404, message: `no such path: ${path}` }
    // Its SDK sends the key as a bearer token since version 1.
    if ((headers['x-api-key'] ?? headers.authorization) === undefined)
      return { status: 401, message: 'x-api-key is missing' }
    if (headers['anthropic-version'] === undefined)
      return { status: 400, message: 'anthropic-version: header is required' }
    return messagesFault(json)
  },
  frames: (reply, { json }) =>
    messageEvents(reply, json).map(({ event, delivers }) => sseFrame(event, { event: event.type, delivers })),
  buffered: (reply, { json }) => completeMessage(reply, json),
  refusal: (status, message) => ({
    headers: { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' },
    body: messageError(errorTypes[status] ?? 'api_error', message),
  }),
  failure: (message) => sseFrame(messageError('overloaded_error', message), { event: 'error' }).bytes,
  modelOf: ({ json }) => String(json.model),
  reported: ({ json }) => promptInMessages(json),
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

function messageError(type: string, message: string): object {
  return { type: 'error', error: { type, message } }
}

/** Returns the refusal of a body by both hosts of these models. */
export function messagesFault(json: ReceivedCall['json']) {
  if (!Number.isInteger(json.max_tokens)) return { status: 400, message: 'max_tokens: Field required' }
  if (!Array.isArray(json.messages)) return { status: 400, message: 'messages: Field required' }
  const [first] = json.messages as readonly AnthropicMessage[]
  return first?.role === 'user' ? undefined : { status: 400, message: 'messages: first must be the user' }
}

export interface MessageEvent {
  readonly event: { readonly type: string }
  readonly delivers: boolean
}

type Json = ReceivedCall['json']

/** The events of a streamed response, before they are framed. */
export function messageEvents(scripted: Scripted, json: Json): readonly MessageEvent[] {
  const reply = asReported(scripted, json)
  const { counts = defaultCounts, countsAt = 'end' } = reply
  const start = countsAt === 'nowhere' ? {} : { usage: usageOf({ ...counts, output: 1 }) }
  const message = { ...identity(json.model), content: [], stop_reason: null, stop_sequence: null, ...start }
  return [
    silent({ type: 'message_start', message }),
    ...blocksOfReply(reply).flatMap(({ started, deltas, delivers }, index) => [
      { ...silent({ type: 'content_block_start', index, content_block: started }), delivers },
      ...(index === 0 ? [silent({ type: 'ping' })] : []),
      ...deltas.map((content) => delta(index, content)),
      silent({ type: 'content_block_stop', index }),
    ]),
    silent({
      type: 'message_delta',
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      ...(countsAt === 'end' && { usage: { output_tokens: counts.output } }),
    }),
    silent({ type: 'message_stop' }),
  ]
}

/** A model that is made to call a tool says in the call what it has to say. */
function asReported(reply: Scripted, { tool_choice }: Json): Scripted {
  const { type, name = '' } = (tool_choice ?? {}) as { type?: string; name?: string }
  if (type !== 'tool' || reply.text === undefined || reply.toolCalls !== undefined) return reply
  const { text, ...others } = reply
  const isJson = text.join('').startsWith('{')
  const pieces = isJson ? text : [JSON.stringify({ said: text.join('') })]
  return { ...others, toolCalls: [{ id: 'toolu_01Forced', name, pieces }] }
}

/** A block of the response: as it is in one piece, as it begins, and what is added to it. */
interface Block {
  readonly buffered: object
  readonly started: object
  readonly deltas: readonly object[]
  /** Its beginning carries a part of the response. */
  readonly delivers: boolean
}

const signature = 'ErUBCkYICBgCIkD0'

function blocksOfReply({ reasoning = [], text = [], toolCalls = [] }: Scripted): readonly Block[] {
  return [
    ...(reasoning.length === 0 ? [] : [thinkingBlock(reasoning)]),
    ...(text.length === 0 ? [] : [textBlock(text)]),
    ...toolCalls.map(callBlock),
  ]
}

function thinkingBlock(pieces: readonly string[]): Block {
  return {
    buffered: { type: 'thinking', thinking: pieces.join(''), signature },
    started: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
    delivers: false,
  }
}

function textBlock(pieces: readonly string[]): Block {
  return {
    buffered: { type: 'text', text: pieces.join('') },
    started: { type: 'text', text: '' },
    deltas: pieces.map((text) => ({ type: 'text_delta', text })),
    delivers: false,
  }
}

/** The first piece of the arguments is empty there. */
function callBlock({ id, name, pieces }: ScriptedCall): Block {
  const block = { type: 'tool_use', id, name }
  return {
    buffered: { ...block, input: JSON.parse(pieces.join('')) },
    started: { ...block, input: {} },
    deltas: ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    delivers: true,
  }
}

function silent<Event extends { readonly type: string }>(event: Event): MessageEvent {
  return { event, delivers: false }
}

function delta(index: number, content: object): MessageEvent {
  return {
    event: { type: 'content_block_delta', index, delta: content } as MessageEvent['event'],
    delivers: true,
  }
}

/** The response in one piece. */
export function completeMessage(scripted: Scripted, json: Json): object {
  const reply = asReported(scripted, json)
  const { counts = defaultCounts, countsAt } = reply
  return {
    ...identity(json.model),
    content: blocksOfReply(reply).map(({ buffered }) => buffered),
    stop_reason: stopOf(reply),
    stop_sequence: null,
    ...(countsAt !== 'nowhere' && { usage: usageOf(counts) }),
  }
}

function stopOf({ toolCalls }: Scripted): string {
  return toolCalls === undefined ? 'end_turn' : 'tool_use'
}

function identity(model: unknown): object {
  return { id: 'msg_01XFDUDYJgAACzvnptvVoYEL', type: 'message', role: 'assistant', model }
}

/** Counts cached tokens apart from the uncached ones. */
function usageOf({ input, cacheRead, cacheWrite, output }: Counts): object {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  }
}

interface AnthropicMessage {
  readonly role: string
  readonly content: string | readonly AnthropicBlock[]
}

interface AnthropicBlock {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
  readonly tool_use_id?: string
  readonly source?: { readonly data?: string; readonly url?: string }
  readonly content?: string | readonly { readonly text?: string }[]
}

export function promptInMessages(json: Json): ReceivedPrompt {
  const messages = json.messages as readonly AnthropicMessage[]
  const tools = (json.tools ?? []) as readonly { readonly name: string }[]
  return {
    tools: tools.map(({ name }) => name),
    toolTurns: messages.flatMap((message, index) => turnsOf(message, messages[index + 1])),
    images: messages.flatMap((message) => blocksOf(message).flatMap(imageIn)),
    schema: schemaIn(json),
    wantsReasoning: /^(enabled|adaptive)$/.test(
      String((json.thinking as { type?: string } | undefined)?.type),
    ),
  }
}

/** Returns the schema in its own field, or that of the tool that must be called. */
function schemaIn({ output_config, tool_choice, tools }: Json): unknown {
  const { format } = (output_config ?? {}) as { format?: { schema?: unknown } }
  const { name } = (tool_choice ?? {}) as { name?: string }
  const known = (tools ?? []) as readonly { readonly name: string; readonly input_schema: unknown }[]
  return format?.schema ?? known.find((tool) => tool.name === name)?.input_schema
}

/** Checks that results are in the message right after their calls, as these models demand. */
function turnsOf(message: AnthropicMessage, next: AnthropicMessage | undefined): readonly ToolTurn[] {
  return blocksOf(message).flatMap(({ type, id, name = '', input }) => {
    if (type !== 'tool_use') return []
    const result = blocksOf(next).find((block) => block.type === 'tool_result' && block.tool_use_id === id)
    return result === undefined ? [] : [{ name, arguments: input, result: textOf(result.content) }]
  })
}

function imageIn({ type, source }: AnthropicBlock): readonly string[] {
  const found = source?.data ?? source?.url
  return type === 'image' && found !== undefined ? [found] : []
}

function blocksOf(message: AnthropicMessage | undefined): readonly AnthropicBlock[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}

function textOf(content: AnthropicBlock['content'] = ''): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}
