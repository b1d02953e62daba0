import type { Logger } from '../lib/logger.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Store } from '../store/store.ts'

interface Dependencies {
  readonly store: { readonly tokens: Pick<Store['tokens'], 'markSpent' | 'find'> }
  readonly events: ChangeBus
  readonly logger: Logger
}

/**
 * Writes down that a key was found expired or exhausted, once however many calls notice it at the same time.
 * Works in the background and never throws: the call that noticed is refused either way.
 */
export function createMarkSpent({ store, events, logger }: Dependencies) {
  const pending = new Set<number>()

  async function mark(id: number, status: 'expired' | 'exhausted'): Promise<void> {
    await store.tokens.markSpent(id, status)
    const token = await store.tokens.find(id)
    if (token !== undefined) events.publish('token-changed', { id, keyHash: token.keyHash })
  }

  return ({ id }: { readonly id: number }, status: 'expired' | 'exhausted'): void => {
    if (pending.has(id)) return
    pending.add(id)
    mark(id, status)
      .catch((err) => logger.warn({ err, tokenId: id }, 'the status of a spent key could not be stored'))
      .finally(() => pending.delete(id))
  }
}
