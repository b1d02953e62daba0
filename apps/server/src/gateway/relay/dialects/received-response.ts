import {
  type ApiError,
  type BufferedResponse,
  type ContentOutline,
  type Delivered,
  isObject,
  type JsonObject,
  parseExactJson,
  restoreToolNames,
  type StreamReader,
  type StreamStep,
  type ToolNames,
  type Usage,
} from '@tollgate/formats'
import type { CallIdentity, Operation } from '@tollgate/providers'

type Reading = Extract<BufferedResponse, { readonly ok: true }>

/** A buffered response in the caller's own format: it passes as received, whatever is charged. */
export class ReceivedResponse {
  readonly ok = true
  readonly #reading: Reading
  readonly #body: Uint8Array | string

  readonly outline: ContentOutline | undefined

  constructor(reading: Reading, body: Uint8Array | string, outline?: ContentOutline) {
    this.outline = outline
    this.#reading = reading
    this.#body = body
  }

  get usage(): Usage | undefined {
    return this.#reading.usage
  }

  get latestUsage(): Usage | undefined {
    return this.#reading.latestUsage
  }

  delivered(): Delivered {
    return this.#reading.delivered()
  }

  encode(): Uint8Array | string {
    return this.#body
  }
}

/** The response as its format normalizes it; `undefined` where its bytes may pass. */
export function normalizedResponse(
  text: string,
  { normalizeResponse }: Operation,
  call: CallIdentity,
): JsonObject | undefined {
  const response = normalizeResponse === undefined ? undefined : parseExactJson(text)
  if (normalizeResponse === undefined || !isObject(response)) return undefined
  const normalized = normalizeResponse(response, call)
  return normalized === response ? undefined : normalized
}

/** The same of the events of a stream. */
export function normalizeFor(
  { normalizeResponse }: Operation,
  call: CallIdentity,
): { readonly normalizeResponse?: (event: JsonObject) => JsonObject } {
  return normalizeResponse === undefined
    ? {}
    : { normalizeResponse: (event) => normalizeResponse(event, call) }
}

/** A key of JSON as no text within JSON can hold it: quotes are escaped there. */
const absentPrevious = /"previous_response_id"\s*:\s*null/g

/** Restores `previous_response_id` in a piece of a response, because the upstream did not receive it. */
function withEcho(text: string, echo: JsonObject): string {
  const id = echo.previous_response_id
  if (typeof id !== 'string') return text
  return text.replace(absentPrevious, () => `"previous_response_id":${JSON.stringify(id)}`)
}

const utf8 = new TextDecoder()
const bytesOf = new TextEncoder()

/** A text with an edit that most texts do not need. */
export type TextEdit = (text: string) => string

/** The edit that restores what the upstream did not receive; `undefined` where nothing is to be restored. */
export function restoringEdit(
  echo: JsonObject | undefined,
  toolNames: ToolNames | undefined,
): TextEdit | undefined {
  if (echo === undefined) return toolNames && ((text) => restoreToolNames(text, toolNames))
  if (toolNames === undefined) return (text) => withEcho(text, echo)
  return (text) => restoreToolNames(withEcho(text, echo), toolNames)
}

/** The same bytes where the edit changes nothing. */
export function editedBytes(bytes: Uint8Array, edit: TextEdit): Uint8Array {
  const text = utf8.decode(bytes)
  const edited = edit(text)
  return edited === text ? bytes : bytesOf.encode(edited)
}

/** An edit of the pieces of a response, in their order. */
export interface PieceEdit {
  bytes(piece: Uint8Array): Uint8Array
  text(piece: string): string
}

/** The edit of pieces that hold complete events. */
export function eventEdit(edit: TextEdit): PieceEdit {
  return { bytes: (piece) => editedBytes(piece, edit), text: edit }
}

/** A stream whose pieces pass as its reader forwards them, apart from an edit. */
export class EditingReader implements StreamReader {
  readonly #reader: StreamReader
  readonly #edit: PieceEdit

  constructor(reader: StreamReader, edit: PieceEdit) {
    this.#reader = reader
    this.#edit = edit
  }

  push(chunk: Uint8Array): StreamStep {
    return this.#restored(this.#reader.push(chunk))
  }

  end(): StreamStep {
    return this.#restored(this.#reader.end())
  }

  get phase() {
    return this.#reader.phase
  }

  get outcome() {
    return this.#reader.outcome
  }

  get usage() {
    return this.#reader.usage
  }

  get leftOut() {
    return this.#reader.leftOut
  }

  get toolCalls() {
    return this.#reader.toolCalls
  }

  get latestUsage() {
    return this.#reader.latestUsage
  }

  get deliveredSize() {
    return this.#reader.deliveredSize
  }

  get made() {
    return this.#reader.made
  }

  get isWhole() {
    return this.#reader.isWhole
  }

  failure(error: ApiError) {
    return this.#reader.failure?.(error)
  }

  delivered() {
    return this.#reader.delivered()
  }

  trailer(charged: Parameters<StreamReader['trailer']>[0]): string {
    return this.#edit.text(this.#reader.trailer(charged))
  }

  lengthTrailer(charged: Parameters<StreamReader['trailer']>[0]): string {
    const reader = this.#reader
    return this.#edit.text(reader.lengthTrailer?.(charged) ?? reader.trailer(charged))
  }

  #restored(step: StreamStep): StreamStep {
    return { ...step, forward: step.forward.map((piece) => this.#edit.bytes(piece)) }
  }
}
