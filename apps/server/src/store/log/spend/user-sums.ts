import type { Quota } from '../../units.ts'
import type { SpendTimes } from './spend-rows.ts'

/** Calls, tokens and quota of a time, and the quota of each of some models. */
export type Figures = number[]

/** Index of each figure; the models follow. */
export const figureAt = { count: 0, tokens: 1, quota: 2, models: 3 } as const

/** Figures of each user in a time. */
export interface UserSums {
  readonly times: SpendTimes
  readonly models: readonly string[]
  /** State of the corrections of charges that are in it; `undefined` of a moment within one. */
  readonly corrections: string | undefined
  readonly users: Map<number, Figures>
}

/** Adds figures of users, or subtracts them. Users of whom nothing is left are left out. */
export function addFigures(
  users: Map<number, Figures>,
  added: Iterable<readonly [userId: number, figures: Figures]>,
  sign: 1 | -1,
): void {
  for (const [userId, figures] of added) {
    const known = users.get(userId)
    const sum = figures.map((figure, index) => (known?.[index] ?? 0) + sign * figure)
    if (sum.every((figure) => figure === 0)) users.delete(userId)
    else users.set(userId, sum)
  }
}

/** Adds the figures of two times of one user, or returns the one that is there. */
export function bothOf(one: Figures | undefined, other: Figures | undefined): Figures {
  if (one === undefined || other === undefined) return one ?? other ?? []
  return one.map((figure, index) => figure + (other[index] ?? 0))
}

/** Figures of one user. */
export interface UserFigures {
  readonly userId: number
  readonly figures: Figures
}

const quotaOf = ({ figures }: UserFigures): Quota => figures[figureAt.quota] ?? 0

const dearestFirst = (one: UserFigures, other: UserFigures) =>
  quotaOf(other) - quotaOf(one) || one.userId - other.userId

/** Sorts users, those who spent most first. */
export function inOrder(all: readonly UserFigures[]): UserFigures[] {
  return all.toSorted(dearestFirst)
}

/** Returns some of those in order. Sorts no more users than lie before the last of them, numbers apart, which sort ten times as fast. */
export function partInOrder(all: readonly UserFigures[], offset: number, limit: number): UserFigures[] {
  const quotas = Float64Array.from(all, quotaOf).sort()
  const threshold = quotas[Math.max(0, quotas.length - offset - limit)] ?? 0
  return inOrder(all.filter((one) => quotaOf(one) >= threshold)).slice(offset, offset + limit)
}

/** Times whose sums are remembered: this month, the one before, and another. At 100,000 users each takes some 15 MB. */
const maxRemembered = 3

/** Remembers the sums of the last times, so that the next read of one, or of a time that differs in a few hours, scans these hours alone. */
export class UserSumsMemory {
  #all: UserSums[] = []

  /** Remembered sums, which belong to the caller from now on: another read meanwhile does not find them. */
  take(isUsable: (sums: UserSums) => boolean): UserSums | undefined {
    const found = this.#all.findLast(isUsable)
    this.#all = this.#all.filter((sums) => sums !== found)
    return found
  }

  put(sums: UserSums): void {
    this.#all = [...this.#all, sums].slice(-maxRemembered)
  }
}
