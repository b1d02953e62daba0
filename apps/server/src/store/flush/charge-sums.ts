import { getOrInsert } from '@tollgate/base'
import type { AccountKind, Settlement } from '../settlement.ts'
import type { Quota, Seconds } from '../units.ts'

/** Charges of one account for calls, in an hour or in total. */
export interface AccountCharge {
  readonly id: number
  quota: Quota
  calls: number
  /** Latest call. */
  at: Seconds
}

type Charges = Readonly<Record<AccountKind, Map<number, AccountCharge>>>

export const accountKinds = ['user', 'token', 'channel'] as const satisfies readonly AccountKind[]

export const hourOf = (at: Seconds): Seconds => at - (at % 3600)

/**
 * The sums that settlements add to accounts, by hour and in total. Those without a token (id 0) charge none; failed
 * calls count nowhere.
 */
export class ChargeSums {
  readonly #byHour = new Map<Seconds, Charges>()

  get byHour(): ReadonlyMap<Seconds, Charges> {
    return this.#byHour
  }

  /** Throws a `RangeError` for a sum that is not a safe integer. */
  add(settlements: readonly Settlement[]): void {
    for (const { kind, userId, tokenId, channelId, quota, createdAt } of settlements) {
      if (kind === 'error') continue
      const hour = getOrInsert(this.#byHour, hourOf(createdAt), noCharges)
      add(hour.user, userId, quota, 1, createdAt)
      if (tokenId !== 0) add(hour.token, tokenId, quota, 1, createdAt)
      add(hour.channel, channelId, quota, 1, createdAt)
    }
  }

  total(): Charges {
    const hours = [...this.#byHour.values()]
    const [only, ...others] = hours
    if (only !== undefined && others.length === 0) return only
    const total = noCharges()
    for (const hour of hours)
      for (const kind of accountKinds)
        for (const { id, quota, calls, at } of hour[kind].values()) add(total[kind], id, quota, calls, at)
    return total
  }
}

function noCharges(): Charges {
  return { user: new Map(), token: new Map(), channel: new Map() }
}

function add(
  charges: Map<number, AccountCharge>,
  id: number,
  quota: Quota,
  calls: number,
  at: Seconds,
): void {
  const charge = charges.get(id)
  if (charge === undefined) {
    charges.set(id, { id, quota, calls, at })
    return
  }
  charge.quota = safe(charge.quota + quota)
  charge.calls += calls
  if (at > charge.at) charge.at = at
}

/** Sums of money are safe integers, or an error: never rounded. */
export function safe(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw new RangeError(`a sum of quota (${sum}) is not a safe integer`)
  return sum
}
