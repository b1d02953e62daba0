import type { MediaAddress } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { UpstreamChannel } from '../../upstream/upstream-channel.ts'
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
  /**
   * Files that an upstream made, by their addresses.
   * @param channel its own address is trusted as far as the channel's is
   * @throws RequestFault for one that cannot be had
   */
  results(
    urls: readonly string[],
    channel: Pick<UpstreamChannel, 'baseUrl' | 'baseUrlTrusted'>,
    entry: Pick<InFlightEntry, 'opened'>,
  ): Promise<ReadonlyMap<string, FetchedFile>>
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
      const files = await fetcher.fetch(addresses, signalOf(entry))
      const complete = request.withMedia?.(files) ?? request
      known.set(request, complete)
      return complete
    },
    results(urls, channel, entry) {
      const addresses = urls.map((url, place) => ({ url, param: `data[${place}].url` }))
      return fetcher.fetch(addresses, signalOf(entry, true), trustedOrigin(channel))
    },
  }
}

/** Ends with the call. @param isSent the upstream has done its work already */
function signalOf(entry: Pick<InFlightEntry, 'opened'>, isSent = false): AbortSignal {
  const controller = new AbortController()
  entry.opened({ end: () => controller.abort(), isSent })
  return controller.signal
}

function trustedOrigin({
  baseUrl,
  baseUrlTrusted,
}: Pick<UpstreamChannel, 'baseUrl' | 'baseUrlTrusted'>): string | undefined {
  return baseUrlTrusted && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined
}
