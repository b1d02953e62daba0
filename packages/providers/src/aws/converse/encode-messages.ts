import type { JsonObject, Message } from '@tollgate/formats'
import { encodeAssistantPart, encodeText, encodeUserPart } from './encode-content.ts'
import type { Encoding } from './encoding.ts'

export interface Conversation {
  readonly system: readonly JsonObject[]
  readonly messages: readonly Turn[]
}

/** A type, not an interface: it is written as it is. */
export type Turn = {
  readonly role: 'user' | 'assistant'
  readonly content: readonly JsonObject[]
}

/** Stands where the format wants a text and the caller has none. */
const placeholder: JsonObject = { text: '...' }

/**
 * Turns as the upstream wants them: the user begins, neighbours of one role are one turn, results of tools come first in
 * theirs, and a document does not stand without a text. Instructions inside the conversation are the user's texts.
 */
export function encodeMessages(messages: readonly Message[], encoding: Encoding): Conversation {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const count = first < 0 || !encoding.traits.system ? 0 : first
  const turns = merge(
    messages.slice(count).map((message, place) => encodeTurn(message, count + place, encoding)),
  )
  const started: readonly Turn[] =
    turns[0]?.role === 'user' ? turns : [{ role: 'user', content: [placeholder] }, ...turns]
  return {
    system: messages.slice(0, count).flatMap((message) => instructionOf(message, encoding)),
    messages: withTrimmedEnd(started.map(resultsFirst).map(withText)),
  }
}

function instructionOf(message: Message, encoding: Encoding): readonly JsonObject[] {
  return message.role === 'system' ? message.parts.flatMap((part) => encodeText(part, encoding)) : []
}

function encodeTurn(message: Message, place: number, encoding: Encoding): Turn {
  const param = (part: number) => `messages[${place}].content[${part}]`
  if (message.role === 'system') return { role: 'user', content: instructionOf(message, encoding) }
  if (message.name !== undefined && message.name !== '') encoding.dropped.add('name')
  const content =
    message.role === 'user'
      ? message.parts.flatMap((part, at) => encodeUserPart(part, param(at), encoding))
      : message.parts.flatMap((part, at) => encodeAssistantPart(part, param(at), encoding))
  return { role: message.role, content }
}

/** Neighbours of one role as one turn; a turn without content is none. */
function merge(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (turn.content.length === 0) continue
    if (last?.role === turn.role)
      merged[merged.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] }
    else merged.push(turn)
  }
  return merged
}

function resultsFirst(turn: Turn): Turn {
  const isResult = ({ toolResult }: JsonObject) => toolResult !== undefined
  const results = turn.content.filter(isResult)
  if (results.length === 0) return turn
  return { ...turn, content: [...results, ...turn.content.filter((block) => !isResult(block))] }
}

function withText(turn: Turn): Turn {
  const hasDocument = turn.content.some(({ document }) => document !== undefined)
  const hasText = turn.content.some(({ text }) => text !== undefined)
  return hasDocument && !hasText ? { ...turn, content: [...turn.content, placeholder] } : turn
}

/** An answer that is to be continued must not end with white space. */
function withTrimmedEnd(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || typeof block?.text !== 'string') return turns
  const content = [...last.content.slice(0, -1), { text: block.text.trimEnd() }]
  return [...turns.slice(0, -1), { role: 'assistant', content }]
}
