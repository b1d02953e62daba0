import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../../../lib/format/json.ts'
import { type Conversation, columns } from '../chat/conversation.ts'
import type { ToolCall } from '../chat/response-part.ts'
import {
  type AssistantMessage,
  type AttachedImage,
  isOpen,
  type Message,
  type Thread,
} from '../chat/thread.ts'

/** Name of a shared run in the part of an address that browsers send to no server. */
export const hashName = '#run='

/** Decides whether an address brings a run. */
export function hasSharedRun(hash: string): boolean {
  return hash.startsWith(hashName)
}

/**
 * Reads what this browser stored: `undefined` where it is not a conversation, because an older console or another program
 * wrote it. Marks a response that was running when the page was left as interrupted.
 */
export function readConversation(value: unknown): Conversation | undefined {
  const stored = fieldsOf(value)
  const [first, ...others] = listOf(stored.threads).slice(0, columns.length).map(readThread)
  if (typeof stored.id !== 'string' || stored.id === '' || !first) return undefined
  return {
    id: stored.id,
    name: textOf(stored.name),
    createdAt: numberOf(stored.createdAt) ?? 0,
    updatedAt: numberOf(stored.updatedAt) ?? 0,
    threads: [first, ...others],
  }
}

/** Reads the pictures of a draft. */
export function readDraftImages(value: unknown): readonly AttachedImage[] {
  return listOf(fieldsOf(value).images).flatMap(readImage)
}

function readThread(value: unknown): Thread | undefined {
  const stored = fieldsOf(value)
  if (!Array.isArray(stored.messages)) return undefined
  const messages = stored.messages.map(readMessage).filter((message) => message !== undefined)
  return { messages, contextStart: Math.min(numberOf(stored.contextStart) ?? 0, messages.length) }
}

function readMessage(value: unknown): Message | undefined {
  const stored = fieldsOf(value)
  if (typeof stored.id !== 'string' || typeof stored.content !== 'string') return undefined
  const facts = { id: stored.id, createdAt: numberOf(stored.createdAt) ?? 0, content: stored.content }
  if (stored.role === 'user')
    return { ...facts, role: 'user', images: listOf(stored.images).flatMap(readImage) }
  return stored.role === 'assistant' ? finished({ ...facts, ...readResponse(stored) }) : undefined
}

function readResponse(stored: Fields): Omit<AssistantMessage, 'id' | 'createdAt' | 'content'> {
  return {
    role: 'assistant',
    status: statuses.find((status) => status === stored.status) ?? 'complete',
    reasoning: textOf(stored.reasoning),
    images: textsIn(stored.images),
    audio: textsIn(stored.audio),
    toolCalls: listOf(stored.toolCalls).map(readToolCall),
    model: textOf(stored.model),
    group: textOf(stored.group),
    stopped: stored.stopped === true,
    stopReason: textOf(stored.stopReason),
    error: readError(stored.error),
    usage: readNumbers(stored.usage, ['promptTokens', 'completionTokens']),
    charge: readNumbers(stored.charge, ['quota', 'promptTokens', 'completionTokens']),
    requestId: textOf(stored.requestId),
    firstTokenMs: numberOf(stored.firstTokenMs),
    totalMs: numberOf(stored.totalMs),
  }
}

function textsIn(value: unknown): readonly string[] {
  return listOf(value).flatMap((text) => (typeof text === 'string' ? [text] : []))
}

function readToolCall(value: unknown): ToolCall {
  const { id, name, arguments: input } = fieldsOf(value)
  return { id: textOf(id), name: textOf(name), arguments: textOf(input) }
}

const statuses = ['loading', 'incomplete', 'complete', 'error'] as const

/** Error code of a response whose page was left before it ended. */
export const leftEarly = 'page_left'

function finished(response: AssistantMessage): AssistantMessage {
  if (!isOpen(response)) return response
  return { ...response, status: 'error', error: { message: '', status: 0, code: leftEarly } }
}

function readError(value: unknown): AssistantMessage['error'] {
  if (typeof value !== 'object' || value === null) return undefined
  const { message, status, code } = fieldsOf(value)
  return { message: textOf(message), status: numberOf(status) ?? 0, code: textOf(code) }
}

function readImage(value: unknown): readonly AttachedImage[] {
  const { name, url } = fieldsOf(value)
  return typeof url === 'string' && url.startsWith('data:image/') ? [{ name: textOf(name), url }] : []
}

function readNumbers<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, number>> | undefined {
  const stored = fieldsOf(value)
  const entries = names.map((name) => [name, numberOf(stored[name])] as const)
  return entries.every(([, number]) => number !== undefined)
    ? (Object.fromEntries(entries) as Record<Name, number>)
    : undefined
}
