import { product, quotient } from '../../../lib/format/money.ts'

/** The three maps of the price table, by model name. */
export interface PriceMaps {
  /** Dollars per call. */
  readonly perCall: ReadonlyMap<string, unknown>
  readonly ratio: ReadonlyMap<string, unknown>
  readonly completion: ReadonlyMap<string, unknown>
}

export interface ModelPriceRow {
  readonly model: string
  /** Dollars; wins over the ratios. */
  readonly perCall: number | undefined
  readonly ratio: number | undefined
  /** `undefined`: the ratio that the model's family has built in. */
  readonly completion: number | undefined
}

/** A ratio of 1 is $2 per million input tokens. */
const dollarsPerRatio = 2

export function priceRows({ perCall, ratio, completion }: PriceMaps): readonly ModelPriceRow[] {
  const models = new Set([...perCall.keys(), ...ratio.keys(), ...completion.keys()])
  return [...models]
    .sort((left, right) => left.localeCompare(right))
    .map((model) => ({
      model,
      perCall: numberOf(perCall.get(model)),
      ratio: numberOf(ratio.get(model)),
      completion: numberOf(completion.get(model)),
    }))
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Charge of one model: by the call, or by the token. */
export type ModelCharge =
  | { readonly perCall: number }
  | { readonly ratio: number; readonly completion: number | undefined }

/** The maps with this price and no other of the model: a price per call clears the ratios, and the other way round. */
export function withPrice(maps: PriceMaps, model: string, charge: ModelCharge): PriceMaps {
  const perCall = 'perCall' in charge ? charge.perCall : undefined
  const { ratio, completion } = 'perCall' in charge ? noRatios : charge
  return {
    perCall: withEntry(maps.perCall, model, perCall),
    ratio: withEntry(maps.ratio, model, ratio),
    completion: withEntry(maps.completion, model, completion),
  }
}

const noRatios = { ratio: undefined, completion: undefined }

export function withoutModel(maps: PriceMaps, model: string): PriceMaps {
  return {
    perCall: withEntry(maps.perCall, model, undefined),
    ratio: withEntry(maps.ratio, model, undefined),
    completion: withEntry(maps.completion, model, undefined),
  }
}

/** The same map when nothing changes, so that no map is marked as changed without reason. */
export function withEntry(
  map: ReadonlyMap<string, unknown>,
  model: string,
  value: number | undefined,
): ReadonlyMap<string, unknown> {
  if (map.get(model) === value) return map
  const next = new Map(map)
  if (value === undefined) next.delete(model)
  else next.set(model, value)
  return next
}

/** Ratios of prices in dollars per million tokens; without an output price the built-in completion ratio stays. */
export function ratiosOfPrices(input: number, output: number | undefined) {
  return {
    ratio: quotient(input, dollarsPerRatio),
    completion: output === undefined ? undefined : quotient(output, input),
  }
}

export function pricesOfRatios(ratio: number, completion: number | undefined) {
  const input = product(ratio, dollarsPerRatio)
  return { input, output: completion === undefined ? undefined : product(input, completion) }
}
