import type { TaskPlatform } from '@tollgate/api'
import type { JsonObject, UpstreamErrorInfo } from '@tollgate/formats'
import type { Provider, TaskReport, TaskRequest } from '@tollgate/providers'
import { createPrice, type Price } from '../billing/pricing/price.ts'
import { findPrice } from '../billing/pricing/price-table.ts'
import type { RoutedChannel } from '../channels/routing/routing-types.ts'
import type { RelayCaller } from '../relay/admission.ts'
import { bodyless, type ModelRequest, type RelayCall } from '../relay/call.ts'
import type { RelayDependencies } from '../relay/relay-dependencies.ts'
import { RelayError } from '../relay/relay-error.ts'
import type { Candidate } from '../relay/routing/candidates.ts'
import type { Task } from '../store/repositories/tasks.ts'
import type { SmallResponse } from '../upstream/query.ts'

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

/** An upstream's answer that goes to the caller as it is. */
export interface PassedReply {
  readonly status: number
  readonly body: string
}

/** Currency per call of drawings and songs without a price, and of all such work where models without one are accepted. */
export const unsetPrice = 0.1

/** The same work for nothing. */
export function freePrice({ terms }: Price): Price {
  return terms.kind === 'per-call'
    ? createPrice({ ...terms, modelPrice: 0 })
    : createPrice({ ...terms, modelRatio: 0 })
}

/** What is kept of a text of the caller's: upstreams take less, and lists show all of it. */
const longestKept = 16_000

export function keptText(text: string): string {
  return text.length > longestKept ? text.slice(0, longestKept) : text
}

/**
 * The price of a task: by the call, for there are no tokens.
 * @param unset price where the operator has set none; such a model is refused without it
 * @throws RelayError
 */
export function taskPrice(
  model: string,
  { group, user }: Pick<RelayCaller, 'group' | 'user'>,
  { settings }: Pick<RelayDependencies, 'settings'>,
  unset: number | undefined,
): Price {
  const { current } = settings
  const price = findPrice(current, model, group, user.acceptsUnpricedModels)
  if (price !== 'unpriced' && price.terms.kind === 'per-call') return price
  // Users who accept models without a price pay the default price for them.
  const fallback = unset ?? (price === 'unpriced' ? undefined : unsetPrice)
  const isUnset = !Object.hasOwn(current.ModelPrice, model) && !Object.hasOwn(current.ModelRatio, model)
  if (isUnset && fallback !== undefined) {
    const groupRatio = Object.hasOwn(current.GroupRatio, group) ? (current.GroupRatio[group] ?? 1) : 1
    const { QuotaPerUnit: quotaPerUnit } = current
    return createPrice({ kind: 'per-call', modelPrice: fallback, quotaPerUnit, groupRatio })
  }
  throw new RelayError(
    'model_price_error',
    `The model ${model} has no price per call yet. Ask the administrator to set one.`,
    { param: 'model' },
  )
}
