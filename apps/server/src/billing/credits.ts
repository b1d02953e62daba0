import { type Clock, unixSeconds } from '@tollgate/base'
import type { Logger } from '../lib/logger.ts'
import type { Quota } from '../store/entities.ts'
import type { LedgerRepository } from '../store/store.ts'
import type { Account, AccountBook } from './account-book.ts'
import type { Credit, Ledger } from './ledger-types.ts'

/** Money that moves for another reason than a call. */
export interface Credits extends Pick<Ledger, 'credit' | 'setBalance'> {
  close(): void
}

export interface CreditOptions {
  readonly repository: Pick<LedgerRepository, 'credit' | 'balanceOf'>
  readonly books: { readonly user: AccountBook; readonly token: AccountBook }
  /** Charges that the database lacks. */
  readonly undrained: (kind: CreditedKind, id: number) => Quota
  /** Runs work while nothing is drained: then database and memory differ by what is undrained, and by that alone. */
  readonly whileNothingDrains: <T>(work: () => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly logger: Logger
}

type CreditedKind = 'user' | 'token'

/** The account is not in the database. */
class AccountUnknownError extends Error {
  override readonly name = 'AccountUnknownError'
}

const retryMs = 1000

export function createCredits({
  repository,
  books,
  undrained,
  whileNothingDrains,
  clock,
  logger,
}: CreditOptions): Credits {
  const turns = new WeakMap<Account, Promise<unknown>>()
  /** A credit failed without saying whether it was written: memory must be read anew before it is trusted. */
  const doubtful = new Map<Account, CreditedKind>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  /** One piece of work per account at a time; the account stays in memory for it. */
  async function withAccount<T>(
    kind: CreditedKind,
    id: number,
    work: (account: Account) => Promise<T>,
  ): Promise<T> {
    const account = await books[kind].load(id)
    if (account === undefined) throw new AccountUnknownError(`there is no ${kind} ${id}`)
    account.pins += 1
    const result = (turns.get(account) ?? Promise.resolve()).then(() => work(account))
    const unpin = () => {
      account.pins -= 1
    }
    turns.set(account, result.then(unpin, unpin))
    return await result
  }

  /** @param amountFor the amount, asked for when nothing else is moving money of the account but calls */
  function move(
    { kind, id, cause, actorId, note }: Omit<Credit, 'amount' | 'kind'> & { kind: CreditedKind },
    amountFor: (account: Account) => Quota,
  ): Promise<Quota> {
    return withAccount(kind, id, async (account) => {
      if (doubtful.has(account)) await clearUp(account, kind)
      const amount = wholeQuota(amountFor(account))
      if (amount === 0) return account.balance
      const entry = {
        accountKind: kind,
        accountId: id,
        cause,
        amount,
        createdAt: unixSeconds(clock),
        actorId,
        note,
      }
      try {
        await repository.credit(entry)
      } catch (error) {
        await doubt(account, kind)
        throw error
      }
      account.balance += amount
      return account.balance
    })
  }

  async function doubt(account: Account, kind: CreditedKind): Promise<void> {
    doubtful.set(account, kind)
    account.pins += 1
    await clearUp(account, kind).catch((error: unknown) => {
      logger.error(
        { err: error, kind, id: account.id },
        'ledger: a credit may have been written, asking again soon',
      )
      retryLater()
    })
  }

  async function clearUp(account: Account, kind: CreditedKind): Promise<void> {
    await whileNothingDrains(async () => {
      const stored = await repository.balanceOf(kind, account.id)
      if (stored !== undefined) account.balance = stored - undrained(kind, account.id)
    })
    if (doubtful.delete(account)) account.pins -= 1
  }

  function retryLater(): void {
    if (closed || timer !== undefined) return
    timer = setTimeout(() => void retry(), retryMs)
    timer.unref()
  }

  async function retry(): Promise<void> {
    timer = undefined
    for (const [{ id }, kind] of doubtful) {
      await withAccount(kind, id, (account) => clearUp(account, kind)).catch(() => undefined)
    }
    if (doubtful.size > 0) retryLater()
  }

  /** Channels are not in memory: what they owe is counted by the database alone. */
  function creditChannel(
    { id, cause, actorId, note }: Omit<Credit, 'amount'>,
    amount: Quota,
  ): Promise<Quota> {
    const entry = { accountKind: 'channel', accountId: id, cause, amount, actorId, note } as const
    return repository.credit({ ...entry, createdAt: unixSeconds(clock) })
  }

  return {
    async credit(credit) {
      const amount = wholeQuota(credit.amount)
      if (credit.kind === 'channel') return await creditChannel(credit, amount)
      return await move({ ...credit, kind: credit.kind }, () => amount)
    },
    async setBalance(credit) {
      const balance = wholeQuota(credit.balance)
      if (credit.kind !== 'channel')
        return await move({ ...credit, kind: credit.kind }, (account) => balance - account.balance)
      const stored = await repository.balanceOf('channel', credit.id)
      if (stored === undefined) throw new AccountUnknownError(`there is no channel ${credit.id}`)
      return await creditChannel(credit, balance - stored)
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

function wholeQuota(amount: Quota): Quota {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole amount of quota: ${amount}`)
  return amount
}
