import { type CostlyField, serviceTierOf, toolKindOf } from '@tollgate/formats'
import { findPrice, type PriceSettings } from '../price-table.ts'
import type { TokenTerms } from '../price-terms.ts'

/**
 * Finds the fields whose request the price of a model has a term for. A price per call has none: it is the same with every field.
 */
export function pricedFields(settings: PriceSettings, model: string): (field: CostlyField) => boolean {
  const price = findPrice(settings, model, '', true)
  if (price === 'unpriced' || price.terms.kind === 'per-call') return () => false
  const { terms } = price
  return (field) => isPriced(field, terms)
}

const choices = { 'service-tier': 'tier', speed: 'speed', 'inference-geo': 'geo' } as const

function isPriced(
  { feature, value }: CostlyField,
  { tools = {}, tiers = {}, steps = [] }: TokenTerms,
): boolean {
  switch (feature) {
    case 'hosted-tool': {
      const kind = toolKindOf(value)
      return kind !== undefined && tools[kind] !== undefined
    }
    case 'service-tier':
    case 'speed':
    case 'inference-geo': {
      const tier = serviceTierOf(choices[feature], value)
      return tier !== undefined && (tier === 'standard' || tiers[tier] !== undefined)
    }
    case 'long-context':
      return steps.length > 0
    default:
      return false
  }
}
