import { type Fields, fieldsOf, listOf, numberOf, parseJson, textOf } from '../../../lib/format/json.ts'

/** The parts of a response, as they arrive. */
export type ResponsePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'image'; readonly url: string }
  /** A piece of sound in base64, and what is said in it. */
  | { readonly type: 'audio'; readonly data: string; readonly transcript: string }
  | { readonly type: 'tool-call'; readonly index: number; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: ResponseUsage }
  | { readonly type: 'stop'; readonly reason: string }
  | { readonly type: 'error'; readonly error: ResponseError }

/** A function that the model wants called. Pieces of one call come apart: those after the first have neither id nor name. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

export interface ResponseUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Reason for which a response is missing or incomplete. */
export interface ResponseError {
  /** Fit to be shown; empty when nothing readable came. */
  readonly message: string
  /** HTTP status; 0 without a response, 200 for an error inside a stream. */
  readonly status: number
  readonly code: string
}

/** The parts of one stream event or of a buffered response: their shapes differ only in `delta` and `message`. */
export function responseParts(json: string): readonly ResponsePart[] {
  const body = fieldsOf(parseJson(json))
  if (body.error !== undefined) return [{ type: 'error', error: errorOf(body, 200) }]
  const choice = fieldsOf(listOf(body.choices)[0])
  const stated = fieldsOf(choice.delta ?? choice.message)
  const reason = textOf(choice.finish_reason)
  const usage = usageOf(body.usage)
  return [
    ...some('reasoning', textOf(stated.reasoning_content) || textOf(stated.reasoning)),
    ...some('text', contentOf(stated.content)),
    ...listOf(stated.images).flatMap(imagePart),
    ...audioPart(fieldsOf(stated.audio)),
    ...listOf(stated.tool_calls).map(toolPart),
    ...(reason === '' ? [] : [{ type: 'stop', reason } as const]),
    ...(usage ? [{ type: 'usage', usage } as const] : []),
  ]
}

/** Longest error text shown; some upstreams send whole pages. */
const maxMessage = 600

/** Reads an error body: the OpenAI shape, the console's envelope, or whatever a proxy in between wrote. */
export function readError(status: number, text: string): ResponseError {
  const body = parseJson(text)
  if (typeof body === 'object' && body !== null) return errorOf(fieldsOf(body), status)
  return { message: text.includes('<') ? '' : shorten(text), status, code: '' }
}

function errorOf(body: Fields, status: number): ResponseError {
  const error = body.error
  if (typeof error === 'string') return { message: shorten(error), status, code: '' }
  const { message, code } = fieldsOf(error ?? body)
  return { message: shorten(textOf(message)), status, code: textOf(code) }
}

/** Shortens a message. The request id stands beside it, so it need not be in it. */
function shorten(message: string): string {
  const plain = message.replace(/\s*\(request id: [^)]*\)\s*$/i, '').trim()
  return plain.length > maxMessage ? `${plain.slice(0, maxMessage)}…` : plain
}

/** Text, or the text parts of a list. */
function contentOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : listOf(value)
        .map((part) => textOf(fieldsOf(part).text))
        .join('')
}

function some(type: 'text' | 'reasoning', text: string): readonly ResponsePart[] {
  return text === '' ? [] : [{ type, text }]
}

/** An image of the response: embedded, or at an address that the browser may load safely. */
function imagePart(value: unknown): readonly ResponsePart[] {
  const url = textOf(fieldsOf(fieldsOf(value).image_url).url)
  return /^(data:image\/(png|jpeg|webp|gif);|https:\/\/)/.test(url) ? [{ type: 'image', url }] : []
}

function audioPart({ data, transcript }: Fields): readonly ResponsePart[] {
  const part = { type: 'audio', data: textOf(data), transcript: textOf(transcript) } as const
  return part.data === '' && part.transcript === '' ? [] : [part]
}

function toolPart(value: unknown, position: number): ResponsePart {
  const { index, id, function: called } = fieldsOf(value)
  const { name, arguments: input } = fieldsOf(called)
  const call = { id: textOf(id), name: textOf(name), arguments: textOf(input) }
  return { type: 'tool-call', index: numberOf(index) ?? position, call }
}

function usageOf(value: unknown): ResponseUsage | undefined {
  const { prompt_tokens, completion_tokens } = fieldsOf(value)
  return typeof prompt_tokens === 'number' && typeof completion_tokens === 'number'
    ? { promptTokens: prompt_tokens, completionTokens: completion_tokens }
    : undefined
}
