import {
  type AssistantPart,
  type DecodedResponse,
  decodeErrorBody,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '@tollgate/formats'
import { readCitations } from './citation.ts'
import { isFailedEnd, stopReasonOf } from './stop.ts'
import { readUsage } from './usage.ts'

/** Reads a 2xx answer; an error in it, or what holds no message, is a failure. Never throws. */
export function decodeResponse(body: unknown): DecodedResponse {
  const { id, message, finish_reason, usage } = objectOf(body)
  const said = objectOf(message)
  const reason = textOf(finish_reason)
  if (said.role !== 'assistant' || isFailedEnd(reason)) return { ok: false, error: failureIn(body, reason) }
  const citations = listOf(said.citations).flatMap(readCitations)
  const candidate = {
    index: 0,
    parts: partsOf(said),
    stop: { reason: stopReasonOf(reason) },
    ...(citations.length > 0 && { citations }),
  }
  const response = {
    id: textOf(id),
    model: '',
    createdAt: 0,
    candidates: [candidate],
    usage: readUsage(usage),
  }
  return { ok: true, response }
}

function failureIn(body: unknown, reason: string) {
  const text = isFailedEnd(reason) ? endedWith(reason) : JSON.stringify(body)
  return decodeErrorBody({ status: 200, headers: {}, body: text ?? '' })
}

/** An answer that the service broke off by itself names no error, only its end. */
export function endedWith(reason: string): string {
  return JSON.stringify({ message: `the upstream ended its answer with "${reason}"` })
}

/** The plan for its tools is what the model thinks aloud before it calls them. */
function partsOf({ content, tool_plan, tool_calls }: JsonObject): readonly AssistantPart[] {
  const plan = textOf(tool_plan)
  const spoken =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(objectOf)
  return [
    ...(plan === '' ? [] : [{ type: 'reasoning', text: plan } as const]),
    ...spoken.flatMap(partOf),
    ...listOf(tool_calls).map((call) => callOf(objectOf(call))),
  ]
}

function partOf({ type, text, thinking }: JsonObject): readonly AssistantPart[] {
  if (type === 'thinking')
    return textOf(thinking) === '' ? [] : [{ type: 'reasoning', text: textOf(thinking) }]
  return textOf(text) === '' ? [] : [{ type: 'text', text: textOf(text) }]
}

function callOf(call: JsonObject): AssistantPart {
  const { name, arguments: given } = objectOf(call.function)
  return {
    type: 'tool-call',
    id: textOf(call.id),
    name: textOf(name),
    arguments: argumentsText(textOf(given)),
  }
}

/** Tools without arguments are called with `null`. */
export function argumentsText(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || trimmed === 'null' ? '{}' : text
}
