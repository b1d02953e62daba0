import type { ModelPrice, ServedModel, TimePrices } from '@tollgate/api'
import { startTimeForm, type TimeForm, timesOf } from '../../components/prices/time-form.ts'
import { parseNumber } from '../../components/ui/field/input.tsx'

/** Prices per million tokens, as the sheet lists them. */
export const mainPrices = ['input', 'output', 'cache_read'] as const
export const furtherPrices = [
  'cache_write',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const
export type TokenPriceField = (typeof mainPrices)[number] | (typeof furtherPrices)[number]
const tokenPrices: readonly TokenPriceField[] = [...mainPrices, ...furtherPrices]

/** One model's price as it is typed: currency per million tokens, or per call. */
type AmountForm = { readonly mode: 'token' | 'call'; readonly call: string } & {
  readonly [Field in TokenPriceField]: string
}

/** The same with its prices by time. */
export type PriceForm = AmountForm & { readonly times: TimeForm }

export type PriceProblem = 'number' | 'zero' | 'inputMissing'

/** The price that is set, else that of the vendor. */
export function startPriceForm(row: ServedModel, zone: string): PriceForm {
  const { price, list_price, unpriced } = row
  return { ...priceForm(unpriced ? (list_price ?? {}) : price), times: startTimeForm(row.time_prices, zone) }
}

export function priceForm(price: ModelPrice): AmountForm {
  const texts = Object.fromEntries(tokenPrices.map((field) => [field, textOf(price[field])]))
  return {
    ...(texts as { readonly [Field in TokenPriceField]: string }),
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
function amountOf(text: string): number | undefined {
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

interface TimesChange {
  readonly times?: TimePrices | null
  readonly times_base?: ServedModel['time_prices'] | null
}

/** Returns the change of the times to save: none where they are as the row has them. */
export function timesChange(row: Pick<ServedModel, 'time_prices' | 'times_of'>, form: TimeForm): TimesChange {
  const times = timesOf(form)
  const stored = timesOf(startTimeForm(row.time_prices, form.zone))
  if (JSON.stringify(times) === JSON.stringify(stored)) return {}
  // An entry for beginnings of names is not this model's own.
  return { times, times_base: row.times_of === undefined ? (row.time_prices ?? null) : null }
}
