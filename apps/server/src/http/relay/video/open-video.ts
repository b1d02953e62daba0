import type { ContentRequest } from '@tollgate/providers'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { OutboundError } from '../../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../../lib/outbound/outbound-guard.ts'
import { openStreamed } from '../../../upstream/streamed-query.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import { openPublicFile } from '../drawing/open-public-file.ts'

/** Where a finished video is: with the channel's service, which wants its credential, or at an address for everybody. */
export type VideoSource =
  | {
      readonly kind: 'own'
      readonly channel: RoutedChannel
      readonly keyIndex: number
      readonly request: ContentRequest
    }
  | {
      readonly kind: 'public'
      readonly url: string
      /** Origin that the super admin chose, which may be of a private network; `undefined` for none. */
      readonly trusted: string | undefined
    }

export interface OpenedVideo {
  /** As whoever has it says it. */
  readonly contentType: string
  readonly bytes: ReadableStream<Uint8Array>
}

interface Dependencies {
  readonly upstreams: Pick<Upstreams, 'ask'>
  readonly guard: OutboundGuard
}

/**
 * The bytes at a source. A redirection leads on without the credential, and past the guard. Throws `OutboundError`, or what
 * the guard or a credential throws.
 */
export async function openVideo(
  source: VideoSource,
  deps: Dependencies,
  signal: AbortSignal,
): Promise<OpenedVideo> {
  if (source.kind === 'public') return openAt(source.url, source.trusted, deps, signal)
  const { channel, keyIndex, request } = source
  const { body = '', base64: _base64, ...endpoint } = request
  const question = { channel, keyIndex, endpoint, body }
  const response = await openStreamed(() => deps.upstreams.ask(question), signal)
  if (response.status === 200)
    return { contentType: response.header('content-type') ?? '', bytes: response.bytes }
  await response.bytes.cancel()
  const location = response.header('location')
  if (response.status < 300 || response.status > 399 || location === null)
    throw new OutboundError('unreachable')
  if (!URL.canParse(location, endpoint.url)) throw new OutboundError('redirect')
  return openAt(new URL(location, endpoint.url).href, undefined, deps, signal)
}

async function openAt(
  url: string,
  trusted: string | undefined,
  { guard }: Dependencies,
  signal: AbortSignal,
): Promise<OpenedVideo> {
  const response = await openPublicFile(url, { trusted, guard, signal })
  if (response.status === 200 && response.body !== null)
    return { contentType: response.headers.get('content-type') ?? '', bytes: response.body }
  await response.body?.cancel()
  throw new OutboundError('unreachable')
}
