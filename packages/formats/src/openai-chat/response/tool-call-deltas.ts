import type { Signature } from '../../canonical/request.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { leftOut } from '../../framing/event-shape.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../../json/value.ts'
import { argumentsText } from '../../streams/call-arguments.ts'
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
  readonly signature: Signature | undefined
  /** Empty until the upstream names the tool. */
  name: string
  /** False while a call that has an id waits for its name. */
  isStarted: boolean
  /** Arguments of a call that has not started, or that has no id by which the next one would differ. */
  text: string
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
  for (const open of calls.open.values()) endCall(open, candidate, parts)
  calls.open.clear()
}

function endCall(open: OpenCall, candidate: number, parts: ChatPart[]): void {
  if (!open.isStarted) startCall(open, candidate, parts)
  parts.push({ type: 'tool-call-end', candidate, call: open.call })
}

/** Starts a call, with the arguments that came before its name. */
function startCall(open: OpenCall, candidate: number, parts: ChatPart[]): void {
  const { id, call, name, signature, text } = open
  open.isStarted = true
  parts.push({ type: 'tool-call-start', candidate, call, id, name, ...(signature && { signature }) })
  if (text !== '') parts.push({ type: 'tool-call-delta', candidate, call, arguments: text })
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
    if (open !== undefined) endCall(open, candidate, parts)
    const signature = readGoogleSignature(delta)
    open = { id, call: calls.count++, signature, name, isStarted: false, text: '' }
    calls.open.set(key, open)
  }
  if (open.name === '') open.name = name
  if (!open.isStarted && (open.name !== '' || open.id === '')) startCall(open, candidate, parts)
  addArguments(open, argumentsText(called.arguments ?? custom.input), candidate, parts)
}

function addArguments(open: OpenCall, text: string, candidate: number, parts: ChatPart[]): void {
  if (text === '') return
  if (!open.isStarted || open.id === '') open.text += text
  if (open.isStarted) parts.push({ type: 'tool-call-delta', candidate, call: open.call, arguments: text })
}

/** A call of a kind that no other format has; the pieces of one that has begun have no type. */
function isUnknown({ type, function: called, custom }: JsonObject): boolean {
  return !isObject(called) && !isObject(custom) && textOf(type) !== ''
}

/**
 * Some upstreams give every call index 0, or no index; others give each piece of a call a new id, but its name only once. Calls without
 * an id differ by their arguments: behind complete ones a name begins the next call.
 */
function startsAnother(open: OpenCall, id: string, name: string): boolean {
  if (name === '' || !(open.isStarted || open.text !== '')) return false
  if (id !== '') return id !== open.id
  return open.id === '' && open.text.endsWith('}') && isObject(parseJson(open.text))
}
