import { type EditConflict, type ModelPrice, priceEntryKinds, type TimePrices } from '@tollgate/api'
import type { ModelRow } from './model-rows.ts'

/**
 * Returns the row that an edit was made on: as the person found it, with what they have seen of others' changes since. A save names
 * it, so that the server refuses what nobody has seen.
 */
export function editedRow(found: ModelRow, seen: readonly EditConflict[]): ModelRow {
  return seen.reduce(withSeen, found)
}

function withSeen(row: ModelRow, { field, entry, current }: EditConflict): ModelRow {
  const kind = priceEntryKinds.find(({ option }) => option === field)
  // A conflict has values of the field that it names; none is null.
  if (kind !== undefined) return { ...row, entries: { ...row.entries, [kind.name]: current ?? undefined } }
  switch (field) {
    case 'price':
      return { ...row, price: (current ?? {}) as ModelPrice }
    case 'TimePrice':
      return { ...row, time_prices: (current ?? undefined) as TimePrices | undefined, times_of: undefined }
    case 'ModelCost':
      return withCost(row, entry, { own_cost: (current ?? {}) as ModelPrice })
    case 'TimeCost':
      return withCost(row, entry, { own_times: (current ?? undefined) as TimePrices | undefined })
    default:
      return row
  }
}

function withCost(
  row: ModelRow,
  upstream: string | undefined,
  part: Partial<ModelRow['costs'][number]>,
): ModelRow {
  const costs = row.costs.map((cost) => (cost.upstream_model === upstream ? { ...cost, ...part } : cost))
  return { ...row, costs }
}
