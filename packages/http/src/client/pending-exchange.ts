import { ConnectionLostError } from '../wire/body.ts'
import type { PendingConnect } from './connect.ts'
import type { Connection, WaitingRequest } from './connection.ts'
import { decodeContent } from './decoded-response.ts'
import { type HttpRequest, isSafe, isStreamed } from './http-request.ts'
import type { HttpExchange, HttpResponse } from './http-response.ts'
import type { IncomingResponse } from './incoming-response.ts'
import type { Origin } from './origin.ts'
import type { SentPart } from './request-writer.ts'
import type { ResponseHead } from './response-head.ts'

/** One request on its way: over a kept connection where there is one, else over a new one. */
export class PendingExchange implements HttpExchange, WaitingRequest {
  readonly response: Promise<HttpResponse>
  readonly request: HttpRequest
  readonly #origin: Origin
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: unknown) => void
  #connecting: PendingConnect | undefined
  #connection: Connection | undefined
  #wasSent = false

  constructor(request: HttpRequest, origin: Origin) {
    this.request = request
    this.#origin = origin
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
    this.response = promise
    this.#resolve = resolve
    this.#reject = reject
    const idle = origin.takeIdle()
    if (idle === undefined) this.#connect()
    else this.#sendOver(idle)
  }

  get isSent(): boolean {
    return this.#wasSent || this.#connection?.sentOf(this) === 'whole'
  }

  responded(response: IncomingResponse, { encoding, framing }: ResponseHead): void {
    this.#wasSent = true
    const isEncoded = encoding !== undefined && framing !== 0
    this.#resolve(isEncoded ? decodeContent(response, encoding, () => this.abort()) : response)
  }

  failed(error: Error, sent: SentPart): void {
    this.#wasSent = sent === 'whole'
    this.#reject(error)
  }

  foundStale(error: Error, sent: SentPart): void {
    const { method, body } = this.request
    // A request that was sent may have been carried out, by a server that closed before it answered.
    if (sent === 'nothing' ? !isStreamed(body) : isSafe(method) && !isStreamed(body)) this.#connect()
    else this.failed(error, sent)
  }

  abort(): void {
    this.#connecting?.cancel()
    this.#connection?.abort(this)
    this.#reject(new ConnectionLostError('the exchange was aborted'))
  }

  #connect(): void {
    this.#connection = undefined
    try {
      this.#connecting = this.#origin.connect()
    } catch (error) {
      this.#reject(error)
      return
    }
    this.#connecting.connection.then((connection) => this.#sendOver(connection), this.#reject)
  }

  #sendOver(connection: Connection): void {
    this.#connecting = undefined
    this.#connection = connection
    connection.send(this)
  }
}
