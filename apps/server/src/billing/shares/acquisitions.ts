import type { Logger } from '../../lib/logger.ts'
import type { Quota } from '../../store/units.ts'
import type { Account } from '../balances/account-cache.ts'
import type { Demands } from '../balances/demands.ts'
import {
  type AccountShare,
  affordableOf,
  availableOf,
  extensionOf,
  isShort,
  type OpenReservation,
} from '../balances/reservation.ts'
import type { ReserveRequest, ReserveResult } from '../ledger-types.ts'
import { type Shares, type Shortage, SilentHolderError } from './shares.ts'

export interface AcquisitionOptions {
  readonly shares: Shares
  readonly demands: Demands
  /** Reserves from the shares as they are. */
  readonly reserve: (request: ReserveRequest, mayBeAlone: boolean) => ReserveResult
  readonly extend: (reservation: OpenReservation, amount: Quota) => boolean
  readonly logger: Logger
}

/** A part of a share that no other call may reserve. */
interface Aside {
  readonly account: Account
  readonly amount: Quota
}

/** Number of tries of a call to get its part of a balance that other calls demand, too. */
const maxTries = 8

/** Calls whose shares are too small: raises these, and tries again. */
export class Acquisitions {
  readonly #options: AcquisitionOptions

  constructor(options: AcquisitionOptions) {
    this.#options = options
  }

  /**
   * Raises what the request is short of, account by account: nodes that did so in another order could each hold what the other
   * lacks. What was raised is put aside until the call reserves all of it.
   */
  async reserve(request: ReserveRequest): Promise<ReserveResult> {
    const { shares, demands, reserve, logger } = this.#options
    const accountShares = demands.accountsOf(request) ?? []
    const accounts = accountShares.filter(({ limited }) => limited).map(({ account }) => account)
    const aside: Aside[] = []
    // No other object may stand for an account meanwhile.
    for (const account of accounts) account.pins += 1
    try {
      let isFresh = true
      for (let index = 0; index < accounts.length && isFresh; index += 1)
        isFresh = await this.#putAside(request, accountShares, index, aside)
      release(aside)
      const result = reserve(request, isFresh || shares.isAlone)
      if (!result.ok) for (const account of accounts) shares.tidy(account)
      return result
    } catch (error) {
      logger.warn({ err: error, userId: request.userId }, warningOf(error))
      return { ok: false, refusal: 'account-unknown', balance: 0, needed: request.estimate }
    } finally {
      release(aside)
      for (const account of accounts) account.pins -= 1
    }
  }

  /** False when an account has too little, or cannot be asked. */
  async extend(own: OpenReservation, amount: Quota): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const granted = await this.#obtainAll(shortagesOf(own, amount)).catch(() => false)
      if (this.#options.extend(own, amount)) return true
      if (!granted) return false
    }
    return false
  }

  /** Raises shares by what the cost exceeds them, as far as possible, and reserves that, so that no other call takes it. */
  async cover(own: OpenReservation, cost: Quota): Promise<void> {
    const short = own.accountShares.filter((share) => share.limited && cost > affordableOf(share))
    await Promise.all(
      short.map((share) => this.#options.shares.gather(share.account, cost - affordableOf(share))),
    )
    own.extend(Math.max(0, Math.min(cost, own.affordable) - own.reserved))
  }

  /** False when the account has too little, or other calls were faster. */
  async #putAside(
    request: ReserveRequest,
    accountShares: readonly AccountShare[],
    index: number,
    aside: Aside[],
  ): Promise<boolean> {
    const { shares, demands } = this.#options
    const demandOf = (mayBeAlone: boolean) => demands.of(request, accountShares, mayBeAlone)[index]
    let mayBeAlone = shares.isAlone
    for (let tries = 0; tries <= maxTries; tries += 1) {
      const requested = demandOf(mayBeAlone)
      if (requested === undefined) return false
      const { account, demand } = requested
      if (!isShort(account, demand)) {
        account.reserved += demand.reserved
        account.inFlight += 1
        aside.push({ account, amount: demand.reserved })
        return true
      }
      // A call needs what it does if it is alone: whether it is shows when the share has been raised.
      const neededOf = () => Math.max(0, (demandOf(true)?.demand ?? demand).needed - availableOf(account))
      const needed = neededOf()
      // Calls that wait see the same quota as available: one that lost its part to another asks for all of it.
      const wanted = tries === 0 ? Math.max(0, demand.usual - availableOf(account)) : demand.usual
      if (tries === maxTries) return false
      const isGranted = await shares.obtain({ account, needed, wanted, usual: demand.usual })
      // Nodes that returned all they had leave the call alone, and it needs less.
      if (!isGranted && neededOf() >= needed) return false
      mayBeAlone = true
    }
    return false
  }

  async #obtainAll(shortages: readonly Shortage[]): Promise<boolean> {
    const granted = await Promise.all(shortages.map((shortage) => this.#options.shares.obtain(shortage)))
    return granted.every((each) => each)
  }
}

function warningOf(error: unknown): string {
  return error instanceof SilentHolderError
    ? 'ledger: another node holds most of this balance and does not reply, and calls of the account are refused for a minute at most: see which node is silent'
    : 'ledger: the balance of this account cannot be read, and its calls are refused: check the database'
}

function release(aside: Aside[]): void {
  for (const { account, amount } of aside.splice(0)) {
    account.reserved -= amount
    account.inFlight -= 1
  }
}

export function isShortOfQuota(result: ReserveResult): boolean {
  return !result.ok && (result.refusal === 'user-quota' || result.refusal === 'token-quota')
}

function shortagesOf({ accountShares }: OpenReservation, amount: Quota): Shortage[] {
  return accountShares
    .map((share) => ({ account: share.account, missing: share.limited ? amount - extensionOf(share) : 0 }))
    .filter(({ missing }) => missing > 0)
    .map(({ account, missing }) => ({ account, needed: missing, wanted: missing, usual: missing }))
}
