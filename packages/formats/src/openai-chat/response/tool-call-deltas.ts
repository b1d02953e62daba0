import type { ChatPart } from '../../canonical/stream.ts'
import { leftOut } from '../../framing/event-shape.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { readGoogleSignature } from './delta-parts.ts'

/** Tool calls of one candidate, as they come in pieces. */
export interface ToolCallDeltas {
  /** Open calls by the index that the upstream gives them. */
  readonly open: Map<number, OpenCall>
  /** Number of calls that have begun. */
  count: number
}

interface OpenCall {
  readonly id: string
  readonly call: number
}

/** Adds what the calls of a delta or a message say to `parts`. */
export function readToolCalls(
  calls: ToolCallDeltas,
  candidate: number,
  message: JsonObject,
  parts: ChatPart[],
): void {
  let position = 0
  for (const call of listOf(message.tool_calls))
    if (isObject(call)) readCall(calls, candidate, call, position++, parts)
  const legacy = message.function_call
  if (isObject(legacy)) readCall(calls, candidate, { function: legacy }, 0, parts)
}

/** Ends the calls that are open. */
export function endToolCalls(calls: ToolCallDeltas, candidate: number, parts: ChatPart[]): void {
  for (const { call } of calls.open.values()) parts.push({ type: 'tool-call-end', candidate, call })
  calls.open.clear()
}

function readCall(
  calls: ToolCallDeltas,
  candidate: number,
  delta: JsonObject,
  position: number,
  parts: ChatPart[],
): void {
  const key = numberOf(delta.index) ?? position
  const custom = objectOf(delta.custom)
  const called = isObject(delta.function) ? delta.function : custom
  const name = textOf(called.name)
  const id = textOf(delta.id)
  let open = calls.open.get(key)
  if (open === undefined && isUnknown(delta)) {
    parts.push(leftOut(`choices[${candidate}].message.tool_calls[${position}]`, textOf(delta.type)))
    return
  }
  if (open === undefined || startsAnother(open, id, name)) {
    if (open !== undefined) parts.push({ type: 'tool-call-end', candidate, call: open.call })
    open = { id, call: calls.count++ }
    calls.open.set(key, open)
    const signature = readGoogleSignature(delta)
    parts.push({
      type: 'tool-call-start',
      candidate,
      call: open.call,
      id,
      name,
      ...(signature && { signature }),
    })
  }
  const text = argumentsText(called.arguments ?? custom.input)
  if (text !== '') parts.push({ type: 'tool-call-delta', candidate, call: open.call, arguments: text })
}

/** A call of a kind that no other format has; the pieces of one that has begun have no type. */
function isUnknown({ type, function: called, custom }: JsonObject): boolean {
  return !isObject(called) && !isObject(custom) && textOf(type) !== ''
}

/** Some upstreams give every call index 0, or no index; others give each piece of a call a new id, but its name only once. */
function startsAnother(open: OpenCall, id: string, name: string): boolean {
  return name !== '' && id !== '' && id !== open.id
}

/** Returns arguments as text; a few servers send them parsed. */
function argumentsText(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : textOf(value)
}
