import { type Clock, unixSeconds } from '@tollgate/base'
import { AccountUnknownError, BalanceRangeError } from '../../store/errors.ts'
import type { LedgerEntry } from '../../store/money/ledger.ts'
import type { LedgerRepository, Store } from '../../store/store.ts'
import type { Quota } from '../../store/units.ts'
import { type Account, type CachedAccountKind, wholeBalanceOf } from '../balances/account-cache.ts'
import type { AccountCredit, Credit } from '../ledger-types.ts'
import type { UnflushedCharges } from '../write-behind/unflushed.ts'
import type { BalanceUpdates } from './balance-updates.ts'

export interface CreditOptions {
  readonly repository: Pick<LedgerRepository, 'credit' | 'setBalance' | 'balanceOf'>
  readonly updates: BalanceUpdates
  readonly clock: Clock
  /** Parts for nodes that share balances: only the database knows the difference to a figure. */
  readonly shared?: {
    readonly node: string
    readonly unflushed: Pick<UnflushedCharges, 'after'>
  }
}

type Entry = Omit<LedgerEntry, 'id'>

/** Money that moves for another reason than a call. */
export class Credits {
  readonly #options: CreditOptions

  constructor(options: CreditOptions) {
    this.#options = options
  }

  async credit(credit: Credit): Promise<Quota> {
    const amount = assertQuota(credit.amount)
    if (credit.kind === 'channel') return await this.#creditChannel(credit, amount)
    return await this.#move(credit, credit.kind, () => amount)
  }

  async setBalance(credit: Omit<Credit, 'amount'> & { readonly balance: Quota }): Promise<Quota> {
    const balance = assertQuota(credit.balance)
    const { kind } = credit
    if (kind !== 'channel')
      return this.#options.shared === undefined
        ? await this.#move(credit, kind, (account) => balance - account.balance)
        : await this.#set(credit, kind, balance, this.#options.shared)
    const stored = await this.#options.repository.balanceOf('channel', credit.id)
    if (stored === undefined) throw unknownAccount('channel', credit.id)
    return await this.#creditChannel(credit, balance - stored)
  }

  /**
   * Moves what charges of several accounts were corrected by.
   * @param write writes all of it in one transaction; false where it was written before
   */
  async correct(accounts: readonly AccountCredit[], write: () => Promise<boolean>): Promise<void> {
    const { updates } = this.#options
    const amounts = new Map(accounts.map(({ kind, id, amount }) => [`${kind} ${id}`, assertQuota(amount)]))
    await updates.withAccounts(accounts, async (loaded) => {
      if (!(await updates.inDatabase(loaded, write))) return
      for (const account of loaded)
        await updates.credited(account, amounts.get(`${account.kind} ${account.id}`) ?? 0)
    })
  }

  /** @param amountFor returns the amount, at a time when only calls move money of the account */
  #move(
    credit: Omit<Credit, 'amount'>,
    kind: CachedAccountKind,
    amountFor: (account: Account) => Quota,
  ): Promise<Quota> {
    const { updates } = this.#options
    return updates.withAccounts([{ kind, id: credit.id }], async (accounts) => {
      const [account] = accounts
      if (account === undefined) throw unknownAccount(kind, credit.id)
      const amount = amountFor(account)
      if (amount === 0 && credit.inTransaction === undefined) return wholeBalanceOf(account)
      await this.#write(accounts, credit.inTransaction, (inTransaction) =>
        this.#options.repository.credit(this.#entryOf(credit, amount), inTransaction),
      )
      await updates.credited(account, amount)
      return wholeBalanceOf(account)
    })
  }

  /** Charges that this node has settled and the database lacks are still to be paid from the balance that is set. */
  #set(
    credit: Omit<Credit, 'amount'>,
    kind: CachedAccountKind,
    balance: Quota,
    { node, unflushed }: NonNullable<CreditOptions['shared']>,
  ): Promise<Quota> {
    const { updates, repository } = this.#options
    return updates.withAccounts([{ kind, id: credit.id }], async (accounts) => {
      const [account] = accounts
      if (account === undefined) throw unknownAccount(kind, credit.id)
      const { amount: _, ...entry } = this.#entryOf(credit, 0)
      const balanceAt = (position: number) => balance + unflushed.after(position, kind, credit.id)
      await this.#write(accounts, credit.inTransaction, (inTransaction) =>
        repository.setBalance(entry, { node, balanceAt }, inTransaction),
      )
      await updates.credited(account, balance - wholeBalanceOf(account))
      return balance
    })
  }

  /**
   * Writes a credit. A cause that throws, or a balance out of range, rolls the transaction back, so memory stays valid and needs
   * no new read.
   */
  async #write(
    accounts: readonly Account[],
    cause: Credit['inTransaction'],
    write: (inTransaction: Credit['inTransaction']) => Promise<Quota>,
  ): Promise<void> {
    let refusal: { readonly error: unknown } | undefined
    const inTransaction = watched(cause, (outcome) => {
      refusal = outcome
    })
    await this.#options.updates.inDatabase(accounts, async () => {
      try {
        await write(inTransaction)
      } catch (error) {
        if (error instanceof BalanceRangeError) refusal ??= { error }
        if (refusal === undefined) throw error
      }
    })
    if (refusal !== undefined) throw refusal.error
  }

  /** Credits a channel by the database alone: channels are not in memory. */
  #creditChannel(credit: Omit<Credit, 'amount'>, amount: Quota): Promise<Quota> {
    return this.#options.repository.credit(this.#entryOf(credit, amount), credit.inTransaction)
  }

  #entryOf({ kind, id, cause, actorId, note }: Omit<Credit, 'amount'>, amount: Quota): Entry {
    const createdAt = unixSeconds(this.#options.clock)
    return { accountKind: kind, accountId: id, cause, amount, createdAt, actorId, note }
  }
}

/** @param ran receives what the last run of it threw: a transaction may run it again */
function watched(
  inTransaction: Credit['inTransaction'],
  ran: (refusal: { readonly error: unknown } | undefined) => void,
): ((tx: Store) => Promise<void>) | undefined {
  if (inTransaction === undefined) return undefined
  return async (tx) => {
    ran(undefined)
    try {
      await inTransaction(tx)
    } catch (error) {
      ran({ error })
      throw error
    }
  }
}

function unknownAccount(kind: string, id: number): AccountUnknownError {
  return new AccountUnknownError(`there is no ${kind} ${id}`)
}

function assertQuota(amount: Quota): Quota {
  if (!Number.isInteger(amount)) throw new RangeError(`not a whole amount of quota: ${amount}`)
  return amount
}
