import {
  type EditConflict,
  listedName,
  type ModelCost,
  type ModelPrice,
  type TimePrices,
  type TokenPriceName,
  type TokenPriceOption,
  tokenPriceKinds,
} from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { type Decimal, decimalOf, divide, multiply, numberOf } from '@tollgate/base/decimal'
import { mergeWhole, refuseConflicts } from '../../lib/merge-edit.ts'
import { Refusal } from '../../lib/refusal.ts'
import { defaultCompletionRatio } from './completion-ratio.ts'
import type { CostSettings } from './cost-table.ts'
import { weightsOf } from './price.ts'
import { isPriced, type PriceSettings, pricedName, termsOf } from './price-table.ts'

/** The entry of one model in an option; null removes it. */
export interface PriceOptionChange {
  readonly key: TokenPriceOption | 'ModelPrice'
  readonly entries: Readonly<Record<string, number | null>>
}

/** Kinds that are stored as multiples of another price. */
const parts = tokenPriceKinds.flatMap((kind) => (kind.base === undefined ? [] : [kind]))
type Part = (typeof parts)[number]

const million = decimalOf(1_000_000)
/** More decimals than a ratio needs for prices that read as they were written. */
const ratioDecimals = 12
const priceDecimals = 9

type StoredPrices = Pick<PriceSettings, TokenPriceOption | 'ModelPrice' | 'QuotaPerUnit'>

/** Returns the operator's price of a model, in currency; empty without a price. */
export function modelPriceOf(settings: StoredPrices, model: string): ModelPrice {
  const name = pricedName(model)
  const call = own(settings.ModelPrice, name)
  if (call !== undefined) return { call }
  const ratio = own(settings.ModelRatio, name)
  if (ratio === undefined) return {}
  const exact: { [Name in TokenPriceName]?: Decimal } = {
    input: multiply(decimalOf(ratio), perRatio(settings)),
  }
  for (const part of parts) {
    const factor = own(settings[part.option], name)
    if (factor !== undefined) exact[part.name] = multiply(decimalOf(factor), basePrice(exact, part))
  }
  return Object.fromEntries(Object.entries(exact).map(([part, price]) => [part, readable(price)]))
}

/**
 * The options that give a model this price and no other; `null` removes its price. Only those that change.
 * @param base the price that the change was made on
 * @throws Refusal for a price of tokens that is no multiple of an input price, and where the model has another price by now
 */
export function priceChanges(
  settings: PriceSettings,
  model: string,
  price: ModelPrice | null,
  base?: ModelPrice,
): readonly PriceOptionChange[] {
  if (base !== undefined) refuseOtherPrice({ field: 'price' }, modelPriceOf(settings, model), price, base)
  const name = pricedName(model)
  const entries = entriesOf(settings, price ?? {})
  return Object.entries(entries).flatMap(([key, value]) => {
    const option = key as keyof typeof entries
    if (own(settings[option], name) === value) return []
    return [{ key: option, entries: { [name]: value ?? null } }]
  })
}

/** The entry of an upstream's model in the option of costs; null removes it. */
interface CostOptionChange {
  readonly key: 'ModelCost'
  readonly entries: Readonly<Record<string, ModelCost | null>>
}

/** Returns the operator's cost of an upstream's model, in currency; empty without a figure. */
export function ownCostOf(
  { ModelCost, QuotaPerUnit }: Pick<CostSettings, 'ModelCost' | 'QuotaPerUnit'>,
  upstreamModel: string,
): ModelPrice {
  const cost = Object.hasOwn(ModelCost, upstreamModel) ? ModelCost[upstreamModel] : undefined
  if (cost === undefined) return {}
  if (cost.model_price !== undefined) return { call: cost.model_price }
  const name = pricedName(upstreamModel)
  const mapOf = (value: number | undefined) => (value === undefined ? {} : { [name]: value })
  const maps = Object.fromEntries(tokenPriceKinds.map((kind) => [kind.option, mapOf(cost[kind.cost])]))
  // Every option of the kinds has its map.
  return modelPriceOf({ ...maps, ModelPrice: {}, QuotaPerUnit } as StoredPrices, name)
}

