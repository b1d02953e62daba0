import { usageOf } from '@tollgate/formats'
import type { GroupUsage } from '../../../store/log/group-usage.ts'
import type { Price } from '../price.ts'
import { servedPrice } from '../surcharges/served-price.ts'

/**
 * Estimates what calls would have been charged by another price: as both prices charge their tokens, a prompt of average length, beside
 * what was charged. Sums do not tell cached tokens, tools or tiers apart, so the estimate changes their charge in the same proportion. Calls without tokens
 * follow the ratio of their group.
 * @param before price with the ratio of the group, as `after` has its new one
 * @returns quota, not rounded; `undefined` where both prices charge such calls alike
 */
export function estimatedCharge(used: UsageOfCalls, before: Price, after: Price): number | undefined {
  const [old, next] = [chargeBy(before, used), chargeBy(after, used)]
  const [was, is] =
    old === 0 && next === 0 ? [before, after].map(({ terms }) => terms.groupRatio) : [old, next]
  if (was === undefined || is === undefined || was === is) return undefined
  return was === 0 ? next : used.quota * (is / was)
}

type UsageOfCalls = Omit<GroupUsage, 'model' | 'group'>

/** Works out the charge of all calls by a price, as a double: an estimate is not charged to anybody. */
function chargeBy(price: Price, { calls, promptTokens, completionTokens }: UsageOfCalls): number {
  if (calls === 0) return 0
  const average = usageOf({ inputTokens: Math.round(promptTokens / calls) })
  const { exact, terms } = servedPrice(price, average)
  if (terms.kind === 'per-call') return exact.call * calls
  const { textInput, textOutput } = exact.units
  return (Number(textInput) * promptTokens + Number(textOutput) * completionTokens) / Number(exact.divisor)
}
