import {
  isObject,
  type JsonEdits,
  type JsonObject,
  listOf,
  outlineOf,
  type RequestText,
} from '@tollgate/formats'
import { noEdits } from './json-edits.ts'

/** One message as an upstream wants it; the same object where nothing is to change. */
export type MessageEdit = (message: JsonObject, position: number, all: readonly unknown[]) => JsonObject

/** The messages with each one edited; nothing when no message changes. Whether one does must not depend on its text. */
export function editMessages(request: RequestText, edit: MessageEdit): JsonEdits {
  if (changedMessages(outlineOf(request), edit) === undefined) return noEdits
  const edited = changedMessages(request.body, edit)
  return edited === undefined ? noEdits : messagesEdit(edited)
}

/** `undefined` when no message changes. */
function changedMessages(body: JsonObject, edit: MessageEdit): readonly unknown[] | undefined {
  const messages = listOf(body.messages)
  const edited = messages.map((message, index) =>
    isObject(message) ? edit(message, index, messages) : message,
  )
  return edited.every((message, index) => message === messages[index]) ? undefined : edited
}

/** The edit that puts these messages in place of the request's. */
export function messagesEdit(messages: readonly unknown[]): JsonEdits {
  return new Map([['messages', JSON.stringify(messages)]])
}

/** Several edits of a message, one behind the other. */
export function composeEdits(...edits: readonly MessageEdit[]): MessageEdit {
  return (message, position, all) => edits.reduce((edited, edit) => edit(edited, position, all), message)
}

/** The object without these members; the same one where it has none of them. */
export function omitMembers(object: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some((name) => name in object)) return object
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Neighbouring messages of one side as one, for upstreams that want both sides to take turns; the same list where none are. */
export function mergedNeighbours(messages: readonly unknown[]): readonly unknown[] {
  const merged: unknown[] = []
  for (const next of messages) {
    const last = merged.at(-1)
    if (isObject(next) && isObject(last) && canJoin(last, next))
      merged[merged.length - 1] = { ...last, content: joined(last.content, next.content) }
    else merged.push(next)
  }
  return merged.length === messages.length ? messages : merged
}

const sides: ReadonlySet<unknown> = new Set(['user', 'assistant'])

function canJoin(last: JsonObject, next: JsonObject): boolean {
  return sides.has(next.role) && last.role === next.role && !('tool_calls' in last) && !('tool_calls' in next)
}

function joined(first: unknown, second: unknown): unknown {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`
  return [...partsOf(first), ...partsOf(second)]
}

function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
}
