import type { HttpExchange, HttpResponse } from '@tollgate/http/client'
import { cutAtMember, type JsonPiece } from '../lib/json-member.ts'
import { OutboundError } from '../lib/outbound/outbound-fetch.ts'
import { OutboundForbiddenError, OutboundUnresolvedError } from '../lib/outbound/outbound-guard.ts'
import { TokenExchangeError } from './credentials.ts'
import type { Send } from './transport.ts'

/** Bounds of a small call that is no relayed one. */
export interface QueryLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** A member of a JSON response whose texts may be of any length: no more than their beginnings are kept. */
  readonly shortened?: string | undefined
  readonly signal?: AbortSignal
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
    // What waits for a time that no longer matters would keep the request until then, with its body.
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

/** Errors that say what went wrong by themselves. */
function isOwnError(error: unknown): boolean {
  return (
    error instanceof OutboundError ||
    error instanceof OutboundForbiddenError ||
    error instanceof OutboundUnresolvedError ||
    error instanceof TokenExchangeError ||
    error instanceof TypeError
  )
}

type ReadLimits = Pick<QueryLimits, 'maxBytes' | 'shortened'>

async function readResponse(
  response: HttpResponse,
  { maxBytes, shortened }: ReadLimits,
): Promise<SmallResponse> {
  if (response.status >= 300 && response.status < 400) throw new OutboundError('redirect')
  const body =
    shortened === undefined
      ? await response.buffered(maxBytes)
      : await readShortened(cutAtMember(chunksOf(response), shortened), maxBytes)
  if (body === undefined) throw new OutboundError('too-large')
  return { status: response.status, headers: response.headers(), body: utf8.decode(body) }
}

async function* chunksOf(response: HttpResponse): AsyncGenerator<Uint8Array> {
  for (let { value } = await response.read(); value !== undefined; { value } = await response.read())
    yield value
}

/** Tells a text that is there from an empty one. */
const beginningLength = 16

/** `undefined` when even so there is more than is read. */
async function readShortened(
  pieces: AsyncIterable<JsonPiece>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const kept: Uint8Array[] = []
  let size = 0
  let inside = 0
  for await (const { isInside, bytes } of pieces) {
    const left = isInside ? Math.max(0, beginningLength - inside) : bytes.length
    inside = isInside ? inside + bytes.length : 0
    if (left > 0) kept.push(Buffer.from(bytes.subarray(0, left)))
    size += Math.min(left, bytes.length)
    if (size > maxBytes) return undefined
  }
  return Buffer.concat(kept)
}

/** What is prepared may outlast the time that the question has. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')), { once: true })
  })
  return Promise.race([work, aborted])
}

/** An answer whose body is still to be read, or to be left. */
interface StreamedResponse {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  /** Read no faster than it is pulled; cancelling closes the connection. */
  readonly bytes: ReadableStream<Uint8Array>
}

/**
 * Sends, and returns as soon as the head has come. Does not follow redirects: they would carry credentials to another host. Throws
 * what the connection, the guard or a credential throws.
 * @param signal closes the connection, whenever it comes
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
