import type { AnswerError, AnswerPart, AnswerUsage } from '../stream/answer-part.ts'

interface MessageFacts {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly content: string
}

export interface UserMessage extends MessageFacts {
  readonly role: 'user'
}

/** `loading` until the first piece came, `incomplete` while pieces come, then `complete` or `error`. */
export type AnswerStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface AssistantMessage extends MessageFacts {
  readonly role: 'assistant'
  readonly status: AnswerStatus
  readonly reasoning: string
  /** What was asked. */
  readonly model: string
  readonly group: string
  /** The person stopped it. */
  readonly stopped: boolean
  readonly stopReason: string
  readonly error: AnswerError | undefined
  readonly usage: AnswerUsage | undefined
  readonly requestId: string
  /** Milliseconds from sending. */
  readonly firstTokenMs: number | undefined
  readonly totalMs: number | undefined
}

export type Message = UserMessage | AssistantMessage

export interface Conversation {
  readonly messages: readonly Message[]
  /** Messages before this one are shown and no longer sent. */
  readonly contextStart: number
}

export const emptyConversation: Conversation = { messages: [], contextStart: 0 }

/** A message as it is sent. */
export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What the model is told: the system prompt where there is one, and what was said since the context was cleared. */
export function messagesToSend(
  { messages, contextStart }: Conversation,
  system: string,
): readonly SentMessage[] {
  const said = messages
    .slice(contextStart)
    .filter(({ content }) => content !== '')
    .map(({ role, content }): SentMessage => ({ role, content }))
  return system.trim() === '' ? said : [{ role: 'system', content: system }, ...said]
}

export function append(conversation: Conversation, ...messages: readonly Message[]): Conversation {
  return { ...conversation, messages: [...conversation.messages, ...messages] }
}

/** Forgets a message and everything after it. */
export function cutAt(conversation: Conversation, id: string): Conversation {
  const index = conversation.messages.findIndex((message) => message.id === id)
  if (index === -1) return conversation
  return {
    messages: conversation.messages.slice(0, index),
    contextStart: Math.min(conversation.contextStart, index),
  }
}

/** From now on nothing said before is sent. */
export function clearContext(conversation: Conversation): Conversation {
  return { ...conversation, contextStart: conversation.messages.length }
}

export function changeAnswer(
  conversation: Conversation,
  id: string,
  change: (answer: AssistantMessage) => AssistantMessage,
): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map((message) =>
      message.id === id && message.role === 'assistant' ? change(message) : message,
    ),
  }
}

/** The answer that is being given, if there is one. */
export function openAnswer({ messages }: Conversation): AssistantMessage | undefined {
  const last = messages.at(-1)
  return last?.role === 'assistant' && (last.status === 'loading' || last.status === 'incomplete')
    ? last
    : undefined
}

/** Adds one piece. `elapsedMs` counts from sending. */
export function withPart(answer: AssistantMessage, part: AnswerPart, elapsedMs: number): AssistantMessage {
  switch (part.type) {
    case 'text':
      return begun({ ...answer, content: answer.content + part.text }, elapsedMs)
    case 'reasoning':
      return begun({ ...answer, reasoning: answer.reasoning + part.text }, elapsedMs)
    case 'usage':
      return { ...answer, usage: part.usage }
    case 'stop':
      return { ...answer, stopReason: part.reason }
    case 'error':
      return { ...answer, status: 'error', error: part.error }
  }
}

function begun(answer: AssistantMessage, elapsedMs: number): AssistantMessage {
  const status = answer.status === 'error' ? 'error' : 'incomplete'
  return { ...answer, status, firstTokenMs: answer.firstTokenMs ?? elapsedMs }
}

/** No more pieces will come. An error stays one. */
export function ended(answer: AssistantMessage, elapsedMs: number): AssistantMessage {
  return { ...answer, status: answer.status === 'error' ? 'error' : 'complete', totalMs: elapsedMs }
}
