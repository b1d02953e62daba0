import { usageOf } from '@tollgate/formats'
import type { ModelUsage } from '../../../store/log/model-usage.ts'
import type { Quota } from '../../../store/units.ts'
import type { Price } from '../price.ts'
import { servedPrice } from '../surcharges/served-price.ts'

/**
 * Estimates what calls would have been charged by another price: as both prices charge their tokens, a prompt of average length, beside
 * what was charged. Sums have no cached tokens, tools or tiers, so the estimate changes their share as it changes the rest.
 * @returns quota with the ratios of groups; `undefined` where both prices charge such calls alike
 */
export function estimatedCharge(
  used: Omit<ModelUsage, 'model'>,
  before: Price,
  after: Price,
): Quota | undefined {
  const [old, next] = [chargeBy(before, used), chargeBy(after, used)]
  if (old === next) return undefined
  return Math.round(old === 0 ? next : used.quota * (next / old))
}

/** Works out the charge of all calls by a price, as a double: an estimate is not charged to anybody. */
function chargeBy(
  price: Price,
  { calls, promptTokens, completionTokens }: Omit<ModelUsage, 'model'>,
): number {
  if (calls === 0) return 0
  const average = usageOf({ inputTokens: Math.round(promptTokens / calls) })
  const { exact, terms } = servedPrice(price, average)
  if (terms.kind === 'per-call') return exact.call * calls
  const { textInput, textOutput } = exact.units
  return (Number(textInput) * promptTokens + Number(textOutput) * completionTokens) / Number(exact.divisor)
}
