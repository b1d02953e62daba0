import { promptTokensOf } from '@tollgate/formats'
import type { Ledger, Reservation } from '../billing/ledger-types.ts'
import { costOf } from '../billing/pricing/charge.ts'
import type { Price } from '../billing/pricing/price.ts'
import { pricedName } from '../billing/pricing/price-table.ts'
import type { RelayCall } from './call.ts'
import type { Delivery } from './delivery.ts'
import { explain } from './explanation.ts'

export interface TillDependencies {
  readonly ledger: Pick<Ledger, 'settle' | 'record' | 'release'>
  readonly nowMs: () => number
  readonly logConsumption: () => boolean
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
      tokenId: caller.tokenId,
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
