import { OutboundError, openOutbound } from './outbound-fetch.ts'
import type { OutboundGuard } from './outbound-guard.ts'

export interface Download {
  readonly url: string
  readonly guard: OutboundGuard
  /** Scheme, host and port that root chose: files there are fetched also from a private address. */
  readonly trustedOrigin?: string | undefined
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Asked about every piece before it is kept. What it throws ends the download, as the `cause` of a `NotAdmittedError`. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined
}

/** The receiver of a file takes no more of it. */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError'
}

const maxRedirects = 3

/**
 * Downloads from an address that a role below root chose. Every redirect passes the guard, and no header of ours is
 * sent. Throws `OutboundError`, or the errors of the guard.
 */
export async function download(file: Download): Promise<Uint8Array> {
  const { url, timeoutMs, signal, trustedOrigin } = file
  const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
  const headers = { accept: 'image/*, application/pdf, */*;q=0.1', 'user-agent': 'Tollgate' }
  let address = url
  for (let step = 0; step <= maxRedirects; step += 1) {
    const guard = new URL(address).origin === trustedOrigin ? undefined : file.guard
    const response = await openOutbound({ url: address, headers, guard }, limit)
    if (response.status === 200) return readBytes(response, file, limit)
    const location = response.headers.get('location')
    await response.body?.cancel()
    if (
      response.status < 300 ||
      response.status > 399 ||
      location === null ||
      !URL.canParse(location, address)
    )
      throw new OutboundError('unreachable')
    address = new URL(location, address).href
    if (!/^https?:/i.test(address)) throw new OutboundError('redirect')
  }
  throw new OutboundError('redirect')
}

async function readBytes(
  response: Response,
  { maxBytes, admit }: Pick<Download, 'maxBytes' | 'admit'>,
  limit: AbortSignal,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength
      if (bytes > maxBytes) throw new OutboundError('too-large')
      await admit?.(piece.byteLength).catch((cause) => {
        throw new NotAdmittedError('the file was not admitted', { cause })
      })
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } catch (error) {
    if (error instanceof OutboundError || error instanceof NotAdmittedError) throw error
    throw new OutboundError(limit.aborted ? 'timeout' : 'unreachable', { cause: error })
  }
}
