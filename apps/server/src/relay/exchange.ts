import type { UpstreamErrorInfo, UpstreamFailure } from '@tollgate/formats'
import type { Provider } from '@tollgate/providers'
import { together } from '../lib/convoy.ts'
import { prepareRequest } from '../lib/outbound-fetch.ts'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import type { UpstreamAddress } from './addresses.ts'
import type { Deadline, Deadlines } from './deadlines.ts'
import type { SpareAborts } from './spare-aborts.ts'

/** Longest part of a failed answer that is read; more than any vendor's error needs. */
const errorBodyLimit = 64 * 1024

export type ExchangeEnd = 'client' | 'timeout' | 'shutdown'

/** One HTTP exchange with an upstream that answered 2xx and whose body is still to be read. */
export interface Exchange {
  readonly response: Response
  readonly deadline: Deadline
  /** Why it was ended from our side; `undefined` while it was not. */
  readonly endedBy: ExchangeEnd | undefined
  /** Closes the upstream connection at once. */
  end(reason: ExchangeEnd): void
  /** Has `listener` told when it is ended from our side, at once when that has happened already. */
  whenEnded(listener: (reason: ExchangeEnd) => void): void
  /** Stops watching: nothing more is waited for. */
  done(): void
  /** The body was read to its end, so nothing is left to be cut off. Stops watching too. */
  finish(): void
}

export interface ExchangeDependencies {
  readonly deadlines: Deadlines
  readonly aborts: SpareAborts
}

export interface ExchangeRequest {
  /** Set for addresses that somebody below root chose: keeps them away from private networks. */
  readonly guard: OutboundGuard | undefined
  readonly address: UpstreamAddress
  readonly provider: Provider
  readonly body: string
  readonly proxy: string | undefined
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
  readonly #aborts: SpareAborts
  /** Given back, and so no longer ours to use, once the exchange is finished. */
  #controller: AbortController | undefined
  #response: Response | undefined
  #listener: ((reason: ExchangeEnd) => void) | undefined

  constructor({ deadlines, aborts }: ExchangeDependencies, controller: AbortController, limitMs: number) {
    this.#aborts = aborts
    this.#controller = controller
    this.deadline = deadlines.start(limitMs, () => this.end('timeout'))
  }

  get response(): Response {
    if (this.#response === undefined) throw new Error('the exchange has no answer yet')
    return this.#response
  }

  set response(response: Response) {
    this.#response = response
  }

  end(reason: ExchangeEnd): void {
    if (this.endedBy !== undefined) return
    this.endedBy = reason
    this.done()
    this.#controller?.abort()
    this.#listener?.(reason)
  }

  whenEnded(listener: (reason: ExchangeEnd) => void): void {
    this.#listener = listener
    if (this.endedBy !== undefined) listener(this.endedBy)
  }

  done(): void {
    this.deadline.clear()
  }

  finish(): void {
    this.done()
    if (this.#controller !== undefined) this.#aborts.give(this.#controller)
    this.#controller = undefined
  }
}

/** Our own deadlines watch; the runtime's default of five minutes would cut long answers. */
const noRuntimeTimeout = false

function send(request: ExchangeRequest, signal: AbortSignal): Promise<Response> {
  if (request.guard !== undefined) return sendGuarded(request, request.guard, signal)
  const options: BunFetchRequestInit = {
    method: 'POST',
    headers: request.address.headers,
    body: request.body,
    // A redirect would carry the channel's key to another host.
    redirect: 'manual',
    signal,
    timeout: noRuntimeTimeout,
  }
  if (request.proxy !== undefined) options.proxy = request.proxy
  return fetch(request.address.url, options)
}

async function sendGuarded(
  request: ExchangeRequest,
  guard: OutboundGuard,
  signal: AbortSignal,
): Promise<Response> {
  const { url, options } = await prepareRequest({
    url: request.address.url,
    headers: Object.fromEntries(request.address.headers),
    method: 'POST',
    body: request.body,
    guard,
    ...(request.proxy === undefined ? {} : { proxy: request.proxy }),
  })
  return fetch(url, { ...options, signal, timeout: noRuntimeTimeout })
}

async function readFailure(response: Response): Promise<UpstreamFailure> {
  let body = ''
  if (response.body !== null) {
    const decoder = new TextDecoder()
    for await (const chunk of response.body) {
      body += decoder.decode(chunk, { stream: true })
      if (body.length >= errorBodyLimit) break
    }
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: body.slice(0, errorBodyLimit),
  }
}

/** Sends a call upstream and classifies what came of it, once. Never throws. */
export async function openExchange(
  deps: ExchangeDependencies,
  request: ExchangeRequest,
  onOpened: (exchange: Pick<Exchange, 'end'>) => void,
): Promise<ExchangeResult> {
  const controller = deps.aborts.take()
  const exchange = new OpenExchange(deps, controller, request.limitMs)
  onOpened(exchange)
  await together
  try {
    const response = await send(request, controller.signal)
    if (response.ok) {
      exchange.response = response
      return { ok: true, exchange }
    }
    const failure = await readFailure(response)
    exchange.done()
    return { ok: false, error: request.provider.decodeError(failure), endedBy: exchange.endedBy }
  } catch (error) {
    exchange.done()
    return { ok: false, error: brokenExchange(exchange, error), endedBy: exchange.endedBy }
  }
}

/** Names a broken connection without the address in the runtime's own message. */
export function brokenExchange(exchange: Pick<Exchange, 'endedBy'>, error: unknown): UpstreamErrorInfo {
  if (exchange.endedBy === 'timeout') return unanswered('timeout', 'The upstream did not answer in time.')
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const what =
    code === 'ECONNRESET' || code === 'ConnectionClosed' ? 'closed the connection' : 'could not be reached'
  return unanswered('upstream_bug', `The upstream ${what}.`)
}
