import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'

export interface FaultTexts {
  readonly broken: string
  readonly recovered: string
}

/** Something that works or does not. It is logged when that changes, not each time it is tried. */
export class FaultState {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #texts: FaultTexts
  readonly #retryAfterMs: number
  #failedAt: number | undefined

  /** @param clock monotonic */
  constructor(
    { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
    texts: FaultTexts,
    retryAfterMs: number,
  ) {
    this.#clock = clock
    this.#logger = logger
    this.#texts = texts
    this.#retryAfterMs = retryAfterMs
  }

  get broken(): boolean {
    return this.#failedAt !== undefined
  }

  /** False for a while after a failure, so that what is broken is not asked at every call. */
  get canRetry(): boolean {
    return this.#failedAt === undefined || this.#clock.now() - this.#failedAt >= this.#retryAfterMs
  }

  failed(error: unknown): void {
    if (this.#failedAt === undefined) this.#logger.error({ err: error }, this.#texts.broken)
    this.#failedAt = this.#clock.now()
  }

  succeeded(): void {
    if (this.#failedAt !== undefined) this.#logger.info(this.#texts.recovered)
    this.#failedAt = undefined
  }
}
