import type { IncomingMessage } from 'node:http'

/** A call as it came over the wire. Times are on the clock of `performance.now()`. */
export interface ReceivedCall {
  readonly method: string
  /** Path as sent, escapes included, without query. */
  readonly path: string
  /** Question mark included; empty without a query. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Names and values in the order and spelling they came in. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** Parsed body; an empty object when it does not parse. */
  readonly json: Readonly<Record<string, unknown>>
  readonly receivedAt: number
  /** Time when the other side hung up before the response was complete. */
  readonly abortedAt: number | undefined
}

/** A model's scripted response, independent of any vendor's format. */
export interface Scripted {
  /** Pieces of the reasoning before its text, one event each. Vendors that sign reasoning do so. */
  readonly reasoning?: readonly string[]
  /** Pieces of the text, one event each; none for a response without text. */
  readonly text?: readonly string[]
  /** Signature of formats that sign texts. */
  readonly textSignature?: string
  /** Side by side. */
  readonly toolCalls?: readonly ScriptedCall[]
  readonly counts?: Counts
  /**
   * Part of a stream that reports its counts: its end as its vendor does, its start alone, or none. Vendors that report some counts at
   * the start and the rest at the end do so for `end`.
   */
  readonly countsAt?: 'end' | 'start' | 'nowhere'
}

export interface ScriptedCall {
  readonly id: string
  readonly name: string
  /** Pieces of the arguments' JSON text. */
  readonly pieces: readonly string[]
  /** Signature of formats that sign calls. */
  readonly signature?: string
}

/** Token counts, each kind apart; only vendors that support them report cache writes and reasoning. */
export interface Counts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** Reasoning included. */
  readonly output: number
  readonly reasoning: number
}

export const defaultCounts: Counts = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, reasoning: 0 }

/** One event of a stream as its vendor frames it. */
export interface WireFrame {
  readonly bytes: Uint8Array
  /** It carries a part of the response: text or a piece of a call. */
  readonly delivers: boolean
}

export interface Refusal {
  /** Status of vendors whose failures have one of their own, whatever they are. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** The content of a received request, independent of any vendor's format. */
export interface ReceivedPrompt {
  /** Names of the tools that may be called. */
  readonly tools: readonly string[]
  /** The finished calls of tools in its history, in the order of the calls. */
  readonly toolTurns: readonly ToolTurn[]
  /** Images: their bytes as base64, or their addresses. */
  readonly images: readonly string[]
  /** JSON Schema of the requested response. */
  readonly schema: unknown
  readonly wantsReasoning: boolean
}

/** A turn with a tool, as the second request holds it. */
export interface ToolTurn {
  readonly name: string
  readonly arguments: unknown
  readonly result: string
  /** Signature of the call, where the format signs calls. */
  readonly signature?: string
}

/** Protocol of one vendor. */
export interface Protocol {
  readonly streamType: string
  wantsStream(call: ReceivedCall): boolean
  /** Returns the vendor's refusal of a call; `undefined` for none. */
  fault(call: ReceivedCall): { readonly status: number; readonly message: string } | undefined
  frames(reply: Scripted, call: ReceivedCall): readonly WireFrame[]
  buffered(reply: Scripted, call: ReceivedCall): object
  refusal(status: number, message: string): Refusal
  /** A frame whose payload cannot be read, where it is framed otherwise than server-sent events. */
  readonly garbled?: Uint8Array
  /** An error inside a stream. */
  failure(message: string): Uint8Array
  modelOf(call: ReceivedCall): string
  /** Recognises a call for something beside a model's response, such as an address for a file. */
  isAside?(call: ReceivedCall): boolean
  reported(call: ReceivedCall): ReceivedPrompt
}

/** The bytes of a data URL as base64; any other address as it is. */
export const bytesIn = (address: string): string => address.replace(/^data:[^,]*,/, '')

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A server-sent event with the first half of its data alone. */
export function garbledSse({ bytes }: WireFrame): Uint8Array {
  return utf8(new TextDecoder().decode(bytes).replace(/(data: .{6}).*/, '$1'))
}

/** Server-sent event with its name where the vendor names events. */
export function sseFrame(
  data: object | string,
  { event = '', delivers = false, lineEnd = '\n' } = {},
): WireFrame {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const name = event === '' ? '' : `event: ${event}${lineEnd}`
  return { bytes: utf8(`${name}data: ${text}${lineEnd}${lineEnd}`), delivers }
}

/** Reads the complete request. */
export async function receiveCall(request: IncomingMessage): Promise<ReceivedCall> {
  const receivedAt = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const [path = '', ...query] = (request.url ?? '').split('?')
  return {
    method: request.method ?? '',
    path,
    query: query.length === 0 ? '' : `?${query.join('?')}`,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    rawHeaders: request.rawHeaders,
    body,
    json: parsed(body.toString()),
    receivedAt,
    abortedAt: undefined,
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
