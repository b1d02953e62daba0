import { type BodySource, IncomingBody } from '../wire/incoming-body.ts'
import type { HttpResponse } from './http-response.ts'
import { headersOf, type ResponseHead } from './response-head.ts'

/** An answer that is fed by its connection. */
export class IncomingResponse extends IncomingBody implements HttpResponse {
  readonly #head: ResponseHead

  constructor(head: ResponseHead, source: BodySource) {
    super(head.framing, source)
    this.#head = head
  }

  get status(): number {
    return this.#head.status
  }

  header(name: string): string | null {
    return name === 'content-type' ? this.#head.contentType : (headersOf(this.#head).get(name) ?? null)
  }

  headers(): Record<string, string> {
    return Object.fromEntries(headersOf(this.#head))
  }
}
