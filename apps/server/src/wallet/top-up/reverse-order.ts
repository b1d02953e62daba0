import { decimalsOf, type TopUpReversal } from '@tollgate/api'
import type { LogEvent } from '@tollgate/api/log-events'
import { holdInviterBonusAgain, releaseInviterBonus } from '../../accounts/users/invitations.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import { KeyedMutex } from '../../lib/async/mutex.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createEventLog } from '../../records/logs/event-log.ts'
import type { Services } from '../../services.ts'
import type { PaymentReversed } from '../../store/change-events.ts'
import type { Reversal, TopUpOrder } from '../../store/money/top-up-orders.ts'
import type { Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { moneyText } from './amounts.ts'

/** Amounts of a payment that the provider took back, in the smallest unit of its currency. */
export interface TakenBack {
  readonly refundedMinor: number
  /** Amount of disputes that are open or lost. */
  readonly disputedMinor: number
  readonly hasLostDispute: boolean
}

/**
 * Takes from the owner's balance what the provider took back of the payment, and gives back what it no longer does: the balance
 * follows the provider's state, whatever the order and number of its events. Resolves once that is committed.
 * @param ask the provider's state now; asked again when another node stored one meanwhile
 */
export type ReverseOrder = (tradeNo: string, ask: () => Promise<TakenBack>) => Promise<void>

/**
 * Records money that was returned otherwise than by the provider's API, and takes as much of the credit back.
 * @param order as it was looked at: refused when somebody changed it since
 * @param wanted all that was returned by hand, in the smallest unit of the currency, and what the provider took back beside it
 * @param record writes the reason in the same transaction
 */
export type ReverseByHand = (
  order: TopUpOrder,
  wanted: { readonly handRefundedMinor: number; readonly byProvider: TakenBack },
  record: (tx: Store) => Promise<void>,
) => Promise<void>

interface Dependencies extends Pick<Services, 'store' | 'clock'> {
  readonly ledger: Pick<Ledger, 'credit'>
  readonly announce: (reversed: PaymentReversed) => void
}

/** One move of money, to its figure of the order. */
interface Move {
  readonly cause: PaymentReversed['cause']
  readonly to: Partial<Reversal>
  readonly amount: Quota
}

class ReversedMeanwhileError extends Error {
  override readonly name = 'ReversedMeanwhileError'
}

/** Each try that fails has seen another node succeed. */
const maxTries = 20

export function createReverseOrder(deps: Dependencies): ReverseOrder {
  const { store } = deps
  /** Questions of this process to the provider take turns. The order's `revision` guards what is stored, over all nodes. */
  const orders = new KeyedMutex<string>()
  return (tradeNo, ask) => orders.run(tradeNo, () => reverse(tradeNo, ask))

  async function reverse(tradeNo: string, ask: () => Promise<TakenBack>): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      // Read before the provider is asked: a state that is stored over this revision is newer than what it replaces.
      const order = await store.topUpOrders.findByTradeNo(tradeNo)
      if (order?.status !== 'success') return
      const wanted = reversalOf(order, await ask())
      try {
        return await follow(deps, order, wanted)
      } catch (error) {
        if (!(error instanceof ReversedMeanwhileError)) throw error
      }
    }
    throw new Refusal('top_up_provider_failed')
  }
}

export function createReverseByHand(deps: Dependencies): ReverseByHand {
  return async (order, { handRefundedMinor, byProvider }, record) => {
    const wanted = reversalOf({ ...order, handRefundedMinor }, byProvider)
    try {
      await follow(deps, order, wanted, record)
    } catch (error) {
      if (error instanceof ReversedMeanwhileError) throw new Refusal('top_up_changed')
      throw error
    }
  }
}

/** Returns what the provider took back, as it was stored: cut off where it and what was returned by hand are more than the payment. */
export function storedTakenBack(order: TopUpOrder): TakenBack {
  return {
    refundedMinor: order.refundedMinor - order.handRefundedMinor,
    disputedMinor: order.disputedMinor,
    hasLostDispute: order.reversal === 'charged_back',
  }
}

/**
 * Quota in proportion to the money. Refund and dispute together take no more than was credited: what was returned by hand counts beside
 * what the provider returned.
 */
function reversalOf(
  { quota, moneyMinor, handRefundedMinor }: Pick<TopUpOrder, 'quota' | 'moneyMinor' | 'handRefundedMinor'>,
  taken: TakenBack,
): Reversal {
  const refundedMinor = Math.min(taken.refundedMinor + handRefundedMinor, moneyMinor)
  const disputedMinor = Math.min(taken.disputedMinor, moneyMinor - refundedMinor)
  const { hasLostDispute } = taken
  const quotaFor = (minor: number) => share(quota, minor, moneyMinor)
  const refundedQuota = quotaFor(refundedMinor)
  const disputedQuota = quotaFor(refundedMinor + disputedMinor) - refundedQuota
  const money = { refundedMinor, disputedMinor, handRefundedMinor }
  return { refundedQuota, disputedQuota, reversal: nameOf(), ...money }

  function nameOf(): TopUpReversal {
    if (taken.disputedMinor > 0) return hasLostDispute ? 'charged_back' : 'disputed'
    return refundedMinor > 0 ? 'refunded' : 'none'
  }
}

