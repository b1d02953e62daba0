import { LRUCache } from 'lru-cache'
import type { Quota } from '../../store/units.ts'

/** What calls of a user to a model really cost of late, so that a burst of them holds that much each. */
export class RecentCharges {
  readonly #charges: LRUCache<string, { latest: Quota }>

  /** @param limit pairs of user and model kept, those used last */
  constructor(limit: number) {
    this.#charges = new LRUCache({ max: limit })
  }

  /** 0 when there is nothing to go by. */
  recall(userId: number, model: string): Quota {
    return this.#charges.get(keyOf(userId, model))?.latest ?? 0
  }

  learn(userId: number, model: string, charge: Quota): void {
    const key = keyOf(userId, model)
    // A call is recalled before it is learnt from, which is what keeps it in memory.
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
