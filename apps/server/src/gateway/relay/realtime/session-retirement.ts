import type { Deadline, Deadlines } from '../../../upstream/deadlines.ts'

interface Retiring {
  readonly deadlines: Deadlines
  readonly isResponding: () => boolean
  readonly end: () => void
}

/** A silence of the upstream that is a pause, where no response is under way. */
const pauseMs = 1000

/**
 * Ends a session of a gateway that is to stop: after the response that is under way, or at the next pause. The caller can go on in
 * another session, with another node.
 */
export class SessionRetirement {
  readonly #retiring: Retiring
  #isBegun = false
  #wasResponding = false
  #pause: Deadline | undefined

  constructor(retiring: Retiring) {
    this.#retiring = retiring
  }

  begin(): void {
    this.#isBegun = true
    this.#wait()
  }

  /** Notes a message of the upstream that has been passed on. */
  heard(): void {
    const isResponding = this.#retiring.isResponding()
    const hasResponded = this.#wasResponding && !isResponding
    this.#wasResponding = isResponding
    if (!this.#isBegun) return
    if (hasResponded) this.#retiring.end()
    else this.#wait()
  }

  clear(): void {
    this.#pause?.clear()
  }

  #wait(): void {
    const { deadlines, isResponding, end } = this.#retiring
    this.#pause?.clear()
    // What is asked for meanwhile is heard of when it begins.
    this.#pause = deadlines.start(pauseMs, () => {
      if (!isResponding()) end()
    })
  }
}
