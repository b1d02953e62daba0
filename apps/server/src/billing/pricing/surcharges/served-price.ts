import type { LengthStep, TierRatios } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import { maxPromptOf, type Service, type Usage } from '@tollgate/formats'
import { createPrice, type Price } from '../price.ts'
import type { Served, TokenTerms } from '../price-terms.ts'

const variants = new WeakMap<Price, Map<string, Price>>()

/**
 * The price of a call that was served so: by the ratios of its tier, speed and place, and by the step that the length of
 * its prompt is beyond. The same object where none of them changes anything.
 */
export function servedPrice(price: Price, usage: Usage): Price {
  const { terms } = price
  if (terms.kind === 'per-call') return price
  const step = terms.steps === undefined ? undefined : stepOf(terms.steps, maxPromptOf(usage))
  return priceBy(price, terms, step, usage.service)
}

/**
 * The prices that a call of this size may come to: of each length up to its own, and as it asks to be served or, where
 * the vendor does not, as usual.
 */
export function possiblePrices(
  price: Price,
  promptTokens: number,
  service: Service | undefined,
): readonly Price[] {
  const { terms } = price
  if (terms.kind === 'per-call' || (terms.steps === undefined && service === undefined)) return [price]
  const steps = terms.steps?.filter(({ above }) => promptTokens > above) ?? []
  return [undefined, ...steps].flatMap((step) => [
    priceBy(price, terms, step, undefined),
    priceBy(price, terms, step, service),
  ])
}

/** Returns the last step that a prompt is beyond: all of the prompt has its price. */
function stepOf(steps: readonly LengthStep[], promptTokens: number): LengthStep | undefined {
  return steps.findLast(({ above }) => promptTokens > above)
}

function priceBy(
  price: Price,
  terms: TokenTerms,
  step: LengthStep | undefined,
  service: Service | undefined,
): Price {
  const tiers = service === undefined ? undefined : tiersOf(service, terms.tiers)
  if (step === undefined && tiers === undefined) return price
  const served: Served = { ...(step !== undefined && { step }), ...(tiers !== undefined && { tiers }) }
  const known = getOrInsert(variants, price, () => new Map<string, Price>())
  return getOrInsert(known, JSON.stringify(served), () => ({
    ...price,
    ...createPrice({ ...terms, served }),
  }))
}

/** Ways of serving that are not the usual one, with their ratios; one without a price changes nothing. */
function tiersOf({ tier, speed, geo }: Service, ratios: TierRatios = {}): TierRatios | undefined {
  const named = [tier, speed, geo].filter((name) => name !== undefined && name !== 'standard')
  return named.length === 0 ? undefined : Object.fromEntries(named.map((name) => [name, ratios[name] ?? 1]))
}
