import { getOrInsert } from '@tollgate/base'
import { quarterOf } from '../../store/log/rows/charge-sums.ts'
import type { CorrectedCharge, CorrectionSum } from '../../store/money/corrections.ts'
import type { Quota } from '../../store/units.ts'
import type { RechargedCall } from './scan.ts'

/** Charges before and after a correction. */
export interface ChargeTotal {
  calls: number
  /** Calls whose charge changes. */
  changed: number
  charged: Quota
  right: Quota
}

export interface UserTotal extends ChargeTotal {
  readonly userId: number
  /** Name in the newest of their calls. */
  readonly username: string
}

export interface ModelTotal extends ChargeTotal {
  readonly model: string
}

const none = { calls: 0, changed: 0, charged: 0, right: 0 }

/** The sums of a correction: for whom, of which models, and (for the books) by quarter hour, key and channel. */
export class CorrectionTotals {
  readonly all: ChargeTotal = { ...none }
  /** Calls that cannot be worked out again, and keep their charge. */
  readonly unknown = { calls: 0, charged: 0 }
  /** Calls whose charge falls although good will credited them before: their users have both credits afterwards. */
  readonly credited = { calls: 0, amount: 0 }
  readonly users = new Map<number, UserTotal>()
  readonly models = new Map<string, ModelTotal>()
  readonly #sums = new Map<string, { -readonly [Name in keyof CorrectionSum]: CorrectionSum[Name] }>()

  /** Counts a batch; returns the calls whose charge changes, and by how much. */
  add(calls: readonly RechargedCall[]): readonly CorrectedCharge[] {
    return calls.flatMap((call) => {
      const amount = this.#count(call)
      return amount === 0 ? [] : [{ logId: call.row.id, amount }]
    })
  }

  get sums(): readonly CorrectionSum[] {
    return [...this.#sums.values()]
  }

  /** Users whose charges change. */
  get changedUsers(): number {
    return [...this.users.values()].filter(({ changed }) => changed > 0).length
  }

  /** Returns the additional charge; below zero for a credit to users. */
  get amount(): Quota {
    return this.all.right - this.all.charged
  }

  #count({ row, charged, right, credited }: RechargedCall): Quota {
    if (right === undefined) {
      this.unknown.calls += 1
      this.unknown.charged += charged
      return 0
    }
    const { userId, username, model } = row
    const user = getOrInsert(this.users, userId, () => ({ ...none, userId, username }))
    const ofModel = getOrInsert(this.models, model, () => ({ ...none, model }))
    for (const total of [this.all, user, ofModel]) addTo(total, charged, right)
    if (right !== charged) this.#addSum(row, right - charged)
    if (right < charged && credited > 0) {
      this.credited.calls += 1
      this.credited.amount += credited
    }
    return right - charged
  }

  #addSum({ userId, createdAt, model, tokenId, channelId, cost }: RechargedCall['row'], amount: Quota): void {
    const hour = quarterOf(createdAt)
    const key = `${userId} ${hour} ${tokenId} ${channelId} ${model}`
    const sum = getOrInsert(this.#sums, key, () => ({
      userId,
      hour,
      model,
      tokenId,
      channelId,
      calls: 0,
      amount: 0,
      costedQuota: 0,
    }))
    sum.calls += 1
    sum.amount += amount
    if (cost !== null) sum.costedQuota += amount
  }
}

function addTo(total: ChargeTotal, charged: Quota, right: Quota): void {
  total.calls += 1
  total.charged += charged
  total.right += right
  if (right !== charged) total.changed += 1
}
