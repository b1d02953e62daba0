import {
  type ModelChannelCost,
  type ModelPrice,
  type PriceEdit,
  type ServedModel,
  type TimePrices,
  type TokenPriceName,
  tokenPriceKinds,
} from '@tollgate/api'
import { startTimeForm, type TimeForm, timesOf } from '../../components/prices/time-form.ts'
import { parseNumber } from '../../components/ui/field/input.tsx'
import type { TokenPriceKind } from '../../lib/format/price.ts'
import { type EntryForms, entriesChange, startEntryForms } from './entry-form.ts'
import type { ModelRow } from './model-rows.ts'

/** The names of the kinds of tokens in texts, by their members of a price. */
export const kinds = {
  input: 'input',
  output: 'output',
  cache_read: 'cacheRead',
  cache_write: 'cacheWrite',
  audio_input: 'audioInput',
  audio_output: 'audioOutput',
  image_input: 'imageInput',
  image_output: 'imageOutput',
} as const satisfies Readonly<Record<TokenPriceName, TokenPriceKind>>

/** Prices per million tokens, as the sheet lists them: those of nearly every model first. */
const tokenPrices = tokenPriceKinds.map(({ name }) => name)
const mainCount = 3
export const mainPrices = tokenPrices.slice(0, mainCount)
export const furtherPrices = tokenPrices.slice(mainCount)

/** One model's price as it is typed: currency per million tokens, or per call. */
export type AmountForm = { readonly mode: 'token' | 'call'; readonly call: string } & {
  readonly [Field in TokenPriceName]: string
}

/** The same with its prices by time, its charges beside tokens, and what its upstreams take for it. */
export type PriceForm = AmountForm & {
  readonly times: TimeForm
  readonly costs: CostForms
  readonly costTimes: CostTimeForms
} & EntryForms

/** Costs by the name of the model at its upstream. */
export type CostForms = Readonly<Record<string, AmountForm>>

/** Factors on costs by time, by the name of the model at its upstream. */
export type CostTimeForms = Readonly<Record<string, TimeForm>>

export type PriceProblem = 'number' | 'zero' | 'inputMissing'

/** The price that is set, else that of the vendor. */
export function startPriceForm(row: ModelRow, zone: string): PriceForm {
  const { price, list_price, unpriced } = row
  return {
    ...priceForm(unpriced ? (list_price ?? {}) : price),
    times: startTimeForm(row.time_prices, zone),
    costs: startCostForms(row.costs),
    costTimes: Object.fromEntries(
      row.costs.map(({ upstream_model, own_times }) => [upstream_model, startTimeForm(own_times, zone)]),
    ),
    ...startEntryForms(row.entries),
  }
}

function startCostForms(costs: readonly ModelChannelCost[]): CostForms {
  return Object.fromEntries(
    costs.map(({ upstream_model, own_cost = {} }) => [upstream_model, priceForm(own_cost)]),
  )
}

export function priceForm(price: ModelPrice): AmountForm {
  const texts = Object.fromEntries(tokenPrices.map((field) => [field, textOf(price[field])]))
  return {
    ...(texts as { readonly [Field in TokenPriceName]: string }),
    mode: price.call === undefined ? 'token' : 'call',
    call: textOf(price.call),
  }
}

const maxDecimals = 12

/** Writes an amount without an exponent, which no box of numbers reads. */
function textOf(amount: number | undefined): string {
  if (amount === undefined) return ''
  const text = String(amount)
  return text.includes('e') ? amount.toFixed(maxDecimals).replace(/\.?0+$/, '') : text
}

export function priceProblems(form: AmountForm): Partial<Record<keyof AmountForm, PriceProblem>> {
  if (form.mode === 'call') {
    const call = amountOf(form.call)
    return call === undefined ? { call: 'number' } : call === 0 ? { call: 'zero' } : {}
  }
  const wrong = tokenPrices.filter(
    (field) => form[field].trim() !== '' && amountOf(form[field]) === undefined,
  )
  const problems = Object.fromEntries(wrong.map((field) => [field, 'number' as const]))
  if (form.input.trim() === '') return { ...problems, input: 'number' }
  // The other prices are stored as multiples of the input price.
  const others = tokenPrices.some((field) => field !== 'input' && (amountOf(form[field]) ?? 0) > 0)
  return amountOf(form.input) === 0 && others ? { ...problems, input: 'inputMissing' } : problems
}

