import { hourSeconds, quarterSeconds } from '@tollgate/api/calendar'
import { getOrInsert } from '@tollgate/base'
import type { AccountKind, Settlement } from '../../settlement.ts'
import type { Quota, Seconds } from '../../units.ts'

/** Charges of one account for calls, in an hour, in a quarter of one, or in total. */
export interface AccountCharge extends CostSum {
  readonly id: number
  quota: Quota
  calls: number
  /** Latest call. */
  at: Seconds
}

/** Costs of calls for the operator, where they are known, and the charges of the same calls. */
export interface CostSum {
  cost: Quota
  costedQuota: Quota
  costedCalls: number
}

/** Change of calls' charges. */
export interface ChargeCorrection {
  readonly quota: Quota
  /** Change for calls whose cost is known. */
  readonly costedQuota: Quota
  /** A moment of the quarter hour of the calls. */
  readonly at: Seconds
}

/** A call of which no cost is known adds nothing. */
export function addCost(
  sum: CostSum,
  { quota, cost }: { readonly quota: Quota; readonly cost?: Quota | null | undefined },
): void {
  if (cost === undefined || cost === null) return
  sum.cost = safe(sum.cost + cost)
  sum.costedQuota = safe(sum.costedQuota + quota)
  sum.costedCalls += 1
}

type Charges = Readonly<Record<AccountKind, Map<number, AccountCharge>>>

export const accountKinds = ['user', 'token', 'channel'] as const satisfies readonly AccountKind[]

export const hourOf = (at: Seconds): Seconds => at - (at % hourSeconds)
export const quarterOf = (at: Seconds): Seconds => at - (at % quarterSeconds)

/**
 * The sums that settlements add to accounts, by quarter hour (or by hour) and in total. Those without a token (id 0) charge none;
 * failed calls count nowhere.
 */
export class ChargeSums {
  readonly #byStart = new Map<Seconds, Charges>()
  readonly #startOf: (at: Seconds) => Seconds

  constructor(startOf: (at: Seconds) => Seconds = quarterOf) {
    this.#startOf = startOf
  }

  /** Returns charges by the beginnings of quarters or hours. */
  get byStart(): ReadonlyMap<Seconds, Charges> {
    return this.#byStart
  }

  /** Throws a `RangeError` for a sum that is not a safe integer. */
  add(settlements: readonly Settlement[]): void {
    for (const settlement of settlements) {
      const { kind, userId, tokenId, channelId, createdAt } = settlement
      if (kind === 'error') continue
      const sums = getOrInsert(this.#byStart, this.#startOf(createdAt), noCharges)
      addCall(chargeOf(sums.user, userId), settlement)
      if (tokenId !== 0) addCall(chargeOf(sums.token, tokenId), settlement)
      addCall(chargeOf(sums.channel, channelId), settlement)
    }
  }

  /** A charge that is a sum already, at its last call. */
  addSum(kind: AccountKind, { id, ...charge }: Omit<AccountCharge, keyof CostSum> & Partial<CostSum>): void {
    const sums = getOrInsert(this.#byStart, this.#startOf(charge.at), noCharges)
    addCharge(chargeOf(sums[kind], id), { ...noCharge(id), ...charge })
  }

  /** Charges calls again by what their price was wrong, which are counted already. */
  correct(kind: AccountKind, id: number, { quota, costedQuota, at }: ChargeCorrection): void {
    const sums = getOrInsert(this.#byStart, this.#startOf(at), noCharges)
    addCharge(chargeOf(sums[kind], id), { ...noCharge(id), quota, costedQuota, at })
  }

  total(): Charges {
    const all = [...this.#byStart.values()]
    const [only, ...others] = all
    if (only !== undefined && others.length === 0) return only
    const total = noCharges()
    for (const sums of all)
      for (const kind of accountKinds)
        for (const charge of sums[kind].values()) addCharge(chargeOf(total[kind], charge.id), charge)
    return total
  }
}

function noCharges(): Charges {
  return { user: new Map(), token: new Map(), channel: new Map() }
}

function chargeOf(charges: Map<number, AccountCharge>, id: number): AccountCharge {
  return getOrInsert(charges, id, noCharge)
}

function noCharge(id: number): AccountCharge {
  return { id, quota: 0, calls: 0, at: 0, cost: 0, costedQuota: 0, costedCalls: 0 }
}

function addCall(charge: AccountCharge, call: Pick<Settlement, 'quota' | 'cost' | 'createdAt'>): void {
  charge.quota = safe(charge.quota + call.quota)
  charge.calls += 1
  if (call.createdAt > charge.at) charge.at = call.createdAt
  addCost(charge, call)
}

function addCharge(sum: AccountCharge, charge: AccountCharge): void {
  sum.quota = safe(sum.quota + charge.quota)
  sum.calls += charge.calls
  sum.at = Math.max(sum.at, charge.at)
  sum.cost = safe(sum.cost + charge.cost)
  sum.costedQuota = safe(sum.costedQuota + charge.costedQuota)
  sum.costedCalls += charge.costedCalls
}

/** Sums of money are safe integers, or an error: never rounded. */
export function safe(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw new RangeError(`a sum of quota (${sum}) is not a safe integer`)
  return sum
}
