import type { RefusedModel } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { LogOverview } from '../log-overview.ts'

export interface RefusedModelsDeps {
  readonly logOverview: Pick<LogOverview, 'failures'>
  /** Served models without a price. */
  readonly unpriced: () => ReadonlySet<string>
  readonly clock: Clock
}

const day = 86_400

/** Lists the models that callers asked for in the last 24 hours in vain, because they still have no price. */
export function createRefusedModels({ logOverview, unpriced, clock }: RefusedModelsDeps) {
  return async (): Promise<readonly RefusedModel[]> => {
    const names = unpriced()
    if (names.size === 0) return []
    const { groups } = await logOverview.failures({
      reason: 'model_price_error',
      start_timestamp: unixSeconds(clock) - day,
    })
    const refused = new Map<string, RefusedModel>()
    for (const { model_name, count, last_at } of groups) {
      const known = refused.get(model_name)
      refused.set(model_name, {
        model_name,
        count: count + (known?.count ?? 0),
        last_at: Math.max(last_at, known?.last_at ?? 0),
      })
    }
    return [...refused.values()]
      .filter(({ model_name }) => names.has(model_name))
      .sort((a, b) => b.count - a.count || b.last_at - a.last_at)
  }
}
