import { type Decimal, decimalOf, digitsAt, divideRounded, multiply } from '@tollgate/base/decimal'
import type { ToolKind } from '@tollgate/formats'
import type { Quota } from '../../store/units.ts'
import { type PriceMembers, priceMembers } from './price-members.ts'
import type { CallTerms, PriceTerms, TokenTerms } from './price-terms.ts'
import { type PerKind, perKind, type TokenKind, tokenKinds } from './token-kinds.ts'

/** Terms with everything worked out that does not depend on the call. */
export interface Price {
  readonly terms: PriceTerms
  /** Exact price for `costOf`, `costOfOutput` and `estimateOf` alone. */
  readonly exact: ExactPrice
  /** Members for `explainCharge` alone. */
  readonly members: PriceMembers
  /** Replaces this price for a response whose upstream counted no tokens; absent where the gateway can count them. */
  readonly whenUncounted?: Price
}

export interface ExactPrice {
  /** Price of the complete call: set for per-call prices only. */
  readonly call: Quota
  /** Quota per token by kind, as integers over `divisor`. */
  readonly units: PerKind<bigint>
  readonly divisor: bigint
  /** Quota per call of a tool, over `divisor`. */
  readonly tools: { readonly [Kind in ToolKind]?: bigint }
  /** The same in doubles; `undefined` when a double cannot hold them. */
  readonly quick: QuickUnits | undefined
  /** The dearest kinds of a call that asks for text. */
  readonly dearest: { readonly input: TokenKind; readonly output: TokenKind }
  /** A price that is not zero never makes a delivered call free. */
  readonly minCharge: Quota
}

interface QuickUnits {
  readonly units: PerKind<number>
  readonly divisor: number
}

/** No call costs more (two million dollars at the usual units), so that sums over thousands of calls stay exact. */
export const maxCharge = 10 ** 12

/** @throws RangeError when a term is negative or not a number: such a price cannot be charged */
export function createPrice(terms: PriceTerms): Price {
  const exact = terms.kind === 'per-call' ? exactCallPrice(terms) : exactTokenPrice(terms)
  return { terms, exact, members: priceMembers(terms) }
}

/** An exact amount as quota that can be charged. */
export function boundedQuota(amount: bigint): Quota {
  return amount > BigInt(maxCharge) ? maxCharge : Number(amount)
}

function exactTokenPrice(terms: TokenTerms): ExactPrice {
  const base = multiply(term(terms.modelRatio), term(terms.groupRatio), ...tierRatios(terms))
  const weights = weightsOf(terms)
  const prices = perKind((kind) => multiply(base, weights[kind], stepRatio(terms, kind)))
  const tools = toolPrices(terms)
  const all = [...tokenKinds.map((kind) => prices[kind]), ...tools.map(([, price]) => price)]
  const scale = Math.max(...all.map((price) => price.scale))
  const units = perKind((kind) => digitsAt(prices[kind], scale))
  const divisor = 10n ** BigInt(scale)
  return {
    call: 0,
    units,
    divisor,
    tools: Object.fromEntries(tools.map(([kind, price]) => [kind, digitsAt(price, scale)])),
    quick: quickUnits(units, divisor),
    dearest: { input: dearestOf(units, plainInput), output: dearestOf(units, plainOutput) },
    minCharge: terms.minCharge ?? (base.digits === 0n ? 0 : 1),
  }
}

function tierRatios({ served }: TokenTerms): readonly Decimal[] {
  return Object.values(served?.tiers ?? {}).map(term)
}

function stepRatio({ served }: TokenTerms, kind: TokenKind): Decimal {
  const step = served?.step
  if (step === undefined) return term(1)
  if (outputTokenKinds.has(kind)) return term(step.output)
  return term(kind === 'cacheRead' ? (step.cached ?? step.input) : step.input)
}

const outputTokenKinds: ReadonlySet<TokenKind> = new Set(['textOutput', 'audioOutput', 'imageOutput'])
const perThousand: Decimal = { digits: 1n, scale: 3 }

function toolPrices({ tools = {}, quotaPerUnit = 0, groupRatio }: TokenTerms) {
  return Object.entries(tools).map(
    ([kind, price]) =>
      [kind, multiply(term(price), perThousand, term(quotaPerUnit), term(groupRatio))] as const,
  )
}

/** Kinds of tokens that any prompt may turn out to be: upstreams read from their caches without a request. */
export const plainInput: readonly TokenKind[] = ['textInput', 'cacheRead']
/** Models that draw need not be asked to. At the others an image costs what text does. */
export const plainOutput: readonly TokenKind[] = ['textOutput', 'imageOutput']

/** @param kinds at least one */
export function dearestOf(units: PerKind<bigint>, kinds: readonly TokenKind[]): TokenKind {
  return kinds.reduce((dearest, kind) => (units[kind] > units[dearest] ? kind : dearest))
}

/** Returns the weight of a token of each kind, in text input tokens. */
export function weightsOf(terms: TokenTerms): PerKind<Decimal> {
  const { completionRatio, audioRatio, audioCompletionRatio, imageRatio, imageCompletionRatio } = terms
  const textOutput = term(completionRatio)
  const output = (ratio: number, completion: number | undefined) =>
    completion === undefined ? textOutput : multiply(term(ratio), term(completion))
  return {
    textInput: term(1),
    cacheRead: term(terms.cacheReadRatio),
    cacheWrite: term(terms.cacheWriteRatio),
    cacheWrite1h: term(terms.cacheWrite1hRatio),
    audioInput: term(audioRatio),
    imageInput: term(imageRatio),
    textOutput,
    audioOutput: output(audioRatio, audioCompletionRatio),
    imageOutput: output(imageRatio, imageCompletionRatio),
  }
}

function exactCallPrice(terms: CallTerms): ExactPrice {
  const price = multiply(term(terms.modelPrice), term(terms.quotaPerUnit), term(terms.groupRatio))
  const min = price.digits === 0n ? 0 : 1
  const call = boundedQuota(divideRounded(price.digits, 10n ** BigInt(price.scale), 'half-away'))
  return {
    call: Math.max(min, call),
    units: perKind(() => 0n),
    divisor: 1n,
    tools: {},
    quick: undefined,
    dearest: { input: 'textInput', output: 'textOutput' },
    minCharge: min,
  }
}

function term(value: number): Decimal {
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw new RangeError(`not a price term: ${value}`)
  return decimalOf(value)
}

function quickUnits(units: PerKind<bigint>, divisor: bigint): QuickUnits | undefined {
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  if (divisor > limit || tokenKinds.some((kind) => units[kind] > limit)) return undefined
  return { units: perKind((kind) => Number(units[kind])), divisor: Number(divisor) }
}
