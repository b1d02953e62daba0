import { queryOptions } from '@tanstack/react-query'
import { calls, type PricingRow } from '@tollgate/api'
import { requestWithExtra } from '../../lib/api/api-client.ts'
import { product } from '../../lib/format/money.ts'
import { formatPrice, tokenPrices } from '../../lib/format/price.ts'

/** Group of who is not logged in, for the prices that they see. */
const visitorsGroup = 'default'

/**
 * Reads the models that the visitor can call, and the group whose prices are theirs; another list for each person, because groups
 * differ.
 */
export function servedModelsQuery(userId: number | undefined) {
  return queryOptions({
    queryKey: ['home', 'models', userId],
    queryFn: async ({ signal }) => {
      const { data, extra } = await requestWithExtra(calls.pricing.list, { signal })
      const group = extra.user_group || visitorsGroup
      return {
        rows: data.filter(isCallable),
        /** Rows of the list of prices, which has the others too. */
        listed: data.length,
        group,
        groupRatio: extra.group_ratio[group] ?? 1,
      }
    },
    staleTime: 60_000,
  })
}

type Served = Pick<PricingRow, 'available' | 'unpriced'>

function isCallable({ available, unpriced }: Served): boolean {
  return available && unpriced === undefined
}

type Ranked = Pick<
  PricingRow,
  'model_name' | 'context_size' | 'released' | 'model_ratio' | 'completion_ratio' | 'model_price'
>

/**
 * Some models of many, by which people know what a site serves: those of the table of models first, of these the newest, and of those of a
 * day the dearest.
 */
export function leadingModels<Row extends Ranked>(rows: readonly Row[], count: number): readonly Row[] {
  const isKnown = ({ context_size }: Ranked) => context_size !== undefined
  const worth = ({ model_ratio, completion_ratio, model_price }: Ranked) =>
    model_ratio * completion_ratio + model_price
  return rows
    .toSorted(
      (a, b) =>
        Number(isKnown(b)) - Number(isKnown(a)) ||
        (b.released ?? '').localeCompare(a.released ?? '') ||
        worth(b) - worth(a) ||
        a.model_name.localeCompare(b.model_name),
    )
    .slice(0, count)
}

/** Prices of a model as texts: of a million tokens in and out, or of one call. */
export function priceTexts(
  row: PricingRow,
  groupRatio: number,
  quotaPerUnit: number,
): { readonly input: string; readonly output: string } | { readonly call: string } {
  if (row.quota_type !== 0) return { call: formatPrice(product(row.model_price, groupRatio)) }
  const prices = tokenPrices(row, groupRatio, quotaPerUnit)
  const priceOf = (kind: 'input' | 'output') =>
    formatPrice(prices.find((price) => price.kind === kind)?.price ?? 0)
  return { input: priceOf('input'), output: priceOf('output') }
}
