import type { ResponseHold, ResponseMemory } from '../../../upstream/response-body/response-memory.ts'
import type { RelayCall } from '../call.ts'
import type { AttemptResult } from './attempt-result.ts'

/** Memory that the response to one attempt takes: none while it is small. */
export class AttemptMemory {
  readonly #call: Pick<RelayCall, 'caller' | 'connection'>
  readonly #responses: ResponseMemory
  #hold: ResponseHold | undefined
  #isServed = false

  constructor(call: Pick<RelayCall, 'caller' | 'connection'>, responses: ResponseMemory) {
    this.#call = call
    this.#responses = responses
  }

  /** Current hold, if any. */
  get hold(): ResponseHold | undefined {
    return this.#hold
  }

  /** Begins to count. One hold for all that the attempt reads. */
  readonly enter = (): ResponseHold => {
    this.#hold ??= this.#responses.enter(this.#call.caller.user.id)
    return this.#hold
  }

  /** Takes note of the attempt's result, and returns it. */
  resulted(result: AttemptResult): AttemptResult {
    this.#isServed = result.ok
    return result
  }

  /** Ends the attempt: a response that its caller gets stays in memory until it has left. */
  end(): void {
    const { connection } = this.#call
    if (this.#hold === undefined) return
    if (this.#isServed && connection.releaseAtEnd !== undefined) connection.releaseAtEnd(this.#hold)
    else this.#hold.release()
  }
}
