import type { AssistantPart, MediaPart, ToolCallPart } from '../canonical/request.ts'
import { isObject, type JsonObject, parseJson } from '../json/value.ts'
import { encodeSource, signatureMember } from './parts.ts'

/** A part as the service reads and writes it. */
export type WirePart = Readonly<Record<string, unknown>>

/** Arguments as the format wants them; `undefined` when the text is no JSON object. None at all are `{}`. */
export function argumentsOf(text: string): JsonObject | undefined {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? value : undefined
}

/**
 * A part of a response. `undefined` for what says nothing, for thoughts that only their vendor can read, and for a call
 * whose arguments are no JSON object: see `malformedCall`.
 */
export function encodeResponsePart(part: AssistantPart): WirePart | undefined {
  switch (part.type) {
    case 'text':
      return textPart(part.text, signatureMember(part.signature))
    case 'refusal':
      return textPart(part.text, {})
    case 'reasoning':
      return encodeReasoning(part.text, signatureMember(part.signature))
    case 'media':
      return encodeMedia(part)
    case 'tool-call': {
      const args = argumentsOf(part.arguments)
      return (
        args && {
          functionCall: { ...idMember(part.id), name: part.name, args },
          ...signatureMember(part.signature),
        }
      )
    }
  }
}

/**
 * What is told of a call whose arguments are no JSON object; empty when they are one. Such a call is not sent: with
 * empty arguments instead of its own the caller would run a tool that nobody asked for. The candidate ends as the
 * service itself ends it, with MALFORMED_FUNCTION_CALL and a message that holds the call.
 */
export function malformedCall({ name, arguments: text }: Pick<ToolCallPart, 'name' | 'arguments'>): string {
  return argumentsOf(text) === undefined ? `Malformed function call: ${name}(${text})` : ''
}

/** A part with reasoning; `undefined` for one that says nothing. */
export function encodeReasoning(text: string, signature: WirePart): WirePart | undefined {
  const part = textPart(text, signature)
  return part && { ...part, thought: true }
}

/** A part with media; `undefined` for a file of another vendor. */
export function encodeMedia(part: MediaPart): WirePart | undefined {
  const text = part.source.type === 'text' ? { text: part.source.text } : undefined
  const source = encodeSource(part) ?? text
  return source && { ...source, ...signatureMember(part.signature) }
}

function textPart(text: string, signature: WirePart): WirePart | undefined {
  return text === '' && Object.keys(signature).length === 0 ? undefined : { text, ...signature }
}

function idMember(id: string): WirePart {
  return id === '' ? {} : { id }
}
