/** A call that a client would make. */
export interface AnnouncedCall {
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** End of a response; `none` when it has none. */
export type Terminal = 'complete' | 'incomplete' | 'error' | 'none'

/** Findings of a client in a response: the calls that are announced as finished, and its end. */
export interface Announced {
  readonly calls: readonly AnnouncedCall[]
  readonly terminal: Terminal
}

export type AnnouncingDialect = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

type Json = Record<string, never>

/** Reads the events of a stream as agents of the dialect do: they look at ends, and not at what was begun. */
export function announcedIn(dialect: AnnouncingDialect, text: string): Announced {
  const events = [...text.matchAll(/^data: ?([^\n]*)/gm)]
    .map(([, data = '']) => data.trim())
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Json)
  const failed = events.some((event) => event.error !== undefined || event.type === 'error')
  const { calls, terminal } = streams[dialect](events)
  return { calls, terminal: failed ? 'error' : terminal }
}

/** Reads a buffered response; every call in it is announced but those that say otherwise. */
export function announcedInBody(dialect: AnnouncingDialect, body: unknown): Announced {
  return bodies[dialect](body as Json)
}

const chatEnds: Readonly<Record<string, Terminal>> = { length: 'incomplete', content_filter: 'incomplete' }
const messageEnds: Readonly<Record<string, Terminal>> = { max_tokens: 'incomplete', refusal: 'incomplete' }
const responseEnds: Readonly<Record<string, Terminal>> = {
  'response.completed': 'complete',
  'response.incomplete': 'incomplete',
  'response.failed': 'error',
}
const geminiEnds: Readonly<Record<string, Terminal>> = {
  STOP: 'complete',
  MAX_TOKENS: 'incomplete',
  SAFETY: 'incomplete',
  MALFORMED_FUNCTION_CALL: 'error',
}

// biome-ignore lint/suspicious/noExplicitAny: wire bodies of four vendors, of which a test reads a few members
type Wire = any

function chatStream(events: readonly Wire[]): Announced {
  const calls = new Map<string, { name: string; arguments: string }>()
  let terminal: Terminal = 'none'
  for (const { choices = [] } of events)
    for (const { index, delta, finish_reason } of choices) {
      for (const { index: position, function: called } of delta?.tool_calls ?? []) {
        const key = `${index} ${position}`
        const call = calls.get(key) ?? { name: '', arguments: '' }
        calls.set(key, call)
        call.name += called?.name ?? ''
        call.arguments += called?.arguments ?? ''
      }
      if (finish_reason != null) terminal = chatEnds[finish_reason] ?? 'complete'
    }
  // The reason alone says that calls are finished.
  return { calls: terminal === 'complete' ? [...calls.values()] : [], terminal }
}

function messagesStream(events: readonly Wire[]): Announced {
  const open = new Map<number, { name: string; arguments: string }>()
  const calls: AnnouncedCall[] = []
  let terminal: Terminal = 'none'
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start' && block.type === 'tool_use')
      open.set(index, { name: block.name, arguments: '' })
    const call = open.get(index)
    if (call !== undefined && delta?.type === 'input_json_delta') call.arguments += delta.partial_json
    if (call !== undefined && type === 'content_block_stop') calls.push(call)
    if (type === 'message_delta') terminal = messageEnds[delta.stop_reason] ?? 'complete'
  }
  return { calls, terminal }
}

const isCall = ({ type }: Wire) => type === 'function_call' || type === 'custom_tool_call'
const isFinished = (item: Wire) =>
  isCall(item) && item.status !== 'incomplete' && item.status !== 'in_progress'
const itemCall = ({ name, arguments: text, input }: Wire): AnnouncedCall => ({
  name,
  arguments: text ?? JSON.stringify({ input }),
})

/** An end of the arguments counts as the end of a call that the item's own end does not tell. */
function responsesStream(events: readonly Wire[]): Announced {
  const calls = new Map<number, AnnouncedCall>()
  let terminal: Terminal = 'none'
  for (const { type, output_index: at, item, name, arguments: text, response } of events) {
    if (type === 'response.function_call_arguments.done') calls.set(at, { name, arguments: text })
    if (type === 'response.output_item.done' && isFinished(item)) calls.set(at, itemCall(item))
    terminal = responseEnds[type] ?? terminal
    for (const [position, each] of (response?.output ?? []).entries())
      if (isFinished(each)) calls.set(position, itemCall(each))
  }
  return { calls: [...calls.values()], terminal }
}

const geminiCalls = (candidates: readonly Wire[] = []): readonly AnnouncedCall[] =>
  candidates.flatMap(({ content }) =>
    (content?.parts ?? []).flatMap(({ functionCall: call }: Wire) =>
      call === undefined ? [] : [{ name: call.name, arguments: JSON.stringify(call.args) }],
    ),
  )
const geminiEnd = (candidates: readonly Wire[] = []): Terminal =>
  candidates.reduce((end, { finishReason }) => geminiEnds[finishReason] ?? end, 'none' as Terminal)

function geminiStream(events: readonly Wire[]): Announced {
  const all = events.flatMap(({ candidates = [] }) => candidates)
  return { calls: geminiCalls(all), terminal: geminiEnd(all) }
}

type Read<Body> = Readonly<Record<AnnouncingDialect, (body: Body) => Announced>>

const streams: Read<readonly Wire[]> = {
  'openai-chat': chatStream,
  'anthropic-messages': messagesStream,
  'openai-responses': responsesStream,
  gemini: geminiStream,
}

const bodies: Read<Wire> = {
  'openai-chat': ({ choices }) => ({
    calls: choices.flatMap(({ message }: Wire) =>
      (message.tool_calls ?? []).map(({ function: called }: Wire) => ({
        name: called.name,
        arguments: called.arguments,
      })),
    ),
    terminal: chatEnds[choices[0].finish_reason] ?? 'complete',
  }),
  'anthropic-messages': ({ content, stop_reason }) => ({
    calls: content.flatMap(({ type, name, input }: Wire) =>
      type === 'tool_use' ? [{ name, arguments: JSON.stringify(input) }] : [],
    ),
    terminal: messageEnds[stop_reason] ?? 'complete',
  }),
  'openai-responses': ({ output, status }) => ({
    calls: output.filter(isFinished).map(itemCall),
    terminal: responseEnds[`response.${status}`] ?? 'none',
  }),
  gemini: ({ candidates }) => ({ calls: geminiCalls(candidates), terminal: geminiEnd(candidates) }),
}
