import { StoreFault } from '../errors.ts'

/** An error by which a database showed that its content is damaged. */
export interface DatabaseDamage {
  /** Unix milliseconds of the first one. */
  readonly foundMs: number
  readonly message: string
}

/** Remembers that a database has answered with damage, whichever call met it. */
export class DamageWatch {
  readonly #forgetMs: number
  #found: DatabaseDamage | undefined
  #lastMs = 0

  /** @param forgetMs after which damage that no call meets any more is over; a file does not mend itself */
  constructor(forgetMs = Number.POSITIVE_INFINITY) {
    this.#forgetMs = forgetMs
  }

  get found(): DatabaseDamage | undefined {
    return Date.now() - this.#lastMs < this.#forgetMs ? this.#found : undefined
  }

  /** Looks at an error on its way to the caller, and returns it. */
  seen<Failure extends Error>(error: Failure): Failure {
    if (!(error instanceof StoreFault) || error.kind !== 'damaged') return error
    this.#found = this.found ?? { foundMs: Date.now(), message: error.message }
    this.#lastMs = Date.now()
    return error
  }
}
