import { type BodySource, IncomingBody } from '../wire/incoming-body.ts'
import { type AnswerHead, headersOf } from './answer-head.ts'
import type { HttpAnswer } from './http-answer.ts'

/** An answer that is fed by its connection. */
export class IncomingAnswer extends IncomingBody implements HttpAnswer {
  readonly #head: AnswerHead

  constructor(head: AnswerHead, source: BodySource) {
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
