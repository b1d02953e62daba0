import type { AssistantPart, MediaPart, ToolCallPart } from '../canonical/request.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { isObject, type JsonObject } from '../json/value.ts'
import { encodeSource, signatureMember } from './parts.ts'

/** A part as the service reads and writes it. */
export type WirePart = Readonly<Record<string, unknown>>

/** Arguments as the format requires them; `undefined` when the text is not a JSON object. An empty text becomes `{}`. */
export function argumentsOf(text: string): JsonObject | undefined {
  const value = text.trim() === '' ? {} : parseExactJson(text)
  return isObject(value) ? value : undefined
}

/**
 * A part of a response. `undefined` for an empty part, for reasoning that only its vendor can read, and for a call whose
 * arguments are not a JSON object: see `malformedCall`.
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
 * The message for a call whose arguments are not a JSON object; empty when they are one. The encoder does not send such a
 * call: with empty arguments the caller would run a tool in a way that the model did not ask for. The candidate ends as
 * Gemini itself ends it, with MALFORMED_FUNCTION_CALL and a message that holds the call.
 */
export function malformedCall(call: Pick<ToolCallPart, 'name' | 'arguments'>): string {
  return argumentsOf(call.arguments) === undefined ? messageFor(call) : ''
}

/** The same for a call that never ended, whatever came of its arguments. */
export function messageFor({ name, arguments: text }: Pick<ToolCallPart, 'name' | 'arguments'>): string {
  return `Malformed function call: ${name}(${text})`
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
