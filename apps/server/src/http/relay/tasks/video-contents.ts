import { type Reply, replyByFetch, StreamedResponse } from '@tollgate/http/server'
import type { ContentRequest, VideoService } from '@tollgate/providers'
import type { ChannelSnapshot, RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { replyHeaders } from '../../../gateway/relay/call.ts'
import { RelayError } from '../../../gateway/relay/relay-error.ts'
import { accountKey } from '../../../gateway/tasks/task-row.ts'
import { videoProperties } from '../../../gateway/tasks/video.ts'
import { createSemaphore, type Semaphore } from '../../../lib/async/semaphore.ts'
import { OutboundError } from '../../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../../lib/outbound/outbound-guard.ts'
import type { Task } from '../../../store/work/tasks.ts'
import { openStreamed } from '../../../upstream/query.ts'
import { channelTarget } from '../../../upstream/request-target.ts'
import type { Upstreams } from '../../../upstream/upstreams.ts'
import type { RelayContext } from '../relay-context.ts'
import { openBase64 } from './base64-member.ts'
import { boundedStream, openPublicFile } from './image-proxy.ts'

interface VideoContentDependencies {
  readonly channels: { readonly snapshot: ChannelSnapshot }
  readonly upstreams: Pick<Upstreams, 'ask'>
  readonly guard: OutboundGuard
  readonly hashKey: (key: string) => string
}

/** The bytes of finished videos. */
export interface VideoContents {
  /** Decides whether a video can be fetched without a credential, at the address that its upstream returned. */
  isPublic(task: Task): boolean
  /** Streams the video, bounded in size, time and number. Throws `RelayError`. */
  send(context: RelayContext, task: Task): Promise<Reply>
}

const maxMs = 10 * 60_000
const maxBytes = 1024 * 1024 * 1024
/** Videos that are on their way at once, all of them together and those of one user. */
const maxOpen = 64
const maxOpenOfUser = 8

export function createVideoContents(deps: VideoContentDependencies): VideoContents {
  const slots = createSemaphore(maxOpen, maxOpenOfUser)
  return {
    isPublic: (task) => sourceOf(task, deps)?.kind === 'public',
    async send(context, task) {
      const source = readySource(context, task, deps)
      const release = slots.take(task.userId)
      if (release === undefined) throw tooMany(slots)
      try {
        return await passOn(context, source, deps, release)
      } catch (error) {
        release()
        throw error instanceof RelayError ? error : unreachable(error)
      }
    },
  }
}

function tooMany({ isFull }: Semaphore): RelayError {
  if (isFull) return new RelayError('overloaded', 'Too many videos are being fetched. Try again shortly.')
  const message = `You can fetch ${maxOpenOfUser} videos at once. Wait until one of them has ended.`
  return new RelayError('too_many_requests', message)
}

/** @throws RelayError for a video that is not there */
function readySource(context: RelayContext, task: Task, deps: VideoContentDependencies): VideoSource {
  const variant = new URLSearchParams(context.query).get('variant') ?? 'video'
  if (variant !== 'video')
    throw new RelayError('invalid_request', 'variant is not supported: the video itself can be fetched', {
      param: 'variant',
      upstreamCode: 'unsupported_parameter',
    })
  if (task.status === 'FAILURE')
    throw new RelayError('video_not_ready', 'The video could not be made: there is nothing to fetch.')
  if (task.status !== 'SUCCESS')
    throw new RelayError(
      'video_not_ready',
      'The video is not finished yet. Try again when its status is completed.',
    )
  const source = sourceOf(task, deps)
  if (source !== undefined) return source
  throw new RelayError('channel_disabled', 'The channel that has the video is gone.')
}

/** `undefined` when its channel or service is gone. */
function sourceOf(task: Task, deps: VideoContentDependencies): VideoSource | undefined {
  const { url } = videoProperties(task)
  const channel = deps.channels.snapshot.channel(task.channelId)
  const service = channel?.provider.tasks?.video?.(task.upstreamModel)
  if (channel === undefined || service === undefined) return undefined
  const keyIndex = accountKey(channel, task.keyHash, deps.hashKey)
  const request = requestOf({ task, url, service, channel, keyIndex })
  if (request !== undefined) return { kind: 'own', channel, keyIndex, request }
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const trusted = channel.baseUrlTrusted ? originOf(channel.baseUrl) : undefined
  return { kind: 'public', url, trusted }
}

interface Finished {
  readonly task: Task
  readonly url: string
  readonly service: VideoService
  readonly channel: RoutedChannel
  readonly keyIndex: number
}

function requestOf({ task, url, service, channel, keyIndex }: Finished): ContentRequest | undefined {
  const { reference, upstreamModel: model } = task
  return service.content?.({ reference, model }, url, channelTarget(channel, keyIndex))
}

/** Returns the origin of the address that the super admin chose, which may be of a private network. */
function originOf(baseUrl: string): string | undefined {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined
}

/** @param release called when the transfer has ended */
async function passOn(
  context: RelayContext,
  source: VideoSource,
  deps: VideoContentDependencies,
  release: () => void,
): Promise<Reply> {
  const { contentType, bytes } = await openVideo(source, deps, AbortSignal.timeout(maxMs))
  const base64 = source.kind === 'own' ? source.request.base64 : undefined
  const received = boundedStream(bytes, maxBytes, release)
  const stream = base64 === undefined ? received : await openBase64(received, base64.member)
  if (stream === undefined) throw unreachable(undefined)
  const headers = headersOf(context, base64?.mediaType ?? contentType)
  if (context.request.method !== 'HEAD')
    return replyByFetch(context.request, () => new StreamedResponse(stream, { headers }))
  await stream.cancel()
  return { status: 200, headers, body: '' }
}

function headersOf(context: RelayContext, contentType: string) {
  return {
    ...replyHeaders(videoType(contentType), context),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=3600',
  }
}

/** Storage often does not know what it holds. What a browser could run is never passed on as such. */
function videoType(type: string): string {
  const name = type.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  return /^video\/[\w.+-]+$/.test(name) ? name : 'video/mp4'
}

/** Does not name the cause, which would reveal networks behind the gateway to the caller. */
function unreachable(cause: unknown): RelayError {
  const message = 'The video cannot be fetched from its upstream right now, or not any more.'
  return new RelayError('upstream_unreachable', message, { cause })
}

/** Source of a finished video: the channel's service, which needs its credential, or a public address. */
type VideoSource =
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

interface OpenedVideo {
  /** Type that the server of the file states. */
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
async function openVideo(source: VideoSource, deps: Dependencies, signal: AbortSignal): Promise<OpenedVideo> {
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
