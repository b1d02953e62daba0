import type { ResponseError, ResponsePart, ResponseUsage, ToolCall } from './response-part.ts'

interface MessageFacts {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly content: string
}

/** A picture that goes with a message. */
export interface AttachedImage {
  readonly name: string
  /** `data:image/png;base64,…` */
  readonly url: string
}

export interface UserMessage extends MessageFacts {
  readonly role: 'user'
  readonly images: readonly AttachedImage[]
}

/** `loading` until the first piece came, `incomplete` while pieces come, then `complete` or `error`. */
export type ResponseStatus = 'loading' | 'incomplete' | 'complete' | 'error'

/** The cost of a response, from the usage log. */
export interface ResponseCharge {
  /** Charge in quota units. */
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface AssistantMessage extends MessageFacts {
  readonly role: 'assistant'
  readonly status: ResponseStatus
  readonly reasoning: string
  /** Addresses, most of them with the image in them. */
  readonly images: readonly string[]
  /** Pieces of one sound in base64, each decoded by itself. */
  readonly audio: readonly string[]
  readonly toolCalls: readonly ToolCall[]
  /** Model of the request. */
  readonly model: string
  readonly group: string
  /** The person stopped it. */
  readonly stopped: boolean
  readonly stopReason: string
  readonly error: ResponseError | undefined
  readonly usage: ResponseUsage | undefined
  /** Unknown until the log has the row of this call. */
  readonly charge: ResponseCharge | undefined
  readonly requestId: string
  /** Milliseconds from sending. */
  readonly firstTokenMs: number | undefined
  readonly totalMs: number | undefined
}

export type Message = UserMessage | AssistantMessage

/** Messages with one model. */
export interface Thread {
  readonly messages: readonly Message[]
  /** Messages before this one are shown and no longer sent. */
  readonly contextStart: number
}

export const emptyThread: Thread = { messages: [], contextStart: 0 }

/** A piece of a message with pictures, as the OpenAI dialect has it. */
export type SentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A message as it is sent. */
export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly SentPart[]
  readonly tool_calls?: readonly SentToolCall[]
  /** With the role `tool`: the call whose result it is. */
  readonly tool_call_id?: string
}

interface SentToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** The messages for the model: the system prompt, if any, and those since the context was cleared. */
export function messagesToSend({ messages, contextStart }: Thread, system: string): readonly SentMessage[] {
  const said = messages.slice(contextStart)
  const stated = said.flatMap((message, at) => sentMessages(message, said[at - 1]))
  return system.trim() === '' ? stated : [{ role: 'system', content: system }, ...stated]
}

function sentMessages(message: Message, before: Message | undefined): readonly SentMessage[] {
  return message.role === 'user' ? sentPrompt(message, openToolCalls(before)) : sentResponse(message)
}

/** The words after calls of functions are their result: no model takes anything else there. */
function sentPrompt(
  { content, images }: UserMessage,
  toolCalls: readonly ToolCall[],
): readonly SentMessage[] {
  const results = toolCalls.map(({ id }) => ({ role: 'tool', content, tool_call_id: id }) as const)
  const text = results.length > 0 ? '' : content
  if (images.length > 0) return [...results, { role: 'user', content: sentParts(text, images) }]
  return text === '' ? results : [{ role: 'user', content: text }]
}

function sentResponse({ content, toolCalls }: AssistantMessage): readonly SentMessage[] {
  if (toolCalls.length === 0) return content === '' ? [] : [{ role: 'assistant', content }]
  const tool_calls = toolCalls.map(
    ({ id, name, arguments: input }) =>
      ({ id, type: 'function', function: { name, arguments: input } }) as const,
  )
  return [{ role: 'assistant', content, tool_calls }]
}

/** The calls of functions that wait for their results. */
export function openToolCalls(last: Message | undefined): readonly ToolCall[] {
  return last?.role === 'assistant' ? last.toolCalls : []
}

/** Text before pictures: some models read only what comes first. */
export function sentParts(text: string, images: readonly AttachedImage[]): readonly SentPart[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...images.map(({ url }) => ({ type: 'image_url', image_url: { url } }) as const),
  ]
}

export function append(thread: Thread, ...messages: readonly Message[]): Thread {
  return { ...thread, messages: [...thread.messages, ...messages] }
}

/** Forgets a message and everything after it. */
export function cutAt(thread: Thread, id: string): Thread {
  const index = thread.messages.findIndex((message) => message.id === id)
  if (index === -1) return thread
  return {
    messages: thread.messages.slice(0, index),
    contextStart: Math.min(thread.contextStart, index),
  }
}

/** Starts a new context: no former message is sent any more. */
export function clearContext(thread: Thread): Thread {
  return { ...thread, contextStart: thread.messages.length }
}

export function changeResponse(
  thread: Thread,
  id: string,
  change: (response: AssistantMessage) => AssistantMessage,
): Thread {
  return {
    ...thread,
    messages: thread.messages.map((message) =>
      message.id === id && message.role === 'assistant' ? change(message) : message,
    ),
  }
}

/** The running response, if there is one. */
export function openResponse({ messages }: Thread): AssistantMessage | undefined {
  const last = messages.at(-1)
  return last?.role === 'assistant' && isOpen(last) ? last : undefined
}

export function isOpen({ status }: Pick<AssistantMessage, 'status'>): boolean {
  return status === 'loading' || status === 'incomplete'
}

/** Adds one piece. `elapsedMs` counts from sending. */
export function withPart(
  response: AssistantMessage,
  part: ResponsePart,
  elapsedMs: number,
): AssistantMessage {
  switch (part.type) {
    case 'text':
      return started({ ...response, content: response.content + part.text }, elapsedMs)
    case 'reasoning':
      return started({ ...response, reasoning: response.reasoning + part.text }, elapsedMs)
    case 'image':
      return started({ ...response, images: [...response.images, part.url] }, elapsedMs)
    case 'audio':
      return started(withAudio(response, part), elapsedMs)
    case 'tool-call':
      return started(withToolCall(response, part), elapsedMs)
    case 'usage':
      return { ...response, usage: part.usage }
    case 'stop':
      return { ...response, stopReason: part.reason }
    case 'error':
      return { ...response, status: 'error', error: part.error }
  }
}

type PartOf<Type extends ResponsePart['type']> = Extract<ResponsePart, { readonly type: Type }>

function withAudio(response: AssistantMessage, { data, transcript }: PartOf<'audio'>): AssistantMessage {
  return {
    ...response,
    content: response.content + transcript,
    audio: data === '' ? response.audio : [...response.audio, data],
  }
}

function withToolCall(response: AssistantMessage, { index, call }: PartOf<'tool-call'>): AssistantMessage {
  const before = response.toolCalls[index]
  if (before === undefined) return { ...response, toolCalls: [...response.toolCalls, call] }
  const joined: ToolCall = {
    id: before.id || call.id,
    name: before.name || call.name,
    arguments: before.arguments + call.arguments,
  }
  return { ...response, toolCalls: response.toolCalls.with(index, joined) }
}

function started(response: AssistantMessage, elapsedMs: number): AssistantMessage {
  const status = response.status === 'error' ? 'error' : 'incomplete'
  return { ...response, status, firstTokenMs: response.firstTokenMs ?? elapsedMs }
}

/** Ends a response, of which no more pieces come. An error stays one. */
export function ended(response: AssistantMessage, elapsedMs: number): AssistantMessage {
  return { ...response, status: response.status === 'error' ? 'error' : 'complete', totalMs: elapsedMs }
}
