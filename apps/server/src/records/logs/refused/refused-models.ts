import type { RefusedModel } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { UsageRepository } from '../../../store/log/usage.ts'

export interface RefusedModelsDeps {
  readonly usage: Pick<UsageRepository, 'failures'>
  /** Served models without a price. */
  readonly unpriced: () => ReadonlySet<string>
  readonly clock: Clock
}

const day = 86_400

/** Lists the models that callers asked for in the last 24 hours in vain, because they still have no price. */
export function createRefusedModels({ usage, unpriced, clock }: RefusedModelsDeps) {
  return async (): Promise<readonly RefusedModel[]> => {
    const names = unpriced()
    if (names.size === 0) return []
    const { groups } = await usage.failures({
      reason: 'model_price_error',
      from: unixSeconds(clock) - day,
    })
    const refused = new Map<string, RefusedModel>()
    for (const { model, count, lastAt } of groups) {
      const known = refused.get(model)
      refused.set(model, {
        model_name: model,
        count: count + (known?.count ?? 0),
        last_at: Math.max(lastAt, known?.last_at ?? 0),
      })
    }
    return [...refused.values()]
      .filter(({ model_name }) => names.has(model_name))
      .sort((a, b) => b.count - a.count || b.last_at - a.last_at)
  }
}
