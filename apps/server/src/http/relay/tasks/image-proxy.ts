import { type InboundRequest, type Reply, replyByFetch, StreamedResponse } from '@tollgate/http/server'
import type { ChannelSnapshot } from '../../../channels/routing/routing-types.ts'
import { isHookAddress } from '../../../gateway/tasks/midjourney/midjourney-hooks.ts'
import { propertyText } from '../../../gateway/tasks/midjourney/midjourney-object.ts'
import type { TaskLookup } from '../../../gateway/tasks/own-tasks.ts'
import { createSemaphore } from '../../../lib/async/semaphore.ts'
import { OutboundError, openOutbound } from '../../../lib/outbound/outbound-fetch.ts'
import type { OutboundGuard } from '../../../lib/outbound/outbound-guard.ts'
import type { Task } from '../../../store/work/tasks.ts'

interface ImageProxyDependencies {
  readonly taskLookup: TaskLookup
  readonly channels: { readonly snapshot: ChannelSnapshot }
  readonly guard: OutboundGuard
}

/** Serves the images of tasks to every caller that knows a task's id. */
export interface ImageProxy {
  show(request: InboundRequest, id: string): Promise<Reply>
}

const maxMs = 60_000
const maxBytes = 64 * 1024 * 1024
/** Images in transfer at the same time. */
const maxOpen = 128
const maxRefusal = 500

/** Types that may be displayed at this address, where scripts of a page would be this site's own. */
const visibleTypes = /^(?:image\/(?:png|jpe?g|webp|gif|avif|bmp)|video\/(?:mp4|webm))$/
const defaultType = 'image/jpeg'
/** File stores often declare no more than this type. */
const untold = /^(?:application|binary)\/octet-stream$/

const visibleHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Streams the pictures of tasks that are known, and nothing else: bounded in size, time and number. */
export function createImageProxy(deps: ImageProxyDependencies): ImageProxy {
  const slots = createSemaphore(maxOpen)
  return {
    async show(request, id) {
      const release = slots.take()
      if (release === undefined) return refusal(503, 'too_many_requests')
      try {
        return await show(request, id, deps, release)
      } catch {
        release()
        return refusal(500, 'http_get_image_failed')
      }
    },
  }
}

/** @param release called when the transfer has ended */
async function show(
  request: InboundRequest,
  id: string,
  deps: ImageProxyDependencies,
  release: () => void,
): Promise<Reply> {
  const task = (await deps.taskLookup.findByUpstreamIds('mj', [id])).get(id)
  if (task === undefined) {
    release()
    return refusal(400, 'midjourney_task_not_found')
  }
  const response = await pictureOf(task, deps)
  if (response.status !== 200) {
    release()
    return refusal(response.status, await shortText(response))
  }
  const type = typeOf(response)
  if (type === undefined || response.body === null) throw new Error('not a picture')
  const stream = boundedStream(response.body, maxBytes, release)
  const headers = { ...visibleHeaders, 'content-type': type, 'cache-control': cacheOf(task) }
  if (request.method !== 'HEAD')
    return await replyByFetch(request, () => new StreamedResponse(stream, { headers }))
  await stream.cancel()
  return { status: 200, headers, body: '' }
}

/** `undefined` for a type that is not an image. */
function typeOf({ headers }: Response): string | undefined {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === '' || untold.test(type)) return defaultType
  return visibleTypes.test(type) ? type : undefined
}

function pictureOf(task: Task, { channels, guard }: ImageProxyDependencies): Promise<Response> {
  const url = propertyText(task, 'image_url')
  if (!isHookAddress(url)) throw new Error('no picture')
  const channel = channels.snapshot.channel(task.channelId)
  const trusted = channel?.baseUrlTrusted === true ? new URL(channel.baseUrl).origin : undefined
  return openPublicFile(url, { trusted, guard, signal: AbortSignal.timeout(maxMs) })
}

/** The picture of a finished drawing never changes. */
function cacheOf({ status }: Task): string {
  return status === 'SUCCESS' ? 'public, max-age=86400' : 'no-store'
}

async function shortText(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    if (text.length >= maxRefusal) break
  }
  return text.slice(0, maxRefusal)
}

function refusal(status: number, error: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error }) }
}

/**
 * The same bytes, up to a number of them: with more it fails.
 * @param release called once, when the stream has ended, failed or been cancelled
 */
export function boundedStream(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let bytes = 0
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        bytes += value?.byteLength ?? 0
        if (bytes > maxBytes) throw new RangeError('more bytes than are passed on')
        if (!done) return controller.enqueue(value)
        release()
        controller.close()
      } catch (error) {
        release()
        controller.error(error)
        await reader.cancel().catch(() => undefined)
      }
    },
    async cancel() {
      release()
      await reader.cancel()
    },
  })
}

interface Opening {
  /** Origin that the super admin chose, which may be of a private network; `undefined` for none. */
  readonly trusted: string | undefined
  readonly guard: OutboundGuard
  readonly signal: AbortSignal
}

const maxRedirects = 3
const headers = { accept: 'image/*, video/*, */*;q=0.1', 'user-agent': 'Tollgate' }

/**
 * Fetches an address that an upstream returned; any status but a redirection. Each step of a redirection passes the guard.
 * Throws `OutboundError`, or what the guard throws.
 */
export async function openPublicFile(url: string, { trusted, guard, signal }: Opening): Promise<Response> {
  let address = new URL(url)
  for (let step = 0; step <= maxRedirects; step += 1) {
    const watched = address.origin === trusted ? {} : { guard }
    const response = await openOutbound({ url: address.href, headers, ...watched }, signal)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    address = new URL(location, address)
    if (!/^https?:$/.test(address.protocol)) break
  }
  throw new OutboundError('redirect')
}
