import { LRUCache } from 'lru-cache'
import type { Quota } from '../../store/units.ts'

/** The recent real cost of a user's calls to a model, so that each call of a burst reserves that much. */
export class RecentCharges {
  readonly #charges: LRUCache<string, { latest: Quota }>

  /** @param limit most pairs of user and model; the least recently used goes first */
  constructor(limit: number) {
    this.#charges = new LRUCache({ max: limit })
  }

  /** 0 without an earlier charge. */
  recall(userId: number, model: string): Quota {
    return this.#charges.get(keyOf(userId, model))?.latest ?? 0
  }

  learn(userId: number, model: string, charge: Quota): void {
    const key = keyOf(userId, model)
    // A pair is recalled before it is updated, and the recall marks it as used.
    const known = this.#charges.peek(key)
    if (known === undefined) this.#charges.set(key, { latest: charge })
    // An expensive call counts at once; each cheaper one brings the figure a quarter closer to itself.
    else
      known.latest = charge >= known.latest ? charge : known.latest - Math.ceil((known.latest - charge) / 4)
  }
}

function keyOf(userId: number, model: string): string {
  return `${userId} ${model}`
}
