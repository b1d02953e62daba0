import { type MediaAddress, RequestFault } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { type Download, download, NotAdmittedError } from '../../../lib/outbound/outbound-download.ts'
import { OutboundError } from '../../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../../lib/outbound/outbound-guard.ts'
import type { UpstreamChannel } from '../../../upstream/request-target.ts'
import type { ResponseHold } from '../../../upstream/response-body/response-memory.ts'
import type { CallRequest } from '../dialects/dialect.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { overloadError } from '../overload-error.ts'

/** Puts files in the place of their addresses, for upstreams that take bytes alone. */
export interface CallMedia {
  /** Addresses of the call that the operation does not take. */
  needed(request: CallRequest, operation: Operation): readonly MediaAddress[]
  /**
   * The request with the files in it; they are fetched once for all attempts of a call, and no longer than its caller
   * waits.
   * @param enter counts what the files hold in memory
   * @throws RequestFault that names what cannot be had
   * @throws RelayError where there is no room for them
   */
  withFiles(
    request: CallRequest,
    addresses: readonly MediaAddress[],
    entry: Pick<InFlightEntry, 'opened'>,
    enter: () => ResponseHold,
  ): Promise<CallRequest>
  /**
   * Files that an upstream made, by their addresses.
   * @param channel its own address is trusted as far as the channel's is
   * @throws as `withFiles`
   */
  results(
    urls: readonly string[],
    channel: Pick<UpstreamChannel, 'baseUrl' | 'baseUrlTrusted'>,
    entry: Pick<InFlightEntry, 'opened'>,
    enter: () => ResponseHold,
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
    async withFiles(request, addresses, entry, enter) {
      const before = known.get(request)
      if (before !== undefined) return before
      const files = await fetcher.fetch(addresses, signalOf(entry), enter)
      const complete = request.withMedia?.(files) ?? request
      known.set(request, complete)
      return complete
    },
    results(urls, channel, entry, enter) {
      const addresses = urls.map((url, index) => ({ url, param: `data[${index}].url` }))
      return fetcher.fetch(addresses, signalOf(entry, true), enter, trustedOrigin(channel))
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

/** A file that a caller named by its address. */
interface FetchedFile {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** Fetches what callers name by address, for upstreams that take bytes alone. */
interface MediaFetcher {
  /**
   * All files of one call, each once.
   * @param trustedOrigin see `download`
   * @throws RequestFault that names the place of the first that cannot be had
   */
  fetch(
    addresses: readonly MediaAddress[],
    signal: AbortSignal,
    enter: () => ResponseHold,
    trustedOrigin?: string,
  ): Promise<ReadonlyMap<string, FetchedFile>>
}

interface MediaFetcherOptions {
  readonly guard: OutboundGuard
  /** Limit of one file. */
  readonly maxFileBytes: number
  /** Limit of all files of a call. */
  readonly maxCallBytes: number
}

/** The longest wait for one file. */
const fileMs = 15_000
const maxFiles = 64
const sideBySide = 4

export function createMediaFetcher(options: MediaFetcherOptions): MediaFetcher {
  return {
    async fetch(addresses, signal, enter, trustedOrigin) {
      const [beyond] = addresses.slice(maxFiles)
      if (beyond !== undefined) throw refused(beyond, `a call may name at most ${maxFiles} files`)
      const waiting = [...new Map(addresses.map((address) => [address.url, address])).values()]
      const files = new Map<string, FetchedFile>()
      let left = options.maxCallBytes
      const hold = enter()
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const maxBytes = Math.min(options.maxFileBytes, left)
          const bytes = await bytesAt(next, { guard: options.guard, maxBytes, signal, trustedOrigin, hold })
          left -= bytes.length
          if (left < 0) throw refused(next, 'the files of this call are too large together')
          files.set(next.url, fileOf(next, bytes))
        }
      }
      await Promise.all(Array.from({ length: Math.min(sideBySide, waiting.length) }, work))
      return files
    },
  }
}

/** A file is in memory as bytes, and then as base64 in the body. */
const fileFactor = 2

type FileBounds = Omit<Download, 'url' | 'timeoutMs' | 'admit'> & { readonly hold: ResponseHold }

async function bytesAt(address: MediaAddress, { hold, ...bounds }: FileBounds): Promise<Uint8Array> {
  const admit = async (bytes: number) => {
    const room = await hold.take(bytes * fileFactor)
    if (room !== undefined) throw overloadError(room)
  }
  try {
    return await download({ url: address.url, timeoutMs: fileMs, admit, ...bounds })
  } catch (error) {
    if (error instanceof NotAdmittedError) throw error.cause
    const isTooLarge = error instanceof OutboundError && error.failure === 'too-large'
    // The error omits the reason, which could reveal networks behind the gateway.
    throw refused(
      address,
      isTooLarge ? `it has more than ${bounds.maxBytes} bytes` : 'there is nothing to be had',
    )
  }
}

function fileOf(address: MediaAddress, bytes: Uint8Array): FetchedFile {
  const mediaType = mediaTypeOf(bytes)
  if (mediaType === undefined)
    throw refused(address, 'it is no PNG, JPEG, GIF or WebP image, and no PDF document')
  return { mediaType, data: Buffer.from(bytes).toString('base64') }
}

function refused({ param }: MediaAddress, reason: string): RequestFault {
  const advice = 'Send the file itself as base64, or another address.'
  return new RequestFault(
    `${param} names a file that cannot be fetched: ${reason}. ${advice}`,
    param,
    'invalid_image_url',
  )
}

/** First bytes by which a file's type is known. */
const signatures: readonly (readonly [mediaType: string, hex: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['application/pdf', /^255044462d/],
]

/** The type of an image or a document by its bytes, whatever a server calls it; `undefined` for any other. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  return signatures.find(([, pattern]) => pattern.test(start))?.[0]
}
