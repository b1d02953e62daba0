import type { MediaAddress } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { CallRequest } from '../dialects/dialect.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { FetchedFile, MediaFetcher } from './fetched-media.ts'

/** Puts files in the place of their addresses, for upstreams that take bytes alone. */
export interface CallMedia {
  /** Addresses of the call that the operation does not take. */
  needed(request: CallRequest, operation: Operation): readonly MediaAddress[]
  /**
   * The request with the files in it; they are fetched once for all attempts of a call, and no longer than its caller
   * waits.
   * @throws RequestFault that names what cannot be had
   */
  withFiles(
    request: CallRequest,
    addresses: readonly MediaAddress[],
    entry: Pick<InFlightEntry, 'opened'>,
  ): Promise<CallRequest>
}

const none: readonly MediaAddress[] = []

export function createCallMedia(fetcher: MediaFetcher): CallMedia {
  const known = new WeakMap<CallRequest, CallRequest>()
  return {
    needed(request, { mediaBytes, format }) {
      if (mediaBytes === undefined || (mediaBytes === 'translated' && request.format === format)) return none
      return request.mediaAddresses?.() ?? none
    },
    async withFiles(request, addresses, entry) {
      const before = known.get(request)
      if (before !== undefined) return before
      const controller = new AbortController()
      entry.opened({ end: () => controller.abort() })
      const files: ReadonlyMap<string, FetchedFile> = await fetcher.fetch(addresses, controller.signal)
      const complete = request.withMedia?.(files) ?? request
      known.set(request, complete)
      return complete
    },
  }
}
