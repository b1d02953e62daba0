import type { InboundRequest } from '@tollgate/http/server'
import type { CallOrigin } from '../../gateway/relay/admission.ts'
import type { ClientAddresses } from '../client-address.ts'

/** One request as the relay's edge passes it along. */
export class RelayContext implements CallOrigin {
  readonly request: InboundRequest
  readonly path: string
  readonly requestId: string
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number
  readonly #addresses: ClientAddresses

  constructor(
    request: InboundRequest,
    path: string,
    requestId: string,
    startedAt: number,
    addresses: ClientAddresses,
  ) {
    this.request = request
    this.path = path
    this.requestId = requestId
    this.startedAt = startedAt
    this.#addresses = addresses
  }

  get address(): string {
    return this.#addresses.of(this.request)
  }

  /** Query with its question mark; empty when there is none. */
  get query(): string {
    const { target } = this.request
    const start = target.indexOf('?')
    return start === -1 ? '' : target.slice(start)
  }
}
