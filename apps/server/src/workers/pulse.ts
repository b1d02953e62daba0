/** Limits of the requests for a sign of life that a worker may leave without a response. */
export interface Patience {
  /** Pause between two requests, in milliseconds. */
  readonly everyMs: number
  /** Number in a row after which new connections go to other workers. */
  readonly slowAfter: number
  /** Number in a row after which it is taken for one that hangs. */
  readonly hungAfter: number
}

/** Waits half a minute, as supervisors of processes do by default. */
export const defaultPatience: Patience = { everyMs: 1000, slowAfter: 3, hungAfter: 30 }

/**
 * Signs of life of one worker. They are counted and not timed: a machine that is suspended, and a supervisor that gets no processor, ask
 * nothing meanwhile.
 */
export class Pulse {
  readonly #patience: Patience
  /** Requests since the last response; `undefined` before the first, which a worker of an earlier version never gives. */
  #missed: number | undefined

  constructor(patience: Patience) {
    this.#patience = patience
  }

  get isSlow(): boolean {
    return (this.#missed ?? 0) >= this.#patience.slowAfter
  }

  /** Tells that this request made the silence too long: once in each. */
  get hasRunOut(): boolean {
    return this.#missed === this.#patience.hungAfter
  }

  requested(): void {
    if (this.#missed !== undefined) this.#missed += 1
  }

  responded(): void {
    this.#missed = 0
  }
}
