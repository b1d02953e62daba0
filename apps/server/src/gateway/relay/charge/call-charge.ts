import { type OtherCosts, promptTokensOf } from '@tollgate/formats'
import type { Failure, Ledger, Reservation, SecureResult } from '../../../billing/ledger-types.ts'
import { costOf } from '../../../billing/pricing/charge.ts'
import { priceOfMade } from '../../../billing/pricing/media-price.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import { pricedName } from '../../../billing/pricing/price-table.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import { type AttemptCounter, countAttempts } from '../count-attempts.ts'
import { faultOfEnd, faultOfError } from '../faults.ts'
import type { CallObserver } from '../observe.ts'
import type { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { costOfCall, type FindCost } from './call-cost.ts'
import type { CallExposure } from './call-exposure.ts'
import {
  type CountedUsage,
  type Delivery,
  isUnfinished,
  isWhole,
  noCosts,
  spokenUsage,
} from './counted-usage.ts'
import { explain, explainFailure } from './log-other.ts'
import type { Overruns } from './overruns.ts'

export interface ChargeDependencies {
  readonly ledger: Pick<
    Ledger,
    | 'settle'
    | 'record'
    | 'extend'
    | 'extendOrAcquire'
    | 'affordable'
    | 'cover'
    | 'secure'
    | 'expect'
    | 'release'
    | 'releaseLogged'
    | 'logFailure'
  >
  /** Milliseconds of the monotonic clock. */
  readonly nowMs: () => number
  /** Unix seconds of the wall clock. */
  readonly nowSeconds: () => number
  /** Say which calls leave a row in the log. */
  readonly settings: SettingsReader
  readonly attempts: AttemptCounter
  /** Absent where nobody watches. */
  readonly observer?: CallObserver | undefined
  /** Finds the cost of a model for the operator at a channel of this factor; `undefined` where it is not known. */
  readonly findCost: FindCost
  /** Usage of upstreams beyond the limits of their callers. */
  readonly overruns: Overruns
  /** Hears of a response that had started and that its channel broke off. Must not throw. */
  readonly brokenOff: (channelId: number, why: 'timeout' | 'upstream_bug') => void
}

/** The reservation of an admitted call. */
export interface Reserved {
  readonly price: Price
  readonly promptTokens: number
  /** Its possible costs beside tokens. */
  readonly costs?: OtherCosts
  readonly reservation: Reservation
  /** Absent where the cost does not depend on what the upstream counts, and where the reservation follows it event by event. */
  readonly exposure?: CallExposure | undefined
}

/**
 * The money of one call: opened with a reservation, ended exactly once by `settle` or `fail`. A second call is ignored, so that
 * every exit path may end it. After `settle`, `record` makes the charge durable; the end of a response must not leave before.
 */
export class CallCharge {
  ended = false
  #isRepeated = false
  readonly price: Price
  /** Upper estimate, as it was reserved for. */
  readonly promptTokens: number
  /** Possible costs beside tokens, for which the call was reserved. */
  readonly costs: OtherCosts
  readonly #call: RelayCall<ModelRequest>
  readonly #reservation: Reservation
  readonly #exposure: CallExposure | undefined
  readonly #deps: ChargeDependencies

  constructor(call: RelayCall<ModelRequest>, reserved: Reserved, deps: ChargeDependencies) {
    const { price, promptTokens, costs = noCosts, reservation, exposure } = reserved
    this.price = price
    this.promptTokens = promptTokens
    this.costs = costs
    this.#call = call
    this.#reservation = reservation
    this.#exposure = exposure
    this.#deps = deps
  }

  /** Quota that is held for the call. */
  get reserved(): number {
    return this.#reservation.reserved
  }

  /** Has the reservation cover what the call may cost at a candidate; `undefined` where it does already. */
  secure(candidate: Candidate): SecureResult | Promise<SecureResult> | undefined {
    return this.#exposure?.secure(candidate)
  }

  /** Resolves when another call of this one's kind has ended at the candidate. */
  nextEnd(): Promise<void> {
    return this.#exposure?.nextEnd() ?? Promise.resolve()
  }

  /** Reserves `amount` more. False when the balance cannot cover it. */
  extend(amount: number): boolean {
    return this.#deps.ledger.extend(this.#reservation, amount)
  }

  /** The same, and asks for more of the balance first where this node lacks it. */
  extendOrAcquire(amount: number): boolean | Promise<boolean> {
    return this.#deps.ledger.extendOrAcquire(this.#reservation, amount)
  }

  /**
   * The price of a response: another one where neither the upstream nor the gateway can count tokens, or where the upstream
   * made fewer images than requested.
   */
  priceOf({ estimated, made }: Pick<CountedUsage, 'estimated' | 'made'>): Price {
    const price = estimated ? (this.price.whenUncounted ?? this.price) : this.price
    return made === undefined ? price : priceOfMade(price, made)
  }

  /**
   * Charges what was delivered, and no more than the accounts have: a balance is never overdrawn. At once, unless other nodes
   * hold what the call cost beyond its reservation.
   * @step
   */
  settle(received: Delivery): void | Promise<void> {
    if (this.ended) return
    this.ended = true
    this.#count(received)
    const price = this.priceOf(received)
    const delivery = { ...received, usage: spokenUsage(received, price) }
    const unfinished = isUnfinished(this.#call, delivery, price)
    const cost = unfinished ? 0 : costOf(delivery.usage, price)
    const covering = this.#deps.ledger.cover(this.#reservation, cost)
    const settling = { ...delivery, unfinished, price, cost }
    return covering === undefined ? this.#settle(settling) : covering.then(() => this.#settle(settling))
  }

  #count({ channel, ended }: Delivery): void {
    const outcome = faultOfEnd(ended)
    this.#isRepeated = !countAttempts(this.#call, { outcome, isServed: true }, this.#deps.attempts)
    if (outcome !== 'upstream') return
    this.#deps.brokenOff(channel.id, ended === 'timeout' ? 'timeout' : 'upstream_bug')
    if (!isWhole(ended)) this.#call.onLateFailure?.()
  }

  #settle({
    price,
    cost,
    ...delivery
  }: Delivery & { unfinished: boolean; price: Price; cost: number }): void {
    const quota = Math.min(cost, this.#deps.ledger.affordable(this.#reservation))
    const doneMs = Math.round(this.#deps.nowMs() - this.#call.startedAt)
    const charge = {
      ...rowOf(this.#call, this.#deps, doneMs),
      logged: this.#deps.settings.current.LogConsumeEnabled,
      channelId: delivery.channel.id,
      quota,
      cost: costOfCall(this.#call, delivery, this.#deps.findCost),
      promptTokens: promptTokensOf(delivery.usage),
      completionTokens: delivery.usage.outputTokens,
      content: '',
      other: explain(this.#call, price, { ...delivery, shortfall: cost - quota }, doneMs),
    }
    this.#deps.ledger.settle(this.#reservation, charge, cost)
    this.#exposure?.learn(delivery.usage, isWhole(delivery.ended))
    this.#deps.observer?.ended(this.#call, {
      outcome: faultOfEnd(delivery.ended),
      why: delivery.ended,
      doneMs,
      usage: delivery.usage,
      upstreamModel: delivery.upstreamModel,
      quota,
      isRepeated: this.#isRepeated,
    })
  }

  record(): void {
    this.#deps.ledger.record()
  }

  /** Releases the reservation without a log row: the call requested nothing, and nothing failed. */
  release(): void {
    if (this.ended) return
    this.ended = true
    countAttempts(this.#call, { outcome: 'ok', isServed: true }, this.#deps.attempts)
    this.#deps.ledger.release(this.#reservation)
    this.#exposure?.leave()
  }

  /** Releases the reservation and adds a log row with the attempts. */
  fail(error: RelayError): void {
    if (this.ended) return
    this.ended = true
    const end = { outcome: faultOfError(error), isServed: false }
    const isRepeated = !countAttempts(this.#call, end, this.#deps.attempts)
    this.#deps.ledger.releaseLogged(this.#reservation, failureOf(this.#call, error, this.#deps))
    this.#exposure?.leave()
    observeFailure(this.#call, error, isRepeated, this.#deps)
  }
}

/** Tells who watches of a call that failed. */
export function observeFailure(
  call: RelayCall<ModelRequest>,
  error: RelayError,
  isRepeated: boolean,
  { observer, nowMs }: Pick<ChargeDependencies, 'observer' | 'nowMs'>,
): void {
  if (observer === undefined) return
  const doneMs = Math.round(nowMs() - call.startedAt)
  observer.ended(call, { outcome: faultOfError(error), why: error, doneMs, quota: 0, isRepeated })
}

/** Adds the log row of a call that failed before it reserved anything. */
export function logFailure(call: RelayCall<ModelRequest>, error: RelayError, deps: ChargeDependencies): void {
  deps.ledger.logFailure(failureOf(call, error, deps))
}

function failureOf(call: RelayCall<ModelRequest>, error: RelayError, deps: ChargeDependencies): Failure {
  const doneMs = Math.round(deps.nowMs() - call.startedAt)
  return {
    ...rowOf(call, deps, doneMs),
    logged: deps.settings.current.LogFailedCallsEnabled,
    channelId: call.trace.attempts.at(-1)?.channel ?? 0,
    promptTokens: 0,
    completionTokens: 0,
    content: error.publicMessage,
    other: explainFailure(call, error, doneMs),
  }
}

/** The fields that log rows of all calls have. */
function rowOf(
  { caller, request, requestId }: RelayCall<ModelRequest>,
  deps: ChargeDependencies,
  doneMs: number,
) {
  return {
    createdAt: deps.nowSeconds(),
    userId: caller.user.id,
    username: caller.user.username,
    tokenId: caller.tokenId,
    tokenName: caller.tokenName,
    model: pricedName(request.model),
    group: caller.group,
    useTimeSeconds: Math.round(doneMs / 1000),
    isStream: request.stream,
    requestId,
  }
}

/** Recognises prices that do not depend on how much of a response comes: by the call, or by the image. */
export function isPaidPerCall({ terms, whenUncounted }: Price): boolean {
  return terms.kind === 'per-call' || whenUncounted !== undefined
}

/**
 * Decides whether a sent call continues, and is charged, after its caller has disconnected: it does not stream, or it has a price per
 * call.
 */
export function outlivesCaller({ stream }: Pick<ModelRequest, 'stream'>, price: Price): boolean {
  return !stream || isPaidPerCall(price)
}
