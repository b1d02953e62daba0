import type { LogOther } from '@tollgate/api'
import { promptTokensOf, type Usage } from '@tollgate/formats'
import type { Ledger, Reservation } from '../billing/ledger-types.ts'
import { pricedName } from '../billing/price-table.ts'
import { costOf, explainCharge, type Price } from '../billing/pricing.ts'
import type { RoutedChannel } from '../channels/routing-types.ts'
import type { RelayCall } from './call.ts'

/** How a delivered call ended, when it did not end by itself. */
export type EarlyEnd = 'client_gone' | 'upstream_cut' | 'upstream_error' | 'timeout' | 'shutdown'

/** What was delivered, for the charge and its log row. */
export interface Delivery {
  readonly channel: RoutedChannel
  readonly upstreamModel: string
  readonly usage: Usage
  /** The upstream sent no usage: the counts are our own. */
  readonly estimated: boolean
  readonly ended: EarlyEnd | undefined
}

export interface TillDependencies {
  readonly ledger: Pick<Ledger, 'settle' | 'record' | 'release'>
  readonly nowMs: () => number
  readonly logConsumption: () => boolean
}

/** Marks "no first token was measured" in log rows, as readers of such logs know it. */
const notStreamedMs = -1000

function explain(call: RelayCall, price: Price, delivery: Delivery, doneMs: number): string {
  const { trail } = call
  const other: LogOther = {
    ...explainCharge(delivery.usage, price),
    frt: call.request.stream ? trail.firstTokenMs : notStreamedMs,
    timing: { routed: trail.routedMs, sent: trail.sentMs, first_token: trail.firstTokenMs, done: doneMs },
    admin_info: {
      use_channel: trail.attempts.map((attempt) => String(attempt.channel)),
      attempts: trail.attempts,
    },
  }
  if (delivery.upstreamModel !== call.request.model) {
    other.is_model_mapped = true
    other.upstream_model_name = delivery.upstreamModel
  }
  if (delivery.estimated) other.estimated = true
  if (delivery.ended !== undefined) other.ended = delivery.ended
  if (call.request.reasoningEffort !== '') other.reasoning_effort = call.request.reasoningEffort
  return JSON.stringify(other)
}

/**
 * The money of one call: opened with what was reserved, ended exactly once by `settle` or `release`.
 * Whatever comes second is ignored, so that every exit path may end it. After `settle`, `record` makes the charge last:
 * before it no end of an answer may leave.
 */
export class Till {
  ended = false
  readonly #call: RelayCall
  readonly #price: Price
  readonly #reservation: Reservation
  readonly #deps: TillDependencies

  constructor(call: RelayCall, price: Price, reservation: Reservation, deps: TillDependencies) {
    this.#call = call
    this.#price = price
    this.#reservation = reservation
    this.#deps = deps
  }

  settle(delivery: Delivery): void {
    if (this.ended) return
    this.ended = true
    const { caller, request, receivedAt, requestId } = this.#call
    const now = this.#deps.nowMs()
    const doneMs = now - receivedAt
    this.#deps.ledger.settle(this.#reservation, {
      createdAt: Math.floor(now / 1000),
      userId: caller.user.id,
      username: caller.user.username,
      tokenId: caller.token?.id ?? 0,
      tokenName: caller.tokenName,
      model: pricedName(request.model),
      channelId: delivery.channel.id,
      group: caller.group,
      quota: costOf(delivery.usage, this.#price),
      promptTokens: promptTokensOf(delivery.usage),
      completionTokens: delivery.usage.outputTokens,
      useTimeSeconds: Math.round(doneMs / 1000),
      isStream: request.stream,
      content: '',
      requestId,
      other: explain(this.#call, this.#price, delivery, doneMs),
      logged: this.#deps.logConsumption(),
    })
  }

  record(): void {
    this.#deps.ledger.record()
  }

  release(): void {
    if (this.ended) return
    this.ended = true
    this.#deps.ledger.release(this.#reservation)
  }
}
