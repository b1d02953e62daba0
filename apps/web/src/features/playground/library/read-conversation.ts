import type { Conversation } from '../chat/conversation.ts'
import {
  type AssistantMessage,
  type AttachedImage,
  isOpen,
  type Message,
  type Thread,
} from '../chat/thread.ts'

/**
 * Reads what this browser kept: `undefined` where it is no conversation, because an older console or another program
 * wrote it. An answer that was on its way when the page was left is marked as broken off.
 */
export function readConversation(value: unknown): Conversation | undefined {
  const kept = fieldsOf(value)
  const [first, second] = listOf(kept.threads).map(readThread)
  if (typeof kept.id !== 'string' || kept.id === '' || !first) return undefined
  return {
    id: kept.id,
    name: textOf(kept.name),
    createdAt: numberOf(kept.createdAt) ?? 0,
    updatedAt: numberOf(kept.updatedAt) ?? 0,
    threads: second ? [first, second] : [first],
  }
}

/** Reads the pictures of a draft. */
export function readDraftImages(value: unknown): readonly AttachedImage[] {
  return listOf(fieldsOf(value).images).flatMap(readImage)
}

function readThread(value: unknown): Thread | undefined {
  const kept = fieldsOf(value)
  if (!Array.isArray(kept.messages)) return undefined
  const messages = kept.messages.map(readMessage).filter((message) => message !== undefined)
  return { messages, contextStart: Math.min(numberOf(kept.contextStart) ?? 0, messages.length) }
}

function readMessage(value: unknown): Message | undefined {
  const kept = fieldsOf(value)
  if (typeof kept.id !== 'string' || typeof kept.content !== 'string') return undefined
  const facts = { id: kept.id, createdAt: numberOf(kept.createdAt) ?? 0, content: kept.content }
  if (kept.role === 'user') return { ...facts, role: 'user', images: listOf(kept.images).flatMap(readImage) }
  return kept.role === 'assistant' ? finished({ ...facts, ...readAnswer(kept) }) : undefined
}

function readAnswer(kept: Fields): Omit<AssistantMessage, 'id' | 'createdAt' | 'content'> {
  return {
    role: 'assistant',
    status: statuses.find((status) => status === kept.status) ?? 'complete',
    reasoning: textOf(kept.reasoning),
    model: textOf(kept.model),
    group: textOf(kept.group),
    stopped: kept.stopped === true,
    stopReason: textOf(kept.stopReason),
    error: readError(kept.error),
    usage: readNumbers(kept.usage, ['promptTokens', 'completionTokens']),
    charge: readNumbers(kept.charge, ['quota', 'promptTokens', 'completionTokens']),
    requestId: textOf(kept.requestId),
    firstTokenMs: numberOf(kept.firstTokenMs),
    totalMs: numberOf(kept.totalMs),
  }
}

const statuses = ['loading', 'incomplete', 'complete', 'error'] as const

/** Code of an answer whose page was left before it had ended. */
export const leftEarly = 'page_left'

function finished(answer: AssistantMessage): AssistantMessage {
  if (!isOpen(answer)) return answer
  return { ...answer, status: 'error', error: { message: '', status: 0, code: leftEarly } }
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
  const kept = fieldsOf(value)
  const entries = names.map((name) => [name, numberOf(kept[name])] as const)
  return entries.every(([, number]) => number !== undefined)
    ? (Object.fromEntries(entries) as Record<Name, number>)
    : undefined
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