/** Exact, and rounded half up; the whole for the whole. */
function share(quota: Quota, part: number, whole: number): Quota {
  return Number((2n * BigInt(quota) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
}

/** @param record writes beside the first change, in its transaction */
async function follow(
  deps: Dependencies,
  order: TopUpOrder,
  wanted: Reversal,
  record?: (tx: Store) => Promise<void>,
): Promise<void> {
  const { store, announce } = deps
  const username = (await store.users.find(order.userId))?.username ?? ''
  const moves = movesOf(order, wanted)
  let current = order
  for (const move of moves) {
    const next = { ...current, ...wanted, ...quotasOf(current), ...move.to }
    await moveMoney(deps, { current, next, move, username }, current === order ? record : undefined)
    current = { ...next, revision: current.revision + 1 }
    const { userId, tradeNo } = order
    announce({ userId, username, tradeNo, cause: move.cause, amount: move.amount })
  }
  if (moves.length > 0) return
  if (record === undefined) await mark(store, current, wanted)
  else
    await store.transaction(async (tx) => {
      await mark(tx, current, wanted)
      await record(tx)
    })
}

function quotasOf({ refundedQuota, disputedQuota }: TopUpOrder) {
  return { refundedQuota, disputedQuota }
}

/** Returns the moves of a reversal, credits first, so that no balance is lower than it must be. */
function movesOf(order: TopUpOrder, { refundedQuota, disputedQuota }: Reversal): Move[] {
  const moves: Move[] = [
    { cause: 'refund', to: { refundedQuota }, amount: order.refundedQuota - refundedQuota },
    { cause: 'dispute', to: { disputedQuota }, amount: order.disputedQuota - disputedQuota },
  ]
  return moves.filter(({ amount }) => amount !== 0).toSorted((a, b) => b.amount - a.amount)
}

interface Step {
  readonly current: TopUpOrder
  readonly next: TopUpOrder
  readonly move: Move
  readonly username: string
}

/** Order, entry, log row and the inviter's gift change together or not at all. */
async function moveMoney(
  { ledger, clock }: Dependencies,
  step: Step,
  record?: (tx: Store) => Promise<void>,
): Promise<void> {
  const { current, next, move, username } = step
  await ledger.credit({
    kind: 'user',
    id: current.userId,
    cause: move.cause,
    amount: move.amount,
    actorId: 0,
    note: current.tradeNo,
    async inTransaction(tx) {
      await mark(tx, current, next)
      const subject = { userId: current.userId, username }
      await createEventLog({ usage: tx.usage, clock }).appendSystemLog(subject, eventOf(move, current))
      await moveGift(tx, clock, step)
      await record?.(tx)
    },
  })
}

async function mark(
  { topUpOrders }: Pick<Store, 'topUpOrders'>,
  current: TopUpOrder,
  next: Reversal,
): Promise<void> {
  if (!(await topUpOrders.markReversed(current, next))) throw new ReversedMeanwhileError()
}

/** The gift that the order released ends with the whole of its credit, and returns with any part of it. */
async function moveGift(tx: Store, clock: Services['clock'], step: Step): Promise<void> {
  const { current, next, username } = step
  const invitee = { id: current.userId, username }
  const [wasTaken, isTaken] = [isWhollyTaken(current), isWhollyTaken(next)]
  if (isTaken && !wasTaken && current.giftQuota > 0) {
    const gift = { inviterId: current.giftInviterId, quota: current.giftQuota }
    await holdInviterBonusAgain(tx, clock, invitee, gift)
    await tx.topUpOrders.setGift(current.id, { inviterId: 0, quota: 0 })
  }
  if (wasTaken && !isTaken) {
    const gift = await releaseInviterBonus(tx, clock, invitee)
    if (gift !== undefined) await tx.topUpOrders.setGift(current.id, gift)
  }
}

function isWhollyTaken({ quota, refundedQuota, disputedQuota }: TopUpOrder): boolean {
  return refundedQuota + disputedQuota >= quota
}

function eventOf({ cause, amount }: Move, order: TopUpOrder): LogEvent {
  const paid = `${moneyText(order.moneyMinor, decimalsOf(order.currency))} ${order.currency.toUpperCase()}`
  const params = { quota: Math.abs(amount), paid, order: order.tradeNo }
  if (cause === 'refund') return { event: amount < 0 ? 'payment_refunded' : 'refund_failed', params }
  return { event: amount < 0 ? 'payment_disputed' : 'dispute_ended', params }
}
