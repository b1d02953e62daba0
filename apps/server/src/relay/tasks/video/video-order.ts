import { parseJson, RequestFault, type VideoOrder } from '@tollgate/formats'
import type { TaskRequest, VideoService, VideoTerms } from '@tollgate/providers'
import type { Price } from '../../../billing/pricing/price.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import type { SmallResponse } from '../../../upstream/query.ts'
import { callTarget } from '../../../upstream/upstream-channel.ts'
import type { Candidate } from '../../routing/candidates.ts'
import type { DispatchResult, TaskOrder } from '../task-order.ts'

export interface VideoOrdering {
  readonly order: VideoOrder
  /** By which the caller will know it. */
  readonly id: string
  /** Whether the operator has a price for all that such a video has. */
  isPriced(terms: VideoTerms): boolean
  /** What a video of these terms costs, of the price that its model has. */
  priceOf(price: Price, terms: VideoTerms): Price
  /** What the order costs at most at any of the channels. */
  reservedPrice(price: Price, channels: readonly RoutedChannel[]): Price
}

/** A video as work that an upstream is handed. */
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
    reply: undefined,
  }
}
