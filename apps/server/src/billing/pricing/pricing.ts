import type { LogOther } from '@tollgate/api'
import type { Usage } from '@tollgate/formats'
import type { Quota } from '../../store/entities.ts'
import { type Decimal, decimalOf, digitsAt, divideRounded, multiply, type Rounding } from './decimal.ts'

/** The figures a price is made of, as the operator wrote them. */
export type PriceTerms = TokenTerms | CallTerms

export interface TokenTerms {
  readonly kind: 'per-token'
  /** Quota per input token. */
  readonly modelRatio: number
  /** Output token in input tokens. */
  readonly completionRatio: number
  /** Input token read from a cache, in input tokens. */
  readonly cacheReadRatio: number
  /** Input token written to a cache, in input tokens. */
  readonly cacheWriteRatio: number
  readonly groupRatio: number
}

export interface CallTerms {
  readonly kind: 'per-call'
  /** Currency per delivered call. */
  readonly modelPrice: number
  readonly quotaPerUnit: number
  readonly groupRatio: number
}

/** Terms with everything worked out that does not depend on the call. */
export interface Price {
  readonly terms: PriceTerms
  /** For `costOf` and `estimateOf` alone. */
  readonly exact: ExactPrice
  /** For `explainCharge` alone. */
  readonly ratiosText: string
}

interface ExactPrice {
  /** Whole call: set for per-call prices only. */
  readonly call: Quota
  /** Per token, as integers over one divisor. */
  readonly units: Units
  /** Exact in a double; `undefined` when the units themselves are not. */
  readonly quick: QuickUnits | undefined
  /** A price that is not zero never makes a delivered call free. */
  readonly least: Quota
}

interface Units {
  readonly input: bigint
  readonly cacheRead: bigint
  readonly cacheWrite: bigint
  readonly output: bigint
  readonly divisor: bigint
}

type QuickUnits = { readonly [name in keyof Units]: number }

type Tokens = Pick<Usage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'>

/** No upstream is believed beyond this; the log keeps counts in 32 bits. */
const maxTokens = 2_147_483_647
/** No call costs more (two million dollars at the usual units), so that sums over thousands of calls stay exact. */
const maxCharge = 10 ** 12

/** @throws RangeError when a term is negative or not a number: such a price cannot be charged */
export function createPrice(terms: PriceTerms): Price {
  const exact = terms.kind === 'per-call' ? exactCallPrice(terms) : exactTokenPrice(terms)
  return { terms, exact, ratiosText: JSON.stringify(ratiosOf(terms)).slice(1, -1) }
}

/**
 * Cost of a delivered call, in quota units: an integer, worked out exactly and rounded once, half away from zero.
 * Per token: nothing for no tokens, at least 1 otherwise unless the model is free. Per call: the price, whatever
 * was counted.
 * @param usage tokens as the upstream counted them; `inputTokens` excludes cache reads and writes
 */
export function costOf(usage: Usage, price: Price): Quota {
  if (price.terms.kind === 'per-call') return price.exact.call
  const tokens = believable(usage)
  const sum = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens + tokens.outputTokens
  return sum === 0 ? 0 : Math.max(price.exact.least, amountOf(tokens, price.exact, 'half-away'))
}

/** What is known of a call before it is made. */
export interface CallSize {
  /** Upper estimate; see `roughTokens`. */
  readonly promptTokens: number
  /** What the caller allows; `undefined` when the caller set no limit. */
  readonly maxOutputTokens: number | undefined
}

/**
 * Upper estimate of a call's cost, for the reservation. Without a limit on the output nothing bounds it: then at
 * least `preConsumedQuota` tokens are held, and what such calls really cost is for the ledger to remember.
 */
export function estimateOf(size: CallSize, price: Price, preConsumedQuota: number): Quota {
  if (price.terms.kind === 'per-call') return price.exact.call
  const prompt = count(size.promptTokens)
  const tokens: Tokens = {
    inputTokens: size.maxOutputTokens === undefined ? Math.max(prompt, count(preConsumedQuota)) : prompt,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: count(size.maxOutputTokens ?? 0),
  }
  return amountOf(tokens, price.exact, 'up')
}

/**
 * What a log row must say so that its charge can be worked out again from the row alone: members of a JSON object
 * (`LogOther`), as text, because every call writes one and nearly all of it is the price's.
 */
export function explainCharge(usage: Usage, price: Price): string {
  const { cacheReadTokens, cacheWriteTokens } = believable(usage)
  const reasoningTokens = count(usage.reasoningTokens)
  return `${price.ratiosText},"cache_tokens":${cacheReadTokens},"cache_creation_tokens":${cacheWriteTokens},"reasoning_tokens":${reasoningTokens}`
}

