import type { Ledger } from '../../../billing/ledger-types.ts'
import type { AccountKind } from '../../../store/settlement.ts'
import type { Store } from '../../../store/store.ts'
import type { Quota } from '../../../store/units.ts'

type StoredLedger = Pick<
  Ledger,
  | 'balance'
  | 'currentBalance'
  | 'lookAgain'
  | 'load'
  | 'unflushed'
  | 'credit'
  | 'correct'
  | 'setBalance'
  | 'flush'
  | 'figures'
>

/** Balances of accounts in use, unflushed settlements, and credits that reach the store first. */
export function ledgerInMemory(store: {
  readonly ledger: Pick<Store['ledger'], 'credit' | 'balanceOf'>
}): StoredLedger & {
  /** Charges a call to the account, as if it were in use. */
  charge(kind: AccountKind, id: number, quota: Quota): Promise<void>
} {
  const balances = new Map<string, Quota>()
  const unflushed = new Map<string, { quota: Quota; calls: number }>()
  const name = (kind: AccountKind, id: number) => `${kind} ${id}`
  const loaded = async (kind: AccountKind, id: number) =>
    balances.get(name(kind, id)) ?? (await store.ledger.balanceOf(kind, id)) ?? 0

  const credit: Ledger['credit'] = async ({ kind, id, inTransaction, ...entry }) => {
    const before = await loaded(kind, id)
    await store.ledger.credit({ ...entry, accountKind: kind, accountId: id, createdAt: 0 }, inTransaction)
    if (balances.has(name(kind, id))) balances.set(name(kind, id), before + entry.amount)
    return before + entry.amount
  }

  return {
    figures: {
      openReservations: 0,
      queue: 0,
      journalLag: 0,
      isFlushing: true,
      flushFault: undefined,
      users: 0,
      tokens: 0,
      hasLease: true,
    },
    balance: (kind, id) => balances.get(name(kind, id)),
    currentBalance: (kind, id, stored) => balances.get(name(kind, id)) ?? stored,
    lookAgain: () => undefined,
    async load(userId, tokenId) {
      balances.set(name('user', userId), await loaded('user', userId))
      balances.set(name('token', tokenId), await loaded('token', tokenId))
    },
    flush: async () => undefined,
    unflushed: (kind, id) => unflushed.get(name(kind, id)) ?? { quota: 0, calls: 0 },
    credit,
    async correct(accounts, write) {
      if (!(await write())) return
      for (const { kind, id, amount } of accounts) {
        const known = balances.get(name(kind, id))
        if (known !== undefined) balances.set(name(kind, id), known + amount)
      }
    },
    setBalance: async ({ balance, ...rest }) =>
      credit({ ...rest, amount: balance - (await loaded(rest.kind, rest.id)) }),
    async charge(kind, id, quota) {
      balances.set(name(kind, id), (await loaded(kind, id)) - quota)
      const before = unflushed.get(name(kind, id)) ?? { quota: 0, calls: 0 }
      unflushed.set(name(kind, id), { quota: before.quota + quota, calls: before.calls + 1 })
    },
  }
}
