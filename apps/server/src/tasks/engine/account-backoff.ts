import type { Clock } from '@tollgate/base'
import type { PollFailure } from './poll-account.ts'
import { backOff } from './poll-pause.ts'

interface Dependencies {
  readonly monotonic: Clock
  readonly roundMs: number
}

/** Leaves an account alone while any question of it would fail, longer each time. */
export class AccountBackoff {
  readonly #deps: Dependencies
  #untilMs = 0
  #failures = 0
  #timeouts = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Questions in a row that failed for the whole account. */
  get failures(): number {
    return this.#failures
  }

  isOver(): boolean {
    return this.#untilMs <= this.#deps.monotonic.now()
  }

  responded(): void {
    this.#failures = 0
    this.#timeouts = 0
  }

  /** Whether a failure leaves the account alone: a question that hangs may do so for one task, several in a row do not. */
  failed({ ofAccount, isTimeout }: Pick<PollFailure, 'ofAccount' | 'isTimeout'>): boolean {
    this.#timeouts = isTimeout ? this.#timeouts + 1 : 0
    if (ofAccount || this.#timeouts > 1) {
      this.#failures += 1
      this.pause(backOff(this.#failures, this.#deps.roundMs))
      return true
    }
    if (!isTimeout) this.#failures = 0
    return false
  }

  pause(ms: number): void {
    this.#untilMs = this.#deps.monotonic.now() + ms
  }
}
