import type { IdGenerator } from '@opentelemetry/sdk-trace'

/** Ids of spans that were named to an upstream before they are written. */
export interface PlannedIds {
  readonly traceId: string
  readonly callSpan: string
  /** Ids of attempts by their index. */
  readonly attemptSpans: string[]
}

/** Random ids, except for spans whose ids are known already. */
export class PlannedIdGenerator implements IdGenerator {
  readonly #random: IdGenerator
  #trace: string | undefined
  #span: string | undefined

  constructor(random: IdGenerator) {
    this.#random = random
  }

  /** Plans the id of the next span, and of this trace where it starts one. */
  plan(span: string | undefined, trace?: string): void {
    this.#span = span
    this.#trace = trace
  }

  generateTraceId(): string {
    const planned = this.#trace
    this.#trace = undefined
    return planned ?? this.#random.generateTraceId()
  }

  generateSpanId(): string {
    const planned = this.#span
    this.#span = undefined
    return planned ?? this.#random.generateSpanId()
  }
}
