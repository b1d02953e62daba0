import type { CostlyField } from '@tollgate/formats'
import type { PriceSettings } from './price-table.ts'

/** Whether the price of a model has a term for what a field asks for. */
export function pricedFields(_settings: PriceSettings, _model: string): (field: CostlyField) => boolean {
  return () => false
}