function ratiosOf(terms: PriceTerms): LogOther {
  if (terms.kind === 'per-call') {
    return {
      model_price: terms.modelPrice,
      quota_per_unit: terms.quotaPerUnit,
      group_ratio: terms.groupRatio,
    }
  }
  return {
    model_ratio: terms.modelRatio,
    model_price: -1,
    completion_ratio: terms.completionRatio,
    group_ratio: terms.groupRatio,
    cache_ratio: terms.cacheReadRatio,
    cache_creation_ratio: terms.cacheWriteRatio,
  }
}

function exactTokenPrice(terms: TokenTerms): ExactPrice {
  const base = multiply(term(terms.modelRatio), term(terms.groupRatio))
  const units = commonUnits({
    input: base,
    cacheRead: multiply(base, term(terms.cacheReadRatio)),
    cacheWrite: multiply(base, term(terms.cacheWriteRatio)),
    output: multiply(base, term(terms.completionRatio)),
  })
  return { call: 0, units, quick: quickUnits(units), least: base.digits === 0n ? 0 : 1 }
}

function exactCallPrice(terms: CallTerms): ExactPrice {
  const price = multiply(term(terms.modelPrice), term(terms.quotaPerUnit), term(terms.groupRatio))
  const least = price.digits === 0n ? 0 : 1
  const call = bounded(divideRounded(price.digits, 10n ** BigInt(price.scale), 'half-away'))
  const none: Units = { input: 0n, cacheRead: 0n, cacheWrite: 0n, output: 0n, divisor: 1n }
  return { call: Math.max(least, call), units: none, quick: undefined, least }
}

function term(value: number): Decimal {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw new RangeError(`not a price term: ${value}`)
  return decimalOf(value)
}

function commonUnits(prices: { readonly [name in Exclude<keyof Units, 'divisor'>]: Decimal }): Units {
  const { input, cacheRead, cacheWrite, output } = prices
  const scale = Math.max(input.scale, cacheRead.scale, cacheWrite.scale, output.scale)
  return {
    input: digitsAt(input, scale),
    cacheRead: digitsAt(cacheRead, scale),
    cacheWrite: digitsAt(cacheWrite, scale),
    output: digitsAt(output, scale),
    divisor: 10n ** BigInt(scale),
  }
}

function quickUnits(units: Units): QuickUnits | undefined {
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  const { input, cacheRead, cacheWrite, output, divisor } = units
  if ([input, cacheRead, cacheWrite, output, divisor].some((unit) => unit > limit)) return undefined
  return {
    input: Number(input),
    cacheRead: Number(cacheRead),
    cacheWrite: Number(cacheWrite),
    output: Number(output),
    divisor: Number(divisor),
  }
}

function amountOf(tokens: Tokens, { units, quick }: ExactPrice, rounding: Rounding): Quota {
  if (quick !== undefined) {
    const total =
      tokens.inputTokens * quick.input +
      tokens.cacheReadTokens * quick.cacheRead +
      tokens.cacheWriteTokens * quick.cacheWrite +
      tokens.outputTokens * quick.output
    // Nothing is negative, so a total in the safe range was exact at every step of the sum.
    if (total <= Number.MAX_SAFE_INTEGER)
      return Math.min(maxCharge, divideSafely(total, quick.divisor, rounding))
  }
  const total =
    BigInt(tokens.inputTokens) * units.input +
    BigInt(tokens.cacheReadTokens) * units.cacheRead +
    BigInt(tokens.cacheWriteTokens) * units.cacheWrite +
    BigInt(tokens.outputTokens) * units.output
  return bounded(divideRounded(total, units.divisor, rounding))
}

/** Division of safe integers: the remainder is exact in doubles, so the quotient is too. */
function divideSafely(total: number, divisor: number, rounding: Rounding): number {
  const rest = total % divisor
  const quotient = (total - rest) / divisor
  const away = rounding === 'up' ? rest > 0 : rest * 2 >= divisor
  return away ? quotient + 1 : quotient
}

function believable(usage: Usage): Tokens {
  return {
    inputTokens: count(usage.inputTokens),
    cacheReadTokens: count(usage.cacheReadTokens),
    cacheWriteTokens: count(usage.cacheWriteTokens),
    outputTokens: count(usage.outputTokens),
  }
}

function count(tokens: number): number {
  return tokens > 0 ? Math.min(Math.trunc(tokens), maxTokens) : 0
}

function bounded(amount: bigint): Quota {
  return amount > BigInt(maxCharge) ? maxCharge : Number(amount)
}
