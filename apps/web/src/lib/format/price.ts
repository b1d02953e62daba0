import type { PricingRow } from '@tollgate/api'
import { product, quotient } from './money.ts'

const million = 1_000_000
/** Most decimals of a price: $0.0375 per million tokens. */
const maxDecimals = 4
const minDecimals = 2

/** A price in currency with all the decimals it has, two at least: `$2.50`, `$0.075`. Tiny ones keep two digits that count. */
export function formatPrice(amount: number): string {
  const size = Math.abs(amount)
  const tiny = size > 0 && size < 10 ** (1 - maxDecimals)
  const decimals = tiny ? 1 - Math.floor(Math.log10(size)) : maxDecimals
  const [integer = '0', fraction = ''] = size.toFixed(decimals).split('.')
  const retained = fraction.replace(/0+$/, '').padEnd(minDecimals, '0')
  return `${amount < 0 ? '-' : ''}$${integer.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${retained}`
}

/** The kinds of tokens that have prices, as they are listed. */
export const tokenPriceKinds = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'audioInput',
  'audioOutput',
  'imageInput',
  'imageOutput',
] as const
export type TokenPriceKind = (typeof tokenPriceKinds)[number]

/** Price of a kind of token. */
export interface TokenPrice {
  readonly kind: TokenPriceKind
  /** Ratio in input tokens; for input itself the model's ratio. */
  readonly ratio: number
  /** Currency per million tokens. */
  readonly price: number
}

export type TokenRatios = Pick<
  PricingRow,
  | 'model_ratio'
  | 'completion_ratio'
  | 'cache_ratio'
  | 'create_cache_ratio'
  | 'create_cache_1h_ratio'
  | 'audio_ratio'
  | 'audio_completion_ratio'
  | 'image_ratio'
  | 'image_completion_ratio'
>

/** The prices of a million tokens in a group, of those kinds that the model prices apart. */
export function tokenPrices(
  row: TokenRatios,
  groupRatio: number,
  quotaPerUnit: number,
): readonly TokenPrice[] {
  const input = quotient(product(million, row.model_ratio, groupRatio), quotaPerUnit)
  const ratios: Readonly<Record<Exclude<TokenPriceKind, 'input'>, number | undefined>> = {
    output: row.completion_ratio,
    cacheRead: row.cache_ratio,
    cacheWrite: row.create_cache_ratio,
    cacheWrite1h: row.create_cache_1h_ratio,
    audioInput: row.audio_ratio,
    audioOutput: times(row.audio_ratio ?? 1, row.audio_completion_ratio),
    imageInput: row.image_ratio,
    imageOutput: times(row.image_ratio ?? 1, row.image_completion_ratio),
  }
  const others = Object.entries(ratios).flatMap(([kind, ratio]) =>
    ratio === undefined ? [] : [{ kind: kind as TokenPriceKind, ratio, price: product(input, ratio) }],
  )
  return [{ kind: 'input', ratio: row.model_ratio, price: input }, ...others]
}

/** The price of one kind, where the model has one. */
export function tokenPriceOf(
  row: TokenRatios,
  kind: TokenPriceKind,
  groupRatio: number,
  quotaPerUnit: number,
): TokenPrice | undefined {
  return tokenPrices(row, groupRatio, quotaPerUnit).find((price) => price.kind === kind)
}

function times(base: number, factor: number | undefined): number | undefined {
  return factor === undefined ? undefined : product(base, factor)
}
