import type { TaskPlatform } from '@tollgate/api'
import type { JsonObject, UpstreamErrorInfo } from '@tollgate/formats'
import type { Provider, TaskReport, TaskRequest } from '@tollgate/providers'
import type { Price } from '../../billing/pricing/price.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Task } from '../../store/repositories/tasks.ts'
import type { SmallResponse } from '../../upstream/query.ts'
import { bodyless } from '../bodyless.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { Candidate } from '../routing/candidates.ts'

/** Work that is handed to an upstream and finished later, as the form of its callers says it. */
export interface TaskOrder<Service, Reply> {
  readonly platform: TaskPlatform
  /** What is asked for, such as `IMAGINE` or `MUSIC`. */
  readonly action: string
  /** As lists show it. */
  readonly prompt: string
  /** What the form keeps of its own beside that. */
  readonly properties: JsonObject
  /** The task that it goes on from: the same account at the same channel must take it. */
  readonly origin?: Pick<Task, 'channelId' | 'keyHash'> | undefined
  /** `undefined` where an upstream does not make such things, or not with this model. */
  serviceOf(provider: Provider, model: string): Service | undefined
  /** Price per call where the operator has set none for the model; without it such a model is refused. */
  readonly unsetPrice?: number
  /** What is held: as much as the work may cost at any of the channels. The price itself when not said. */
  reservedPrice?(price: Price, channels: readonly RoutedChannel[]): Price
  /** @throws RequestFault that names what this upstream cannot be told */
  request(candidate: Candidate<Service>): TaskRequest
  /** @param answer to what `request` said */
  read(response: SmallResponse, candidate: Candidate<Service>): DispatchResult<Reply>
}

/** What an upstream made of an order. */
export type DispatchResult<Reply> =
  | {
      readonly taken: true
      /** What the upstream calls the task. Empty where its report ends it, and nothing is to be asked about. */
      readonly reference: string
      /** The id by which the caller will know it. */
      readonly publicId: string
      /** A refusal is one that ends the task: nothing is charged, and lists show it. */
      readonly report: TaskReport
      /** What it costs in the end; the price when not said. */
      readonly price?: (price: Price) => Price
      /** What the caller is answered. */
      readonly reply: Reply
    }
  | { readonly taken: false; readonly error: UpstreamErrorInfo }

/** Formats of what is finished later. */
export type TaskFormat = Extract<ModelRequest['format'], 'midjourney' | 'suno' | 'openai-videos'>

export type TaskCall = RelayCall<ModelRequest & { readonly format: TaskFormat }>

const staysThere: TaskCall['connection'] = { isDisconnected: false, onDisconnect() {} }

/**
 * The call that hands work over. Once begun it is brought to its end, whether its caller waits or not: the upstream may have
 * taken the work already.
 * @param texts what the caller wrote, for the operator's words
 */
export function taskCall(
  details: Omit<TaskCall, 'request' | 'connection'>,
  {
    format,
    model,
    texts,
  }: { readonly format: TaskFormat; readonly model: string; readonly texts: readonly string[] },
): TaskCall {
  return { ...details, connection: staysThere, request: bodyless({ format, model, stream: false }, texts) }
}
