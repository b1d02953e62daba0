import { listedName, type ModelPrice, type TimePrices } from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { type Decimal, decimalOf, divide, multiply, numberOf } from '@tollgate/base/decimal'
import { mergeWhole, refuseConflicts } from '../../lib/merge-edit.ts'
import { Refusal } from '../../lib/refusal.ts'
import { defaultCompletionRatio } from './completion-ratio.ts'
import { type PriceSettings, pricedName } from './price-table.ts'

type TokenPriceName = Exclude<keyof ModelPrice, 'call'>
type RatioOption =
  | 'ModelRatio'
  | 'CompletionRatio'
  | 'CacheRatio'
  | 'CreateCacheRatio'
  | 'AudioRatio'
  | 'AudioCompletionRatio'
  | 'ImageRatio'
  | 'ImageCompletionRatio'

/** The entry of one model in an option; null removes it. */
export interface PriceOptionChange {
  readonly key: RatioOption | 'ModelPrice'
  readonly entries: Readonly<Record<string, number | null>>
}

interface Part {
  readonly name: TokenPriceName
  /** Option that stores its ratio. */
  readonly option: RatioOption
  /** The price that the ratio multiplies, as far as it is set; else that of input. */
  readonly base: TokenPriceName
}

const parts: readonly Part[] = [
  { name: 'output', option: 'CompletionRatio', base: 'input' },
  { name: 'cache_read', option: 'CacheRatio', base: 'input' },
  { name: 'cache_write', option: 'CreateCacheRatio', base: 'input' },
  { name: 'audio_input', option: 'AudioRatio', base: 'input' },
  { name: 'audio_output', option: 'AudioCompletionRatio', base: 'audio_input' },
  { name: 'image_input', option: 'ImageRatio', base: 'input' },
  { name: 'image_output', option: 'ImageCompletionRatio', base: 'image_input' },
]

const million = decimalOf(1_000_000)
/** More decimals than a ratio needs for prices that read as they were written. */
const ratioDecimals = 12
const priceDecimals = 9

/** Returns the operator's price of a model, in currency; empty without a price. */
export function modelPriceOf(settings: PriceSettings, model: string): ModelPrice {
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
  if (base !== undefined) refuseOtherPrice(modelPriceOf(settings, model), price, base)
  const name = pricedName(model)
  const entries = entriesOf(settings, price ?? {})
  return Object.entries(entries).flatMap(([key, value]) => {
    const option = key as keyof typeof entries
    if (own(settings[option], name) === value) return []
    return [{ key: option, entries: { [name]: value ?? null } }]
  })
}

/** The entry of one model in the option of prices by time; null removes it. */
interface TimeOptionChange {
  readonly key: 'TimePrice'
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
function refuseOtherPrice(current: ModelPrice, price: ModelPrice | null, base: ModelPrice): void {
  const conflicting = mergeWhole(sorted(base), sorted(current), sorted(price ?? {})).conflicts
  refuseConflicts(conflicting.map((conflict) => ({ field: 'price', ...conflict })))
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

/** Returns the default output price of the model's family; `undefined` where output costs as much as input, or there is none. */
function defaultOutput(model: string, input: number): number | undefined {
  const ratio = defaultCompletionRatio(model)
  return ratio === 1 ? undefined : readable(multiply(decimalOf(input), decimalOf(ratio)))
}

function entriesOf(
  settings: PriceSettings,
  price: ModelPrice,
): Record<RatioOption | 'ModelPrice', number | undefined> {
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
function perRatio({ QuotaPerUnit }: PriceSettings): Decimal {
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
