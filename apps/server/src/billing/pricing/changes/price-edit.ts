import type { ModelPrice, PriceEdit, PriceEntries, TimePrices } from '@tollgate/api'
import { priceChanges, timeChanges } from '../model-price.ts'
import type { PriceSettings } from '../price-table.ts'
import { entryChanges } from '../surcharges/price-entries.ts'

/** The prices that an edit was made on; without them nothing is compared. */
interface EditBase {
  readonly base?: ModelPrice | undefined
  readonly times_base?: TimePrices | null | undefined
  readonly entries_base?: PriceEntries | undefined
}

/**
 * Returns the options that give a model its new price with all parts: those that a save stores, and the question before it compares.
 * @throws Refusal for a price of tokens that is no multiple of an input price, and where the model has another price by now
 */
export function priceEditChanges(settings: PriceSettings, edit: PriceEdit & EditBase) {
  const { model_name: model, price, base, times, times_base, entries, entries_base } = edit
  return [
    ...priceChanges(settings, model, price, base),
    ...timeChanges(model, times, times_base),
    ...entryChanges(model, entries, entries_base),
  ]
}
