import type { JobBody, JobCost, PricingRow } from '@tollgate/api'
import { usageOf } from '@tollgate/formats'
import { costOf } from '../billing/pricing/charge.ts'
import { findPrice, type PriceSettings } from '../billing/pricing/price-table.ts'

interface Job extends Omit<JobBody, 'text' | 'group'> {
  readonly group: string
  /** Unix seconds: prices by time are those of this moment. */
  readonly at: number
  readonly acceptsUnpriced: boolean
}

/**
 * Returns what calls of a size are charged at each model of a price list that a group can call, by the function that charges,
 * the cheapest first. Videos are left out: their seconds and resolutions are no tokens.
 * @param inputTokensOf input tokens of one call of a model, cached ones included
 */
export function jobCosts(
  settings: PriceSettings,
  rows: readonly PricingRow[],
  job: Job,
  inputTokensOf: (model: string) => number,
): readonly JobCost[] {
  return rows
    .filter((row) => row.available && row.video === undefined && row.enable_groups.includes(job.group))
    .flatMap(({ model_name: model }) => {
      const price = findPrice(settings, model, job.group, job.acceptsUnpriced, job.at)
      if (price === 'unpriced') return []
      const input_tokens = inputTokensOf(model)
      const cached = Math.min(job.cached_tokens, input_tokens)
      const usage = usageOf({
        inputTokens: input_tokens - cached,
        cacheReadTokens: cached,
        outputTokens: job.output_tokens,
      })
      // Each call is rounded by itself, as it is charged.
      return [{ model_name: model, input_tokens, quota: costOf(usage, price) * job.calls }]
    })
    .toSorted((a, b) => a.quota - b.quota || (a.model_name < b.model_name ? -1 : 1))
}
