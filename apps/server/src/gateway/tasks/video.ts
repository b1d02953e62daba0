import {
  objectOf,
  parseJson,
  RequestFault,
  textOf,
  type VideoOrder,
  type VideoState,
  type VideoStatus,
} from '@tollgate/formats'
import type { TaskRequest, VideoService, VideoTerms } from '@tollgate/providers'
import { isVideoPriced, videoPrice } from '../../billing/pricing/media-price.ts'
import type { Price } from '../../billing/pricing/price.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Task } from '../../store/work/tasks.ts'
import type { SmallResponse } from '../../upstream/query.ts'
import { callTarget, channelTarget } from '../../upstream/request-target.ts'
import type { Candidate } from '../relay/routing/candidates.ts'
import type { DispatchResult, TaskOrder } from './task-order.ts'

export interface VideoOrdering {
  readonly order: VideoOrder
  /** The public id of the task. */
  readonly id: string
  /** Decides whether the operator has priced all terms of such a video. */
  isPriced(terms: VideoTerms): boolean
  /** The price of a video of these terms, from the price of its model. */
  priceOf(price: Price, terms: VideoTerms): Price
  /** The most that the order costs at any of the channels. */
  reservedPrice(price: Price, channels: readonly RoutedChannel[]): Price
}

/** The order of a video. */
export function videoOrder(ordering: VideoOrdering): TaskOrder<VideoService, undefined> {
  const { order, reservedPrice } = ordering
  const { prompt, images, seconds, size } = order
  return {
    platform: 'video',
    action: images.length === 0 ? 'TEXT_TO_VIDEO' : 'IMAGE_TO_VIDEO',
    prompt,
    properties: {
      ...(seconds !== undefined && { seconds }),
      ...(size !== undefined && { size: `${size.width}x${size.height}` }),
    },
    serviceOf: (provider, model) => provider.tasks?.video?.(model),
    reservedPrice,
    request: (candidate) => {
      if (!ordering.isPriced(candidate.operation.terms(order, callTarget(candidate))))
        throw unpricedSound(order)
      return requestOf(order, candidate)
    },
    read: (response, candidate) => read(response, candidate, ordering),
  }
}

function unpricedSound({ metadata }: VideoOrder): RequestFault {
  const switches = ['sound', 'audio', 'generate_audio', 'generateAudio']
  const field = `metadata.${switches.find((name) => name in metadata) ?? 'parameters'}`
  return new RequestFault(
    `${field} orders sound, which has no price for this model: leave it out, or ask the administrator to set "sound" in VideoPrice`,
    field,
    'unsupported_parameter',
  )
}

function requestOf(order: VideoOrder, candidate: Candidate<VideoService>): TaskRequest {
  return candidate.operation.submit(order, callTarget(candidate))
}

function read(
  response: SmallResponse,
  candidate: Candidate<VideoService>,
  { order, id, priceOf }: VideoOrdering,
): DispatchResult<undefined> {
  const { channel, operation } = candidate
  const isAccepted = response.status >= 200 && response.status < 300
  const body = isAccepted ? parseJson(response.body) : undefined
  const reference = isAccepted ? operation.reference(body, requestOf(order, candidate)) : undefined
  if (reference === undefined) return { taken: false, error: channel.provider.decodeError(response) }
  const terms = operation.terms(order, callTarget(candidate))
  return {
    taken: true,
    reference,
    publicId: id,
    report: { state: 'SUBMITTED', properties: { ...terms } },
    price: (price) => priceOf(price, terms),
    cost: ({ price, video }) => (isVideoPriced(video, terms) ? videoPrice(price, video, terms) : undefined),
    reply: undefined,
  }
}

/**
 * The terms of an order at each kind of upstream that may take it: their defaults for length and resolution differ. Leaves
 * out upstreams that cannot take the order.
 */
export function offeredTerms(
  order: VideoOrder,
  model: string,
  channels: readonly RoutedChannel[],
): readonly VideoTerms[] {
  const termsByUpstream = new Map<string, () => VideoTerms | undefined>()
  for (const channel of channels) {
    const upstreamModel = channel.modelMapping.get(model) ?? model
    termsByUpstream.set(`${channel.provider.id} ${upstreamModel}`, () =>
      termsAt(order, channel, upstreamModel),
    )
  }
  return [...termsByUpstream.values()].flatMap((terms) => terms() ?? [])
}

function termsAt(order: VideoOrder, channel: RoutedChannel, upstreamModel: string): VideoTerms | undefined {
  try {
    const service = channel.provider.tasks?.video?.(upstreamModel)
    return service?.terms(order, { ...channelTarget(channel, 0), upstreamModel })
  } catch (error) {
    if (error instanceof RequestFault) return undefined
    throw error
  }
}

const statuses: Readonly<Record<Task['status'], VideoStatus>> = {
  '': 'queued',
  NOT_START: 'queued',
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  UNKNOWN: 'queued',
  IN_PROGRESS: 'in_progress',
  MODAL: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
}

/** The stored properties of a video, beside those of every task. */
interface VideoProperties {
  readonly seconds: number
  /** Size as it was ordered; empty when the order left it open. */
  readonly size: string
  /** Its address at the upstream; empty until it is finished, and where the upstream's response contains the video. */
  readonly url: string
}

export function videoProperties({ properties }: Pick<Task, 'properties'>): VideoProperties {
  const { seconds, size, url } = objectOf(parseJson(properties))
  return { seconds: typeof seconds === 'number' ? seconds : 0, size: textOf(size), url: textOf(url) }
}

/**
 * A task as the public form of videos shows it.
 * @param isPublic whether the upstream's address of the video works without credentials
 */
export function videoState(task: Task, isPublic: boolean): VideoState {
  const { seconds, size, url } = videoProperties(task)
  const status = statuses[task.status]
  const isOver = status === 'completed' || status === 'failed'
  return {
    id: task.upstreamId,
    model: task.model,
    status,
    progress: task.progress,
    createdAt: inSeconds(task.submittedMs),
    completedAt: isOver ? inSeconds(task.finishedMs) : undefined,
    prompt: task.prompt,
    seconds,
    size,
    error: status === 'failed' ? { code: 'generation_failed', message: task.failReason } : undefined,
    url: status === 'completed' && isPublic && url !== '' ? url : undefined,
  }
}

function inSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
