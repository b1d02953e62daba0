import type { HttpAnswer, HttpExchange } from '@tollgate/http/client'
import { OutboundError } from '../lib/outbound-fetch.ts'
import { OutboundForbiddenError, OutboundUnresolvedError } from '../lib/outbound-guard.ts'
import { TokenExchangeError } from './credentials/token-exchange.ts'
import type { Send } from './transport.ts'

/** Bounds of a small call that is no relayed one. */
export interface QueryLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

export interface SmallAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const utf8 = new TextDecoder()

/**
 * Sends and reads a whole small answer. Redirects are none: they would carry credentials to another host.
 * Throws `OutboundError`, or what the guard or a credential throws.
 */
export async function readSmall(
  send: () => HttpExchange | Promise<Send>,
  { timeoutMs, maxBytes, signal }: QueryLimits,
): Promise<SmallAnswer> {
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
    return await readAnswer(await exchange.answer, maxBytes)
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

async function readAnswer(answer: HttpAnswer, maxBytes: number): Promise<SmallAnswer> {
  if (answer.status >= 300 && answer.status < 400) throw new OutboundError('redirect')
  const body = await answer.whole(maxBytes)
  if (body === undefined) throw new OutboundError('too-large')
  return { status: answer.status, headers: answer.headers(), body: utf8.decode(body) }
}

/** What is prepared may outlast the time that the question has. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('given up')), { once: true })
  })
  return Promise.race([work, aborted])
}
