import type { SettingValues } from '@tollgate/api/settings'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Store } from '../../store/store.ts'
import type { Quota, Seconds } from '../../store/units.ts'

/** Balance and usage of a key, or of its owner, in the unit that the operator shows. */
export interface KeyUsage {
  /** Remaining and used together; unlimited keys have `unlimitedAmount`. */
  readonly limit: number
  readonly used: number
  /** Time when the key expires; 0 for never, and for figures of the owner. */
  readonly expiresAt: Seconds
}

/** The amount that clients see for a key without a limit. */
const unlimitedAmount = 100_000_000

interface Dependencies {
  readonly store: {
    readonly tokens: Pick<Store['tokens'], 'find'>
    readonly users: Pick<Store['users'], 'find'>
  }
  readonly ledger: Pick<Ledger, 'currentBalance' | 'unflushed'>
  readonly settings: {
    readonly current: Pick<
      SettingValues,
      'DisplayTokenStatEnabled' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'
    >
  }
}

/** Includes every settled call. `undefined` when key or owner are deleted. */
export type ReadKeyUsage = (key: {
  readonly tokenId: number
  readonly userId: number
}) => Promise<KeyUsage | undefined>

export function createKeyUsage({ store, ledger, settings }: Dependencies): ReadKeyUsage {
  const amount = (quota: Quota) => {
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = settings.current
    return DisplayInCurrencyEnabled ? quota / QuotaPerUnit : quota
  }

  async function ofKey(tokenId: number): Promise<KeyUsage | undefined> {
    const token = await store.tokens.find(tokenId)
    if (token === undefined) return undefined
    const used = token.usedQuota + ledger.unflushed('token', tokenId).quota
    const left = ledger.currentBalance('token', tokenId, token.remainQuota)
    return {
      limit: token.unlimitedQuota ? unlimitedAmount : amount(left + used),
      used: amount(used),
      expiresAt: token.expiresAt ?? 0,
    }
  }

  async function ofOwner(userId: number): Promise<KeyUsage | undefined> {
    const user = await store.users.find(userId)
    if (user === undefined) return undefined
    const used = user.usedQuota + ledger.unflushed('user', userId).quota
    const left = ledger.currentBalance('user', userId, user.quota)
    return { limit: amount(left + used), used: amount(used), expiresAt: 0 }
  }

  return ({ tokenId, userId }) =>
    settings.current.DisplayTokenStatEnabled ? ofKey(tokenId) : ofOwner(userId)
}
