import type { UpstreamErrorInfo, UpstreamFailure } from '@tollgate/formats'
import { ConnectionLostError, MalformedMessageError } from '@tollgate/http'
import type { HttpExchange, HttpResponse } from '@tollgate/http/client'
import type { Deadline, Deadlines } from './deadlines.ts'
import type { Send } from './transport.ts'

/** Longest part of an error response that is read; more than any vendor's error needs. */
const errorBodyLimit = 64 * 1024

export type ExchangeEnd = 'client' | 'timeout' | 'shutdown'

/** One HTTP exchange with an upstream that responded 2xx and whose body is still to be read. */
export interface Exchange {
  readonly response: HttpResponse
  readonly deadline: Deadline
  /** Reason for which our side ended it; `undefined` otherwise. */
  readonly endedBy: ExchangeEnd | undefined
  /** Closes the upstream connection at once. */
  end(reason: ExchangeEnd): void
  /** Calls `listener` when our side ends the exchange; at once when it has ended already. */
  whenEnded(listener: (reason: ExchangeEnd) => void): void
  /** Stops the timer and the listeners: the exchange is complete. */
  done(): void
}

/** A failure without a response: refused, reset, broken TLS, or our own timer. */
export function noResponseError(
  kind: 'upstream_bug' | 'timeout' | 'bad_request',
  message: string,
): UpstreamErrorInfo {
  return { kind, status: 0, message, type: 'upstream_error', code: '', param: null }
}

/** An exchange that can be ended, and whose deadline runs, from its construction on. */
export class OpenExchange implements Exchange {
  readonly deadline: Deadline
  endedBy: ExchangeEnd | undefined
  #sent: HttpExchange | undefined
  #response: HttpResponse | undefined
  #listener: ((reason: ExchangeEnd) => void) | undefined

  constructor(deadlines: Deadlines, limitMs: number) {
    this.deadline = deadlines.start(limitMs, () => this.end('timeout'))
  }

  /** Tells that the upstream may be at work on the request, or have carried it out. See `HttpExchange.isSent`. */
  get isSent(): boolean {
    return this.#sent?.isSent === true
  }

  /** Status of the response; `undefined` before there is one. */
  get receivedStatus(): number | undefined {
    return this.#response?.status
  }

  get response(): HttpResponse {
    if (this.#response === undefined) throw new Error('the exchange has no response yet')
    return this.#response
  }

  /**
   * Sends, unless the exchange was ended before, and waits for the response head. Ending it from now on closes the connection.
   * @param send sends at once, or prepares the request first
   */
  send(send: () => HttpExchange | Promise<Send>): Promise<HttpResponse> {
    this.#refuseEnded()
    const sent = send()
    return sent instanceof Promise ? this.#sendPrepared(sent) : this.#responseOf(sent)
  }

  async #sendPrepared(preparing: Promise<Send>): Promise<HttpResponse> {
    const send = await preparing
    this.#refuseEnded()
    return this.#responseOf(send())
  }

  #responseOf(sent: HttpExchange): Promise<HttpResponse> {
    this.#sent = sent
    return sent.response
  }

  #refuseEnded(): void {
    if (this.endedBy !== undefined) throw new ConnectionLostError('ended before it was sent')
  }

  /** Records that the response head has arrived. */
  started(response: HttpResponse): void {
    this.#response = response
  }

  /** Reads the body of an error response, up to its bound. */
  async failure(): Promise<UpstreamFailure> {
    const { response } = this
    const decoder = new TextDecoder()
    let body = ''
    for (;;) {
      const { done, value } = await response.read()
      if (done) break
      body += decoder.decode(value, { stream: true })
      if (body.length < errorBodyLimit) continue
      this.#sent?.abort()
      break
    }
    return { status: response.status, headers: response.headers(), body: body.slice(0, errorBodyLimit) }
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

/** Names a broken connection without the address in the error's own message. */
export function brokenExchange(exchange: Pick<Exchange, 'endedBy'>, error: unknown): UpstreamErrorInfo {
  if (exchange.endedBy === 'timeout')
    return noResponseError('timeout', 'The upstream did not respond in time.')
  return noResponseError('upstream_bug', `The upstream ${whatBroke(error)}.`)
}

function whatBroke(error: unknown): string {
  if (error instanceof MalformedMessageError) return 'sent something that is not HTTP'
  return error instanceof ConnectionLostError ? 'closed the connection' : 'could not be reached'
}
