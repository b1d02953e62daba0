import type { BufferedResponse, Delivered, Usage } from '@tollgate/formats'

type Reading = Extract<BufferedResponse, { readonly ok: true }>

/** A whole answer in the caller's own format: it passes as received, whatever is charged. */
export class ReceivedResponse {
  readonly ok = true
  readonly #reading: Reading
  readonly #body: Uint8Array | string

  constructor(reading: Reading, body: Uint8Array | string) {
    this.#reading = reading
    this.#body = body
  }

  get usage(): Usage | undefined {
    return this.#reading.usage
  }

  get latestUsage(): Usage | undefined {
    return this.#reading.latestUsage
  }

  delivered(): Delivered {
    return this.#reading.delivered()
  }

  encode(): Uint8Array | string {
    return this.#body
  }
}
