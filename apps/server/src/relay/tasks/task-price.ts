import { createPrice, type Price } from '../../billing/pricing/price.ts'
import { findPrice } from '../../billing/pricing/price-table.ts'
import type { RelayCaller } from '../admission/admission.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import { unsetPrice } from './passed-task.ts'

/**
 * The price of a task: by the call, for there are no tokens.
 * @param unset price where the operator has set none; such a model is refused without it
 * @throws RelayError
 */
export function taskPrice(
  model: string,
  { group, user }: Pick<RelayCaller, 'group' | 'user'>,
  { settings }: Pick<RelayDependencies, 'settings'>,
  unset: number | undefined,
): Price {
  const { current } = settings
  const price = findPrice(current, model, group, user.acceptsUnpricedModels)
  if (price !== 'unpriced' && price.terms.kind === 'per-call') return price
  // Whoever accepts models without a price gets those that have no other one at the usual one.
  const fallback = unset ?? (price === 'unpriced' ? undefined : unsetPrice)
  const isUnset = !Object.hasOwn(current.ModelPrice, model) && !Object.hasOwn(current.ModelRatio, model)
  if (isUnset && fallback !== undefined) {
    const groupRatio = Object.hasOwn(current.GroupRatio, group) ? (current.GroupRatio[group] ?? 1) : 1
    const { QuotaPerUnit: quotaPerUnit } = current
    return createPrice({ kind: 'per-call', modelPrice: fallback, quotaPerUnit, groupRatio })
  }
  throw new RelayError(
    'model_price_error',
    `The model ${model} has no price per call yet. Ask the administrator to set one.`,
    { param: 'model' },
  )
}
