import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type Scripted,
  sseFrame,
  type ToldToolTurn,
} from './upstream-protocol.ts'

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
  frames: (answer, { json }) =>
    messageEvents(answer, json.model).map(({ event, delivers }) =>
      sseFrame(event, { event: event.type, delivers }),
    ),
  whole: (answer, { json }) => wholeMessage(answer, json.model),
  refusal: (status, message) => ({
    headers: { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' },
    body: messageError(errorTypes[status] ?? 'api_error', message),
  }),
  failure: (message) => sseFrame(messageError('overloaded_error', message), { event: 'error' }).bytes,
  modelOf: ({ json }) => String(json.model),
  toolTurnIn: ({ json }) => messagesToolTurn(json),
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

/** What both hosts of these models refuse about a body. */
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

/** The events of a streamed answer, before they are framed. */
export function messageEvents(answer: Scripted, model: unknown): readonly MessageEvent[] {
  const { text = [], toolCall, counts = defaultCounts, countsAt = 'end' } = answer
  const start = countsAt === 'nowhere' ? {} : { usage: usageOf({ ...counts, output: 1 }) }
  const message = { ...identity(model), content: [], stop_reason: null, stop_sequence: null, ...start }
  const textIndex = 0
  const callIndex = text.length > 0 ? 1 : 0
  return [
    silent({ type: 'message_start', message }),
    ...(text.length === 0
      ? []
      : [
          silent({
            type: 'content_block_start',
            index: textIndex,
            content_block: { type: 'text', text: '' },
          }),
          silent({ type: 'ping' }),
          ...text.map((piece) => delta(textIndex, { type: 'text_delta', text: piece })),
          silent({ type: 'content_block_stop', index: textIndex }),
        ]),
    ...(toolCall === undefined ? [] : callEvents(callIndex, toolCall)),
    silent({
      type: 'message_delta',
      delta: { stop_reason: stopOf(answer), stop_sequence: null },
      ...(countsAt === 'end' && { usage: { output_tokens: counts.output } }),
    }),
    silent({ type: 'message_stop' }),
  ]
}

function callEvents(index: number, { id, name, pieces }: NonNullable<Scripted['toolCall']>) {
  return [
    {
      ...silent({ type: 'content_block_start', index, content_block: toolUse(id, name, {}) }),
      delivers: true,
    },
    // The first piece is empty there.
    silent({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '' } }),
    ...pieces.map((piece) => delta(index, { type: 'input_json_delta', partial_json: piece })),
    silent({ type: 'content_block_stop', index }),
  ]
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

/** The answer in one piece. */
export function wholeMessage(answer: Scripted, model: unknown): object {
  const { text = [], toolCall, counts = defaultCounts, countsAt } = answer
  return {
    ...identity(model),
    content: [
      ...(text.length === 0 ? [] : [{ type: 'text', text: text.join('') }]),
      ...(toolCall === undefined
        ? []
        : [toolUse(toolCall.id, toolCall.name, JSON.parse(toolCall.pieces.join('')))]),
    ],
    stop_reason: stopOf(answer),
    stop_sequence: null,
    ...(countsAt !== 'nowhere' && { usage: usageOf(counts) }),
  }
}

function toolUse(id: string, name: string, input: unknown): object {
  return { type: 'tool_use', id, name, input }
}

function stopOf({ toolCall }: Scripted): string {
  return toolCall === undefined ? 'end_turn' : 'tool_use'
}

function identity(model: unknown): object {
  return { id: 'msg_01XFDUDYJgAACzvnptvVoYEL', type: 'message', role: 'assistant', model }
}

/** Cached tokens stand beside the uncached ones. */
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
  readonly content?: string | readonly { readonly text?: string }[]
}

/** The result must stand in the message right after its call, as these models demand. */
export function messagesToolTurn(json: ReceivedCall['json']): ToldToolTurn | undefined {
  const messages = json.messages as readonly AnthropicMessage[]
  for (const [place, message] of messages.entries()) {
    const call = blocksOf(message).find(({ type }) => type === 'tool_use')
    if (call === undefined) continue
    const next = blocksOf(messages[place + 1])
    const result = next.find(({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === call.id)
    if (result === undefined) return undefined
    return { name: call.name ?? '', arguments: call.input, result: textOf(result.content) }
  }
  return undefined
}

function blocksOf(message: AnthropicMessage | undefined): readonly AnthropicBlock[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}

function textOf(content: AnthropicBlock['content'] = ''): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}
