import { type Clock, unixSeconds } from '@tollgate/base'
import type { Hold } from '../../store/money/ledger.ts'
import type { SettledCall } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import type { OpenReservation } from '../balances/reservation.ts'
import type {
  Charge,
  Failure,
  HoldRequest,
  HoldResult,
  ReserveResult,
  TransactionWork,
} from '../ledger-types.ts'
import type { BalanceUpdates } from './balance-updates.ts'

export interface HoldOptions {
  readonly repository: Pick<LedgerRepository, 'hold' | 'findHold' | 'endHold'>
  readonly updates: BalanceUpdates
  readonly clock: Clock
  /** Loads the accounts of a request and reserves in memory, so that no call gets the same quota meanwhile. */
  readonly reserve: (request: HoldRequest) => Promise<ReserveResult>
  readonly release: (result: ReserveResult) => void
  /** This node, where it pays holds from its shares. */
  readonly payer: string | undefined
}

/**
 * Charges taken in advance, which outlive the process: balances are debited when a hold is taken, and what it really
 * costs is settled hours later. The database decides who ends a hold.
 */
export class Holds {
  readonly #options: HoldOptions

  constructor(options: HoldOptions) {
    this.#options = options
  }

  async hold(request: HoldRequest): Promise<HoldResult> {
    const reserved = await this.#options.reserve(request)
    if (!reserved.ok) return reserved
    try {
      await this.#take(request, reserved.reservation as OpenReservation)
    } finally {
      this.#options.release(reserved)
    }
    return { ok: true }
  }

  async settle(id: string, charge: Charge, inTransaction?: TransactionWork): Promise<boolean> {
    return await this.#end(id, { ...charge, kind: 'consumption' }, inTransaction)
  }

  async release(id: string, failure?: Failure, inTransaction?: TransactionWork): Promise<boolean> {
    return await this.#end(id, failure && { ...failure, quota: 0, kind: 'error' }, inTransaction)
  }

  async #take({ id, amount }: HoldRequest, { accountShares }: OpenReservation): Promise<void> {
    const { updates, repository, clock, payer } = this.#options
    const accounts = accountShares.map(({ account }) => ({ kind: account.kind, id: account.id }))
    const hold = { id, accounts, amount, createdAt: unixSeconds(clock) }
    await updates.withAccounts(accounts, async (inMemory) => {
      await updates.inDatabase(inMemory, () => repository.hold(hold, payer))
      for (const account of inMemory) account.balance -= amount
    })
  }

  /** @param call what the work cost, or how it failed */
  async #end(
    id: string,
    call: SettledCall | undefined,
    inTransaction: TransactionWork | undefined,
  ): Promise<boolean> {
    const { updates, repository, clock } = this.#options
    const hold = await repository.findHold(id)
    if (hold === undefined) return false
    if (call !== undefined) assertSameAccounts(hold, call)
    return await updates.withAccounts(hold.accounts, async (accounts) => {
      const ended = await updates.inDatabase(accounts, () =>
        repository.endHold(id, unixSeconds(clock), call, inTransaction),
      )
      const back: Quota = hold.amount - (call?.quota ?? 0)
      if (ended) for (const account of accounts) await updates.credited(account, back)
      return ended
    })
  }
}

function assertSameAccounts({ accounts }: Hold, { userId, tokenId }: SettledCall): void {
  const named = { user: userId, token: tokenId }
  const isSame = accounts.every(({ kind, id }) => named[kind] === id)
  if (!isSame || accounts.length !== (tokenId === 0 ? 1 : 2))
    throw new RangeError('the charge names other accounts than its hold')
}
