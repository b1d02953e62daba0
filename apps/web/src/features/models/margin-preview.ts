import { type ModelChannelCost, type TokenPriceName, tokenPriceKinds } from '@tollgate/api'
import { product } from '../../lib/format/money.ts'
import { marginRate } from '../../lib/margin.ts'
import { type AmountForm, amountOf, type CostForms, isBlankCost } from './price-form.ts'

/** A price that holds while its field is blank. */
export interface StandardPrice {
  /** Multiple of the price of `base`. */
  readonly ratio: number
  readonly base: TokenPriceName
}

type Typed = Pick<AmountForm, TokenPriceName>

/** Returns the default of a kind of token, as charges have it; `undefined` for input, which has none. */
export function standardOf(
  name: TokenPriceName,
  form: Typed,
  familyRatio: number,
): StandardPrice | undefined {
  const kind = tokenPriceKinds.find((each) => each.name === name)
  if (kind?.base === undefined) return undefined
  if (kind.standard === 'family') return { ratio: familyRatio, base: 'input' }
  if (kind.standard !== 'output') return { ratio: kind.standard, base: kind.base }
  const isPaired = 'paired' in kind && amountOf(form[kind.base]) !== undefined
  return { ratio: 1, base: isPaired ? kind.base : 'output' }
}

/** Returns the price of a kind of token that the form makes: what is typed, else its default; `undefined` before there is one. */
export function priceInForce(name: TokenPriceName, form: Typed, familyRatio: number): number | undefined {
  const typed = amountOf(form[name])
  if (typed !== undefined) return typed
  const standard = standardOf(name, form, familyRatio)
  const base = standard && priceInForce(standard.base, form, familyRatio)
  return base === undefined ? undefined : product(base, standard?.ratio ?? 1)
}

/** Price and cost of a unit in a group. */
export interface MarginPreview {
  readonly price: number
  /** Cost at the dearest channel. */
  readonly cost: number
  readonly margin: number
  /** Share of the price; `undefined` where nothing is charged. */
  readonly rate: number | undefined
}

/**
 * Returns what the typed price leaves of the dearest channel's cost, as it is typed: per million tokens of a kind, or per call.
 * `undefined` where price or cost is unknown, or one is per call and the other per token.
 */
export function previewMargin(
  name: TokenPriceName | 'call',
  price: number | undefined,
  groupRatio: number,
  costs: readonly ModelChannelCost[],
  forms: CostForms,
  familyRatio: number,
): MarginPreview | undefined {
  const known = costs.flatMap((cost) => costOf(name, cost, forms[cost.upstream_model], familyRatio) ?? [])
  if (price === undefined || known.length === 0) return undefined
  const [charged, paid] = [product(price, groupRatio), Math.max(...known)]
  return { price: charged, cost: paid, margin: charged - paid, rate: marginRate(charged, paid) }
}

/** A blank cost is the vendor's; a blank part of a typed one keeps the vendor's ratio to input. */
function costOf(
  name: TokenPriceName | 'call',
  { cost_factor, list_cost: list }: ModelChannelCost,
  form: AmountForm | undefined,
  familyRatio: number,
): number | undefined {
  const figure =
    form === undefined || isBlankCost(form) ? list?.[name] : typedCost(name, form, list, familyRatio)
  return figure === undefined ? undefined : product(figure, cost_factor)
}

function typedCost(
  name: TokenPriceName | 'call',
  form: AmountForm,
  list: ModelChannelCost['list_cost'],
  familyRatio: number,
): number | undefined {
  if (form.mode === 'call' || name === 'call')
    return form.mode === 'call' && name === 'call' ? amountOf(form.call) : undefined
  const [typed, input, listed] = [amountOf(form[name]), amountOf(form.input), list?.[name]]
  if (typed !== undefined || input === undefined) return typed
  if (listed === undefined || !list?.input) return priceInForce(name, form, familyRatio)
  return (input * listed) / list.input
}
