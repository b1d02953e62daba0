import { type JsonEdits, type JsonScan, memberText } from './text.ts'
import { decodeUtf8 } from './utf8.ts'
import type { JsonObject } from './value.ts'

/** A JSON body on its way to an upstream: its text, and its members as parsed. */
export interface RequestText {
  readonly text: string
  readonly scan: JsonScan
  readonly body: JsonObject
  /** The same in bytes, as far as it came as such and was not read as text: text and members are made when they are read. */
  readonly received?: ReceivedJson | undefined
}

/** A JSON body in UTF-8 as it was received. */
export interface ReceivedJson {
  readonly bytes: Uint8Array
  /** Its offsets are bytes. */
  readonly scan: JsonScan
  /** Parsed body in which messages of one text alone have a `PlainMessage` in their place. */
  readonly outline: JsonObject
  /** Tells whether the bytes contain an ASCII text. */
  includes(ascii: string): boolean
}

/** The body for those who look at its structure, and at no text of a plain message. */
export function outlineOf(request: Pick<RequestText, 'received' | 'body'>): JsonObject {
  return request.received === undefined ? request.body : request.received.outline
}

/** Tells whether the text of a body contains an ASCII text. */
export function containsText(request: Pick<RequestText, 'received' | 'text'>, ascii: string): boolean {
  return request.received === undefined ? request.text.includes(ascii) : request.received.includes(ascii)
}

/** The value of a member of the body as it is written; `undefined` for one that is absent. */
export function memberTextOf(request: RequestText, name: string): string | undefined {
  const { received } = request
  const member = (received ?? request).scan.members.get(name)
  if (member === undefined) return undefined
  return received === undefined
    ? memberText(request.text, member)
    : decodeUtf8(received.bytes.subarray(member.valueStart, member.end))
}

/**
 * Edits that one upstream needs beyond the common ones: new JSON text by top-level key, `undefined` removes the key.
 * @param model the model's name upstream
 */
export type RequestQuirks = (request: RequestText, model: string) => JsonEdits