/** A cost of an upstream's model for the operator; `null` removes the figure. */
interface CostEdit {
  readonly upstream_model: string
  readonly price: ModelPrice | null
  /** The cost that the edit was made on. */
  readonly base?: ModelPrice | undefined
  /** Factors by time; `null` removes them, `undefined` leaves them. */
  readonly times?: TimePrices | null | undefined
  /** The times that the edit was made on; `null` for none. */
  readonly times_base?: TimePrices | null | undefined
}

/**
 * The option that gives models of upstreams these costs.
 * @throws Refusal for a cost that is no multiple of one of input, and where a model has another by now
 */
export function costChanges(
  settings: Pick<CostSettings, 'ModelCost' | 'QuotaPerUnit'>,
  costs: readonly CostEdit[] = [],
): readonly (CostOptionChange | TimeOptionChange)[] {
  if (costs.length === 0) return []
  for (const { upstream_model, price, base } of costs)
    if (base !== undefined)
      refuseOtherPrice(
        { field: 'ModelCost', entry: upstream_model },
        ownCostOf(settings, upstream_model),
        price,
        base,
      )
  const entries = costs.map(
    ({ upstream_model, price }) => [upstream_model, price && storedCost(settings, price)] as const,
  )
  return [{ key: 'ModelCost', entries: Object.fromEntries(entries) }, ...costTimeChanges(costs)]
}

function costTimeChanges(costs: readonly CostEdit[]): readonly TimeOptionChange[] {
  const entries = costs.flatMap(({ upstream_model, times }) =>
    times === undefined ? [] : [[upstream_model, times] as const],
  )
  if (entries.length === 0) return []
  const bases = costs.flatMap(({ upstream_model, times, times_base }) =>
    times === undefined || times_base == null ? [] : [[upstream_model, times_base] as const],
  )
  const isChecked = costs.some(({ times_base }) => times_base !== undefined)
  const base = isChecked ? { base: JSON.stringify(Object.fromEntries(bases)) } : {}
  return [{ key: 'TimeCost', entries: Object.fromEntries(entries), ...base }]
}

function storedCost(settings: Pick<StoredPrices, 'QuotaPerUnit'>, price: ModelPrice): ModelCost {
  const { ModelPrice: call, ...ratios } = entriesOf(settings, price)
  if (call !== undefined) return { model_price: call }
  const members = tokenPriceKinds.map(({ cost, option }) => [cost, ratios[option]] as const)
  if (ratios.ModelRatio === undefined) throw new Refusal('model_price_input_missing')
  // The members are those of a cost by tokens, the first of which is there.
  return Object.fromEntries(members.filter(([, ratio]) => ratio !== undefined)) as unknown as ModelCost
}

/** Entries in an option of prices or costs by time; null removes one. */
interface TimeOptionChange {
  readonly key: 'TimePrice' | 'TimeCost'
  readonly entries: Readonly<Record<string, TimePrices | null>>
  readonly base?: string
}

/**
 * The option that gives a model these prices by time; `null` removes them, `undefined` leaves them.
 * @param base the times that the change was made on; `null` for none
 */
export function timeChanges(
  model: string,
  times: TimePrices | null | undefined,
  base?: TimePrices | null,
): readonly TimeOptionChange[] {
  if (times === undefined) return []
  const name = pricedName(model)
  const change = { key: 'TimePrice', entries: { [name]: times } } as const
  if (base === undefined) return [change]
  return [{ ...change, base: JSON.stringify(base === null ? {} : { [name]: base }) }]
}

