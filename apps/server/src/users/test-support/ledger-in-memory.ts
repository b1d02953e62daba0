import type { Ledger } from '../../billing/ledger-types.ts'
import type { AccountKind, Quota } from '../../store/entities.ts'
import type { Store } from '../../store/store.ts'

type KeptLedger = Pick<Ledger, 'balance' | 'load' | 'unflushed' | 'credit' | 'setBalance' | 'flush'>

/** Balances of accounts in use, settled calls not yet flushed, and credits that reach the store first. */
export function ledgerInMemory(store: {
  readonly ledger: Pick<Store['ledger'], 'credit' | 'balanceOf'>
}): KeptLedger & {
  /** As if the account were in use and a call had been charged to it. */
  charge(kind: AccountKind, id: number, quota: Quota): Promise<void>
} {
  const balances = new Map<string, Quota>()
  const unflushed = new Map<string, { quota: Quota; calls: number }>()
  const name = (kind: AccountKind, id: number) => `${kind} ${id}`
  const loaded = async (kind: AccountKind, id: number) =>
    balances.get(name(kind, id)) ?? (await store.ledger.balanceOf(kind, id)) ?? 0

  return {
    balance: (kind, id) => balances.get(name(kind, id)),
    async load(userId, tokenId) {
      balances.set(name('user', userId), await loaded('user', userId))
      balances.set(name('token', tokenId), await loaded('token', tokenId))
    },
    flush: async () => undefined,
    unflushed: (kind, id) => unflushed.get(name(kind, id)) ?? { quota: 0, calls: 0 },
    async credit({ kind, id, cause, amount, actorId, note, because }) {
      const entry = { accountKind: kind, accountId: id, cause, amount, createdAt: 0, actorId, note }
      const stored = await store.ledger.credit(entry, because)
      const held = balances.get(name(kind, id))
      if (held !== undefined) balances.set(name(kind, id), held + amount)
      return held === undefined ? stored : held + amount
    },
    async setBalance({ kind, id, cause, balance, actorId, note }) {
      const amount = balance - (await loaded(kind, id))
      await store.ledger.credit({
        accountKind: kind,
        accountId: id,
        cause,
        amount,
        createdAt: 0,
        actorId,
        note,
      })
      if (balances.has(name(kind, id))) balances.set(name(kind, id), balance)
      return balance
    },
    async charge(kind, id, quota) {
      balances.set(name(kind, id), (await loaded(kind, id)) - quota)
      const before = unflushed.get(name(kind, id)) ?? { quota: 0, calls: 0 }
      unflushed.set(name(kind, id), { quota: before.quota + quota, calls: before.calls + 1 })
    },
  }
}
