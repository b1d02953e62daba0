import { LRUCache } from 'lru-cache'
import type { Quota } from '../store/entities.ts'

/** What calls of a user to a model really cost of late, so that a burst of them holds that much each. */
export interface BurstMemory {
  /** 0 when there is nothing to go by. */
  recall(userId: number, model: string): Quota
  learn(userId: number, model: string, charge: Quota): void
}

/** @param limit pairs of user and model kept, the latest */
export function createBurstMemory(limit: number): BurstMemory {
  const charges = new LRUCache<string, { latest: Quota }>({ max: limit })
  const keyOf = (userId: number, model: string) => `${userId} ${model}`
  return {
    recall: (userId, model) => charges.get(keyOf(userId, model))?.latest ?? 0,
    learn(userId, model, charge) {
      const key = keyOf(userId, model)
      // A call is recalled before it is learnt from, which is what keeps it in memory.
      const known = charges.peek(key)
      if (known === undefined) charges.set(key, { latest: charge })
      // A dear call counts at once; its memory fades by a quarter with each cheaper one.
      else
        known.latest = charge >= known.latest ? charge : known.latest - Math.ceil((known.latest - charge) / 4)
    },
  }
}
