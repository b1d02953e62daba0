import type { AccountKind, Quota, Seconds } from '../entities.ts'
import type { Settlement } from '../store.ts'

/** What one account paid in an hour, or altogether. */
export interface Charged {
  quota: Quota
  calls: number
}

export interface AccountCharge extends Charged {
  readonly id: number
  /** Latest call. */
  at: Seconds
}

export interface HourlyCharge extends Charged {
  readonly hour: Seconds
  readonly kind: AccountKind
  readonly id: number
}

/** The sums a batch of settlements adds to accounts. */
export interface ChargeSums {
  readonly accounts: Readonly<Record<AccountKind, readonly AccountCharge[]>>
  readonly hourly: readonly HourlyCharge[]
}

export const hourOf = (at: Seconds): Seconds => at - (at % 3600)

/** Settlements without a token (id 0) charge none. */
export function sumCharges(settlements: readonly Settlement[]): ChargeSums {
  const accounts = {
    user: new Map<number, AccountCharge>(),
    token: new Map<number, AccountCharge>(),
    channel: new Map<number, AccountCharge>(),
  }
  const hourly = new Map<string, HourlyCharge>()
  for (const { userId, tokenId, channelId, quota, createdAt } of settlements) {
    const payers = { user: userId, token: tokenId, channel: channelId }
    for (const kind of accountKinds) {
      const id = payers[kind]
      if (kind === 'token' && id === 0) continue
      const account = entry(accounts[kind], id, () => ({ id, at: 0, quota: 0, calls: 0 }))
      account.at = Math.max(account.at, createdAt)
      charge(account, quota)
      const hour = hourOf(createdAt)
      charge(
        entry(hourly, `${hour} ${kind} ${id}`, () => ({ hour, kind, id, quota: 0, calls: 0 })),
        quota,
      )
    }
  }
  return {
    accounts: {
      user: [...accounts.user.values()],
      token: [...accounts.token.values()],
      channel: [...accounts.channel.values()],
    },
    hourly: [...hourly.values()],
  }
}

const accountKinds = ['user', 'token', 'channel'] as const

function charge(sums: Charged, quota: Quota): void {
  sums.quota = safe(sums.quota + quota)
  sums.calls += 1
}

/** The value of a key, made when it is missing. */
export function entry<Key, Item>(items: Map<Key, Item>, key: Key, make: () => Item): Item {
  const known = items.get(key)
  if (known !== undefined) return known
  const made = make()
  items.set(key, made)
  return made
}

/** Sums of money are whole and safe, or an error: never rounded. */
export function safe(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw new RangeError(`a sum of quota (${sum}) is not a safe integer`)
  return sum
}
