import type { TaskPlatform } from '@tollgate/api'
import type { JsonObject, UpstreamErrorInfo } from '@tollgate/formats'
import type { Provider, TaskReport, TaskRequest } from '@tollgate/providers'
import type { Cost } from '../../billing/pricing/cost-table.ts'
import { createPrice, type Price } from '../../billing/pricing/price.ts'
import { findPrice, isServed } from '../../billing/pricing/price-table.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import type { Task } from '../../store/work/tasks.ts'
import type { SmallResponse } from '../../upstream/query.ts'
import { bodyless, type ModelRequest, type RelayCall } from '../relay/call.ts'
import type { RelayDependencies } from '../relay/relay-dependencies.ts'
import { RelayError } from '../relay/relay-error.ts'
import type { Candidate } from '../relay/routing/candidates.ts'

/** An asynchronous task as its public form orders it: an upstream accepts it and finishes it later. */
export interface TaskOrder<Service, Reply> {
  readonly platform: TaskPlatform
  /** The kind of work, such as `IMAGINE` or `MUSIC`. */
  readonly action: string
  /** Prompt as lists show it. */
  readonly prompt: string
  /** Further values that the form stores with the task. */
  readonly properties: JsonObject
  /** The task that it continues: the same account at the same channel must take it. */
  readonly origin?: Pick<Task, 'channelId' | 'keyHash'> | undefined
  /** `undefined` where an upstream does not offer such work, or not with this model. */
  serviceOf(provider: Provider, model: string): Service | undefined
  /** The amount to hold: the most that the work may cost at any of the channels. The price itself by default. */
  reservedPrice?(price: Price, channels: readonly RoutedChannel[]): Price
  /** @throws RequestFault that names a field that this upstream's format cannot express */
  request(candidate: Candidate<Service>): TaskRequest
  /** @param response the upstream's response to `request` */
  read(response: SmallResponse, candidate: Candidate<Service>): DispatchResult<Reply>
}

/** An upstream's reaction to an order. */
export type DispatchResult<Reply> =
  | {
      readonly taken: true
      /** The upstream's id of the task. Empty where its report ends the task, so that no poll follows. */
      readonly reference: string
      /** The id of the task for its caller. */
      readonly publicId: string
      /** A refusal is a report that ends the task: it charges nothing, and lists show it. */
      readonly report: TaskReport
      /** Its final price; the ordered price by default. */
      readonly price?: (price: Price) => Price
      /** The same of what it costs the operator; `undefined` where that is not known. */
      readonly cost?: (cost: Cost) => Price | undefined
      /** The response to the caller. */
      readonly reply: Reply
    }
  | { readonly taken: false; readonly error: UpstreamErrorInfo }

/** Formats of asynchronous tasks. */
export type TaskFormat = Extract<ModelRequest['format'], 'midjourney' | 'suno' | 'openai-videos'>

export type TaskCall = RelayCall<ModelRequest & { readonly format: TaskFormat }>

const staysThere: TaskCall['connection'] = { isDisconnected: false, onDisconnect() {} }

/**
 * The call that submits a task. It runs to its end even when its caller disconnects, because the upstream may have accepted
 * the work already.
 * @param texts what the caller wrote, for the content filter
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

/** An upstream's response that passes to the caller unchanged. */
export interface PassedReply {
  readonly status: number
  readonly body: string
}

/** Price per call, in currency, of a task whose model has no price, where the operator or the user accepts such models. */
const unsetPrice = 0.1

/** The price with a charge of zero. */
export function freePrice({ terms }: Price): Price {
  return terms.kind === 'per-call'
    ? createPrice({ ...terms, modelPrice: 0 })
    : createPrice({ ...terms, modelRatio: 0 })
}

/** Upstreams accept less, and lists show all of it. */
const maxStoredText = 16_000

/** A caller's text as it is stored. */
export function boundedText(text: string): string {
  return text.length > maxStoredText ? text.slice(0, maxStoredText) : text
}

/**
 * The price of a task: per call, because a task has no tokens.
 * @throws RelayError for a model without one, unless the operator or the user accepts such models
 */
export function taskPrice(
  {
    request: { model },
    caller: { group, user },
    createdAt,
  }: Pick<TaskCall, 'request' | 'caller' | 'createdAt'>,
  { settings }: Pick<RelayDependencies, 'settings'>,
): Price {
  const { current } = settings
  const price = isServed(current, model, user.acceptsUnpricedModels, 'task')
    ? findPrice(current, model, group, user.acceptsUnpricedModels, createdAt)
    : 'unpriced'
  if (price === 'unpriced')
    throw new RelayError(
      'model_price_error',
      `The model ${model} has no price per call yet. Ask the administrator to set one.`,
      { param: 'model' },
    )
  const { terms } = price
  if (terms.kind === 'per-call') return price
  const { groupRatio } = terms
  return createPrice({
    kind: 'per-call',
    modelPrice: unsetPrice,
    quotaPerUnit: current.QuotaPerUnit,
    groupRatio,
  })
}
