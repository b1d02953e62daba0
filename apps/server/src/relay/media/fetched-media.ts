import { type MediaAddress, RequestFault } from '@tollgate/formats'
import { type Download, download } from '../../lib/outbound/outbound-download.ts'
import { OutboundError } from '../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../lib/outbound/outbound-guard.ts'
import { mediaTypeOf } from './media-type.ts'

/** A file that a caller named by its address. */
export interface FetchedFile {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
}

/** Fetches what callers name by address, for upstreams that take bytes alone. */
export interface MediaFetcher {
  /**
   * All files of one call, each once.
   * @param trustedOrigin see `download`
   * @throws RequestFault that names the place of the first that cannot be had
   */
  fetch(
    addresses: readonly MediaAddress[],
    signal: AbortSignal,
    trustedOrigin?: string,
  ): Promise<ReadonlyMap<string, FetchedFile>>
}

export interface MediaFetcherOptions {
  readonly guard: OutboundGuard
  /** Of one file. */
  readonly maxFileBytes: number
  /** Of all files of a call. */
  readonly maxCallBytes: number
}

/** The longest wait for one file. */
const fileMs = 15_000
const maxFiles = 64
const sideBySide = 4

export function createMediaFetcher(options: MediaFetcherOptions): MediaFetcher {
  return {
    async fetch(addresses, signal, trustedOrigin) {
      const [beyond] = addresses.slice(maxFiles)
      if (beyond !== undefined) throw refused(beyond, `a call may name at most ${maxFiles} files`)
      const waiting = [...new Map(addresses.map((address) => [address.url, address])).values()]
      const files = new Map<string, FetchedFile>()
      let left = options.maxCallBytes
      const work = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const maxBytes = Math.min(options.maxFileBytes, left)
          const bytes = await bytesAt(next, { guard: options.guard, maxBytes, signal, trustedOrigin })
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

async function bytesAt(
  address: MediaAddress,
  bounds: Omit<Download, 'url' | 'timeoutMs'>,
): Promise<Uint8Array> {
  try {
    return await download({ url: address.url, timeoutMs: fileMs, ...bounds })
  } catch (error) {
    const isTooLarge = error instanceof OutboundError && error.failure === 'too-large'
    // Why is not said: it would tell the caller about networks behind us.
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
