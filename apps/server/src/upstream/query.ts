import type { HttpExchange, HttpResponse } from '@tollgate/http/client'
import { cutAtMember, type JsonPiece } from '../lib/json-member.ts'
import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { OutboundForbiddenError, OutboundUnresolvedError } from '../lib/outbound/outbound-guard.ts'
import { TokenExchangeError } from './credentials.ts'
import { readBody } from './response-body/read-body.ts'
import type { ResponseHold } from './response-body/response-memory.ts'
import type { Send } from './transport.ts'

/** Bounds of a small request outside the relay. */
export interface QueryLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** A member of a JSON response whose texts may be of any length: only their beginnings are read. */
  readonly shortened?: string | undefined
  readonly signal?: AbortSignal
  /** Counts what the response holds in memory; small ones alone do without. */
  readonly enter?: (() => ResponseHold) | undefined
}

export interface SmallResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const utf8 = new TextDecoder()

/**
 * Sends and reads a small response. Does not follow redirects: they would carry credentials to another host.
 * Throws `OutboundError`, or what the guard or a credential throws.
 */
export async function readSmall(
  send: () => HttpExchange | Promise<Send>,
  { timeoutMs, signal, ...limits }: QueryLimits,
): Promise<SmallResponse> {
  const ending = new AbortController()
  const stop = () => ending.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, timeoutMs)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  let exchange: HttpExchange | undefined
  try {
    exchange = await sent(send, ending.signal)
    return await readResponse(await exchange.response, limits)
  } catch (error) {
    if (isOwnError(error)) throw error
    const failure = isLate ? 'timeout' : ending.signal.aborted ? 'aborted' : 'unreachable'
    throw new OutboundError(failure, { cause: error, isSent: exchange?.isSent === true })
  } finally {
    // A timer that still runs would keep the request and its body in memory.
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function sent(send: () => HttpExchange | Promise<Send>, ended: AbortSignal): Promise<HttpExchange> {
  const sending = send()
  const exchange = sending instanceof Promise ? (await untilAborted(sending, ended))() : sending
  ended.addEventListener('abort', () => exchange.abort(), { once: true })
  if (ended.aborted) exchange.abort()
  return exchange
}

/** Recognises an error that explains itself without a wrapper. */
function isOwnError(error: unknown): boolean {
  return (
    error instanceof OutboundError ||
    error instanceof OutboundForbiddenError ||
    error instanceof OutboundUnresolvedError ||
    error instanceof TokenExchangeError ||
    error instanceof TypeError
  )
}

type ReadLimits = Pick<QueryLimits, 'maxBytes' | 'shortened' | 'enter'>

async function readResponse(
  response: HttpResponse,
  { maxBytes, shortened, enter }: ReadLimits,
): Promise<SmallResponse> {
  if (response.status >= 300 && response.status < 400) throw new OutboundError('redirect')
  const body =
    shortened === undefined
      ? await readWithin(response, maxBytes, enter)
      : await readShortened(cutAtMember(chunksOf(response), shortened), maxBytes)
  if (body === undefined) throw new OutboundError('too-large')
  return { status: response.status, headers: response.headers(), body: utf8.decode(body) }
}

/** `undefined` for a response that is too large, or finds no room. */
async function readWithin(
  response: HttpResponse,
  limitBytes: number,
  enter: QueryLimits['enter'],
): Promise<Uint8Array | undefined> {
  if (enter === undefined) return response.buffered(limitBytes)
  const read = await readBody(response, { limitBytes, enter })
  return read.kind === 'complete' ? read.bytes : undefined
}

async function* chunksOf(response: HttpResponse): AsyncGenerator<Uint8Array> {
  for (let { value } = await response.read(); value !== undefined; { value } = await response.read())
    yield value
}

/** Enough to distinguish a text from an empty one. */
const beginningLength = 16

/** Reads with texts cut short; `undefined` when the response is still too large. */
async function readShortened(
  pieces: AsyncIterable<JsonPiece>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const retained: Uint8Array[] = []
  let size = 0
  let inside = 0
  for await (const { isInside, bytes } of pieces) {
    const left = isInside ? Math.max(0, beginningLength - inside) : bytes.length
    inside = isInside ? inside + bytes.length : 0
    if (left > 0) retained.push(Buffer.from(bytes.subarray(0, left)))
    size += Math.min(left, bytes.length)
    if (size > maxBytes) return undefined
  }
  return Buffer.concat(retained)
}

/** Rejects when the signal aborts, also while the request is still being prepared. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')), { once: true })
  })
  return Promise.race([work, aborted])
}

/** A response whose body has not been read yet. */
interface StreamedResponse {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  /** The body, read as it is pulled; cancelling closes the connection. */
  readonly bytes: ReadableStream<Uint8Array>
}

/**
 * Sends, and returns as soon as the response head has arrived. Does not follow redirects: they would carry credentials to
 * another host. Throws what the connection, the guard or a credential throws.
 * @param signal closes the connection at any time
 */
export async function openStreamed(
  send: () => HttpExchange | Promise<Send>,
  signal: AbortSignal,
): Promise<StreamedResponse> {
  const sending = send()
  const exchange = sending instanceof Promise ? (await sending)() : sending
  signal.addEventListener('abort', () => exchange.abort(), { once: true })
  if (signal.aborted) exchange.abort()
  const response = await exchange.response
  return {
    status: response.status,
    header: (name) => response.header(name),
    bytes: streamOf(response, exchange),
  }
}

function streamOf(response: HttpResponse, exchange: HttpExchange): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value } = await response.read()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => exchange.abort(),
  })
}