/** Returns the price of a form without problems. */
export function priceOf(form: AmountForm): ModelPrice {
  if (form.mode === 'call') return { call: amountOf(form.call) ?? 0 }
  const amounts = tokenPrices.map((field) => [field, amountOf(form[field])] as const)
  return Object.fromEntries(amounts.filter(([, amount]) => amount !== undefined))
}

/** A price; nothing is cheaper than free. */
export function amountOf(text: string): number | undefined {
  const value = parseNumber(text, true)
  return value !== undefined && value >= 0 ? value : undefined
}

const thousandth = 1e-3

/** Returns the price of a call of 1,000 tokens in and 500 out; `undefined` while the form is not complete. */
export function sampleCost(form: AmountForm, output: number | undefined): number | undefined {
  if (form.mode === 'call') return amountOf(form.call)
  const [inputPrice, outputPrice] = [amountOf(form.input), amountOf(form.output) ?? output]
  if (inputPrice === undefined || outputPrice === undefined) return undefined
  return inputPrice * thousandth + (outputPrice * thousandth) / 2
}

/** A new price with all of its parts, as the question before it has them. */
type IntendedPrice = { readonly [Name in keyof PriceEdit]-?: PriceEdit[Name] }

/** Returns the new price that a form without problems makes of a row; what does not change is absent. */
export function intendedPrice(
  {
    model_name,
    time_prices,
    times_of,
    entries: stored,
  }: Pick<ModelRow, 'model_name' | 'time_prices' | 'times_of' | 'entries'>,
  form: PriceForm,
): IntendedPrice {
  const { times } = timesChange({ time_prices, times_of }, form.times)
  return { model_name, price: priceOf(form), times, entries: entriesChange(stored, form).entries }
}

interface TimesChange {
  readonly times?: TimePrices | null
  readonly times_base?: ServedModel['time_prices'] | null
}

/** Returns the change of the times to save: none where they are as the row has them. */
export function timesChange(
  row: { readonly [Name in 'time_prices' | 'times_of']?: ServedModel[Name] | undefined },
  form: TimeForm,
): TimesChange {
  const times = timesOf(form)
  const stored = timesOf(startTimeForm(row.time_prices, form.zone))
  if (JSON.stringify(times) === JSON.stringify(stored)) return {}
  // An entry for beginnings of names is not this model's own.
  return { times, times_base: row.times_of === undefined ? (row.time_prices ?? null) : null }
}

/** Finds the costs that cannot be saved, by the upstream's name of the model. A blank cost is the vendor's list price. */
export function costProblems(costs: CostForms): Readonly<Record<string, keyof AmountForm>> {
  const found = Object.entries(costs).flatMap(([upstream, cost]) => {
    if (isBlankCost(cost)) return []
    const [wrong] = Object.keys(priceProblems(cost)) as (keyof AmountForm)[]
    return wrong === undefined ? [] : [[upstream, wrong] as const]
  })
  return Object.fromEntries(found)
}

export function isBlankCost(cost: AmountForm): boolean {
  return [cost.call, ...tokenPrices.map((field) => cost[field])].every((text) => text.trim() === '')
}

/** Returns the costs that differ from those that are stored, with their times; empty where none does. */
export function costsChange(
  costs: readonly ModelChannelCost[],
  { costs: forms, costTimes }: Pick<PriceForm, 'costs' | 'costTimes'>,
) {
  const stored = new Map(costs.map((cost) => [cost.upstream_model, cost]))
  return [...stored].flatMap(([upstream_model, { own_cost: base = {}, own_times }]) => {
    const [form, timeForm] = [forms[upstream_model], costTimes[upstream_model]]
    if (form === undefined) return []
    const [price, before] = [costOf(form), costOf(priceForm(base))]
    const times = timeForm === undefined ? {} : timesChange({ time_prices: own_times }, timeForm)
    const isSame = JSON.stringify(price) === JSON.stringify(before) && Object.keys(times).length === 0
    return isSame ? [] : [{ upstream_model, price, base, ...times }]
  })
}

function costOf(form: AmountForm): ModelPrice | null {
  return isBlankCost(form) ? null : priceOf(form)
}
