import { parseNumber } from '../../../components/ui/field/input.tsx'
import {
  type ModelCharge,
  type ModelPriceRow,
  type PriceMaps,
  pricesOfRatios,
  ratiosOfPrices,
  withEntry,
} from './prices.ts'

/** The dialog of one model's price; numbers as they are typed. */
export type PriceForm = {
  model: string
  mode: 'token' | 'call'
  by: 'ratio' | 'price'
  ratio: string
  completion: string
  input: string
  output: string
  perCall: string
}

export type PriceProblem = 'nameMissing' | 'nameTaken' | 'number' | 'zero'
export type PriceProblems = Partial<Record<keyof PriceForm, PriceProblem>>

export function startPriceForm(row: ModelPriceRow | undefined): PriceForm {
  const { input, output } =
    row?.ratio === undefined
      ? { input: undefined, output: undefined }
      : pricesOfRatios(row.ratio, row.completion)
  return {
    model: row?.model ?? '',
    mode: row?.perCall === undefined ? 'token' : 'call',
    by: 'ratio',
    ratio: textOf(row?.ratio),
    completion: textOf(row?.completion),
    input: textOf(input),
    output: textOf(output),
    perCall: textOf(row?.perCall),
  }
}

/** Returns the fields of the other way to enter a price per token, once one of them was typed. */
export function convertedPrices(form: PriceForm): Partial<PriceForm> {
  if (form.by === 'ratio') {
    const ratio = amount(form.ratio)
    if (ratio === undefined) return {}
    const { input, output } = pricesOfRatios(ratio, amount(form.completion))
    return { input: textOf(input), output: textOf(output) }
  }
  const input = amount(form.input)
  if (input === undefined || input === 0) return {}
  const { ratio, completion } = ratiosOfPrices(input, amount(form.output))
  return { ratio: textOf(ratio), completion: textOf(completion) }
}

/** @param taken whether there is a price for this model name already */
export function priceProblems(form: PriceForm, taken: (model: string) => boolean): PriceProblems {
  const model = form.model.trim()
  const name = model === '' ? 'nameMissing' : taken(model) ? 'nameTaken' : undefined
  return { ...(name && { model: name }), ...numberProblems(form) }
}

function numberProblems(form: PriceForm): PriceProblems {
  const required = (text: string): PriceProblem | undefined =>
    amount(text) === undefined ? 'number' : undefined
  // The output price is kept as a multiple of the input price.
  const priced = (text: string) => (amount(text) === 0 ? 'zero' : required(text))
  const optional = (text: string) => (text.trim() === '' ? undefined : required(text))
  const found: Readonly<Record<string, PriceProblem | undefined>> =
    form.mode === 'call'
      ? { perCall: priced(form.perCall) }
      : form.by === 'ratio'
        ? { ratio: required(form.ratio), completion: optional(form.completion) }
        : {
            input: priced(form.input),
            output: optional(form.output),
          }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

/** Returns the charge of a form without problems. */
export function chargeOf(form: PriceForm): ModelCharge {
  if (form.mode === 'call') return { perCall: amount(form.perCall) ?? 0 }
  if (form.by === 'ratio') return { ratio: amount(form.ratio) ?? 0, completion: amount(form.completion) }
  return ratiosOfPrices(amount(form.input) ?? 0, amount(form.output))
}

/** A number that a price may be; nothing is cheaper than free. */
function amount(text: string): number | undefined {
  const value = parseNumber(text, true)
  return value !== undefined && value >= 0 ? value : undefined
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

export const batchModes = ['perCall', 'ratio', 'completion', 'both'] as const
export type BatchMode = (typeof batchModes)[number]

/** One price for several models; in `both` the first value is the ratio, the second the completion ratio. */
export interface BatchPrice {
  readonly mode: BatchMode
  readonly first: string
  readonly second: string
}

export type BatchProblem = 'models' | 'number'

export function batchProblem(models: readonly string[], price: BatchPrice): BatchProblem | undefined {
  if (models.length === 0) return 'models'
  const needed = price.mode === 'both' ? [price.first, price.second] : [price.first]
  return needed.some((text) => amount(text) === undefined) ? 'number' : undefined
}

/** Returns the maps that a batch writes, with the values. */
function entriesOf({ mode, first, second }: BatchPrice): readonly (readonly [keyof PriceMaps, string])[] {
  if (mode === 'both')
    return [
      ['ratio', first],
      ['completion', second],
    ]
  return [[mode, first]]
}

/** The maps with the price merged in; what else they hold stays. */
export function withBatchPrice(maps: PriceMaps, models: readonly string[], price: BatchPrice): PriceMaps {
  const merged = entriesOf(price).map(([map, text]) => [
    map,
    models.reduce((before, model) => withEntry(before, model, amount(text)), maps[map]),
  ])
  return { ...maps, ...Object.fromEntries(merged) }
}
