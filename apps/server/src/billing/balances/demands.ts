import type { Quota } from '../../store/units.ts'
import type { ReserveRequest } from '../ledger-types.ts'
import type { Account, AccountCache, CachedAccountKind } from './account-cache.ts'
import { RecentCharges } from './recent-charges.ts'
import { type AccountShare, type Demand, demandOn, type OpenReservation } from './reservation.ts'

/** Pairs of user and model whose latest charges are remembered. */
const recentChargesLimit = 20_000

interface AccountDemand {
  readonly account: Account
  readonly demand: Demand
}

/** Demands of calls on their accounts, by the recent costs of such calls. */
export class Demands {
  readonly #caches: Readonly<Record<CachedAccountKind, AccountCache>>
  readonly #recentCharges = new RecentCharges(recentChargesLimit)
  /** Costs of calls that their accounts could not pay in full. */
  readonly #shortCharges = new RecentCharges(recentChargesLimit)

  constructor(caches: Readonly<Record<CachedAccountKind, AccountCache>>) {
    this.#caches = caches
  }

  /** The accounts that a call is charged to; `undefined` when one is not in memory. */
  accountsOf({ userId, token: paying }: ReserveRequest): AccountShare[] | undefined {
    const user = this.#caches.user.find(userId)
    if (user === undefined) return undefined
    const accountShares: AccountShare[] = [{ account: user, limited: true, reserved: 0, expected: 0 }]
    if (paying === null) return accountShares
    const token = this.#caches.token.find(paying.id)
    if (token === undefined) return undefined
    token.isLimited = !paying.unlimited
    accountShares.push({ account: token, limited: token.isLimited, reserved: 0, expected: 0 })
    return accountShares
  }

  /**
   * Returns the demand of a call on each account that may refuse it.
   * @param mayBeAlone whether other nodes have no call of the accounts, as far as they hold nothing of them
   */
  of(
    { userId, estimate, unboundedEstimate = 0, model }: ReserveRequest,
    accountShares: readonly AccountShare[],
    mayBeAlone: boolean,
  ): AccountDemand[] {
    // Recent cheap calls must not lower what each of a burst of expensive ones has to cover.
    const remembered = Math.max(this.#recentCharges.recall(userId, model), unboundedEstimate)
    // No caller gets such a response below its cost a second time, for example with another key that is nearly empty.
    const known = unboundedEstimate > 0 ? this.#shortCharges.recall(userId, model) : 0
    const min = Math.max(estimate, known)
    const demands: AccountDemand[] = []
    for (const { account, limited } of accountShares)
      if (limited)
        demands.push({
          account,
          demand: demandOn(account, min, remembered, mayBeAlone && account.others <= 0),
        })
    return demands
  }

  /** Learns what a call cost, and what it was charged. */
  learn({ userId, model }: OpenReservation, charged: Quota, cost: Quota): void {
    if (cost > 0) this.#recentCharges.learn(userId, model, cost)
    if (cost > charged) this.#shortCharges.learn(userId, model, cost)
  }
}