/** The parts of a price belong together: it is changed as a whole. */
function refuseOtherPrice(
  field: Pick<EditConflict, 'field' | 'entry'>,
  current: ModelPrice,
  price: ModelPrice | null,
  base: ModelPrice,
): void {
  const conflicting = mergeWhole(sorted(base), sorted(current), sorted(price ?? {})).conflicts
  refuseConflicts(conflicting.map((conflict) => ({ ...field, ...conflict })))
}

function sorted(price: ModelPrice): ModelPrice {
  return Object.fromEntries(Object.entries(price).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Returns the vendor's price, as an operator would write it; `undefined` for an unknown model, and for one whose price needs more
 * members than this, as seconds of video do.
 */
export function listPriceOf(model: string): ModelPrice | undefined {
  const name = listedName(model)
  if (name === undefined || Object.hasOwn(defaults.VideoPrice, name)) return undefined
  const price = modelPriceOf(defaults, name)
  if (price.call !== undefined) return price
  if (price.input === undefined) return undefined
  const output = price.output ?? defaultOutput(name, price.input)
  return { ...price, ...(output !== undefined && { output }) }
}

/**
 * Returns the vendor's price of every kind of token, with defaults where the vendor names none, or per call; `undefined`
 * for a model outside the table of models.
 */
export function completeListPriceOf(model: string): ModelPrice | undefined {
  const name = listedName(model)
  if (name === undefined || !isPriced(defaults, name)) return undefined
  const terms = termsOf(defaults, name, '')
  if (terms.kind === 'per-call') return { call: terms.modelPrice }
  const input = multiply(decimalOf(terms.modelRatio), perRatio(defaults))
  const weights = weightsOf(terms)
  return Object.fromEntries(
    tokenPriceKinds.map(({ name: part, token }) => [part, readable(multiply(input, weights[token]))]),
  )
}

/** Returns the default output price of the model's family; `undefined` where output costs as much as input, or there is none. */
function defaultOutput(model: string, input: number): number | undefined {
  const ratio = defaultCompletionRatio(model)
  return ratio === 1 ? undefined : readable(multiply(decimalOf(input), decimalOf(ratio)))
}

function entriesOf(
  settings: Pick<StoredPrices, 'QuotaPerUnit'>,
  price: ModelPrice,
): Record<TokenPriceOption | 'ModelPrice', number | undefined> {
  const perToken = price.call === undefined ? price : {}
  const ratios = parts.map((part) => [part.option, ratioOf(perToken, part)])
  return {
    ModelPrice: price.call,
    ModelRatio:
      perToken.input === undefined ? undefined : share(decimalOf(perToken.input), perRatio(settings)),
    ...Object.fromEntries(ratios),
  }
}

function ratioOf(price: ModelPrice, part: Part): number | undefined {
  const amount = price[part.name]
  if (amount === undefined) return undefined
  if (price.input === undefined) throw new Refusal('model_price_input_missing')
  const base = price[part.base] ?? price.input
  if (base > 0) return share(decimalOf(amount), decimalOf(base))
  // A model that costs nothing costs nothing in all of its parts.
  if (amount > 0) throw new Refusal('model_price_input_missing')
  return undefined
}

function basePrice(exact: { readonly [Name in TokenPriceName]?: Decimal }, { base }: Part): Decimal {
  return exact[base] ?? exact.input ?? decimalOf(0)
}

/** Currency per million tokens at a ratio of 1: 2 at the usual unit. */
function perRatio({ QuotaPerUnit }: Pick<StoredPrices, 'QuotaPerUnit'>): Decimal {
  return divide(million, decimalOf(QuotaPerUnit), ratioDecimals)
}

function share(part: Decimal, total: Decimal): number {
  return numberOf(divide(part, total, ratioDecimals))
}

function readable(price: Decimal): number {
  return numberOf(divide(price, decimalOf(1), priceDecimals))
}

function own(map: Readonly<Record<string, number>>, name: string): number | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}
