import type { UpstreamErrorInfo, UpstreamFailure } from '@tollgate/formats'
import type { Provider } from '@tollgate/providers'
import { together } from '../lib/convoy.ts'
import {
  ConnectionLostError,
  type HttpAnswer,
  type HttpExchange,
  MalformedAnswerError,
} from '../lib/http-client/http-answer.ts'
import type { Deadline, Deadlines } from './deadlines.ts'
import type { Send, UpstreamClient, UpstreamRequest } from './upstream-client.ts'

/** Longest part of a failed answer that is read; more than any vendor's error needs. */
const errorBodyLimit = 64 * 1024

export type ExchangeEnd = 'client' | 'timeout' | 'shutdown'

/** One HTTP exchange with an upstream that answered 2xx and whose body is still to be read. */
export interface Exchange {
  readonly answer: HttpAnswer
  readonly deadline: Deadline
  /** Why it was ended from our side; `undefined` while it was not. */
  readonly endedBy: ExchangeEnd | undefined
  /** Closes the upstream connection at once. */
  end(reason: ExchangeEnd): void
  /** Has `listener` told when it is ended from our side, at once when that has happened already. */
  whenEnded(listener: (reason: ExchangeEnd) => void): void
  /** Stops watching: nothing more is waited for. */
  done(): void
}

export interface ExchangeDependencies {
  readonly deadlines: Deadlines
  readonly upstreams: UpstreamClient
}

export interface ExchangeRequest extends UpstreamRequest {
  readonly provider: Provider
  /** How long the answer's head (and, not streamed, the whole answer) may take. */
  readonly limitMs: number
}

export type ExchangeResult =
  | { readonly ok: true; readonly exchange: Exchange }
  | { readonly ok: false; readonly error: UpstreamErrorInfo; readonly endedBy: ExchangeEnd | undefined }

/** A failure without an answer: refused, reset, broken TLS, or our own timer. */
export function unanswered(kind: 'upstream_bug' | 'timeout', message: string): UpstreamErrorInfo {
  return { kind, status: 0, message, type: 'upstream_error', code: '', param: null }
}

class OpenExchange implements Exchange {
  readonly deadline: Deadline
  endedBy: ExchangeEnd | undefined
  #sent: HttpExchange | undefined
  #answer: HttpAnswer | undefined
  #listener: ((reason: ExchangeEnd) => void) | undefined

  constructor(deadlines: Deadlines, limitMs: number) {
    this.deadline = deadlines.start(limitMs, () => this.end('timeout'))
  }

  get answer(): HttpAnswer {
    if (this.#answer === undefined) throw new Error('the exchange has no answer yet')
    return this.#answer
  }

  set answer(answer: HttpAnswer) {
    this.#answer = answer
  }

  /** Sends, unless it was ended before, and waits for the head of the answer. Ending it now cuts the connection. */
  send(send: Send): Promise<HttpAnswer> {
    if (this.endedBy !== undefined) throw new ConnectionLostError('ended before it was sent')
    this.#sent = send()
    return this.#sent.answer
  }

  /** What a failed answer says. The rest of one that is too long is not waited for. */
  async failure(): Promise<UpstreamFailure> {
    const { answer } = this
    const decoder = new TextDecoder()
    let body = ''
    for (;;) {
      const { done, value } = await answer.read()
      if (done) break
      body += decoder.decode(value, { stream: true })
      if (body.length < errorBodyLimit) continue
      this.#sent?.abort()
      break
    }
    return { status: answer.status, headers: answer.headers(), body: body.slice(0, errorBodyLimit) }
  }

  end(reason: ExchangeEnd): void {
    if (this.endedBy !== undefined) return
    this.endedBy = reason
    this.done()
    this.#sent?.abort()
    this.#listener?.(reason)
  }

  whenEnded(listener: (reason: ExchangeEnd) => void): void {
    this.#listener = listener
    if (this.endedBy !== undefined) listener(this.endedBy)
  }

  done(): void {
    this.deadline.clear()
  }
}

/** Sends a call upstream and classifies what came of it, once. Never throws. */
export async function openExchange(
  { deadlines, upstreams }: ExchangeDependencies,
  request: ExchangeRequest,
  onOpened: (exchange: Pick<Exchange, 'end'>) => void,
): Promise<ExchangeResult> {
  const exchange = new OpenExchange(deadlines, request.limitMs)
  onOpened(exchange)
  await together
  try {
    const preparing = upstreams(request)
    const prepared = preparing instanceof Promise ? await preparing : preparing
    const answer = await exchange.send(prepared)
    exchange.answer = answer
    const { status } = answer
    if (status >= 200 && status < 300) return { ok: true, exchange }
    const failure = await exchange.failure()
    exchange.done()
    return { ok: false, error: request.provider.decodeError(failure), endedBy: exchange.endedBy }
  } catch (error) {
    exchange.done()
    return { ok: false, error: brokenExchange(exchange, error), endedBy: exchange.endedBy }
  }
}

/** Names a broken connection without the address in the error's own message. */
export function brokenExchange(exchange: Pick<Exchange, 'endedBy'>, error: unknown): UpstreamErrorInfo {
  if (exchange.endedBy === 'timeout') return unanswered('timeout', 'The upstream did not answer in time.')
  return unanswered('upstream_bug', `The upstream ${whatBroke(error)}.`)
}

function whatBroke(error: unknown): string {
  if (error instanceof MalformedAnswerError) return 'sent something that is not HTTP'
  return error instanceof ConnectionLostError ? 'closed the connection' : 'could not be reached'
}
