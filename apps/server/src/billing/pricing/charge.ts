import { divideRounded, type Rounding } from '@tollgate/base/decimal'
import { type Service, type ToolCalls, toolKinds, type Usage } from '@tollgate/formats'
import type { Quota } from '../../store/units.ts'
import {
  boundedQuota,
  dearestOf,
  type ExactPrice,
  maxCharge,
  type Price,
  plainInput,
  plainOutput,
} from './price.ts'
import { possiblePrices, servedPrice } from './surcharges/served-price.ts'
import {
  chargeableCount,
  countsByKind,
  noCounts,
  type PerKind,
  type TokenKind,
  tokenKinds,
} from './token-kinds.ts'

/**
 * Cost of a delivered call, in quota units: an integer, worked out exactly and rounded once, half away from zero.
 * Per token: nothing for no tokens, at least 1 otherwise unless the model is free. Per call: the price, whatever
 * was counted.
 * @param usage tokens as the upstream counted them; `inputTokens` excludes cache reads and writes
 */
export function costOf(usage: Usage, price: Price): Quota {
  if (price.terms.kind === 'per-call') return price.exact.call
  const counts = countsByKind(usage)
  const { toolCalls } = usage
  const hasTokens = tokenKinds.some((kind) => counts[kind] > 0)
  if (!hasTokens && toolCalls === undefined) return 0
  const { exact } = servedPrice(price, usage)
  return Math.max(hasTokens ? exact.minCharge : 0, amountOf(counts, exact, 'half-away', toolCalls))
}

/** Facts of a call before it is made. */
export interface CallSize {
  /** Upper estimate; see `roughTokens`. */
  readonly promptTokens: number
  /** Limit of the caller, over all candidates; `undefined` when the caller set none. */
  readonly maxOutputTokens: number | undefined
  /** Kinds of tokens that the call may use beside text and cached input, see `expectedKinds`; none by default. */
  readonly kinds?: readonly TokenKind[]
  /** Service tier and region that the call requests. */
  readonly service?: Service | undefined
  /** Tools of the vendor's that it may run, and how often that is taken to be. */
  readonly toolCalls?: ToolCalls | undefined
}

/**
 * Upper estimate of a call's cost, for the reservation: every token is taken to be of the dearest kind that it may be.
 * Without a limit on the output at least `preConsumedQuota` tokens are held, and the reservation has to grow with what is
 * delivered (`costOfOutput`). Writes to a cache that nobody asked for are not in it.
 */
export function estimateOf(size: CallSize, price: Price, preConsumedQuota: number): Quota {
  if (price.terms.kind === 'per-call') return price.exact.call
  const uncounted = price.whenUncounted?.exact.call ?? 0
  let dearest = uncounted
  for (const each of possiblePrices(price, size.promptTokens, size.service))
    dearest = Math.max(dearest, estimateOfTokens(size, each, preConsumedQuota))
  return dearest
}

function estimateOfTokens(size: CallSize, price: Price, preConsumedQuota: number): Quota {
  const { maxOutputTokens, kinds = noKinds, toolCalls } = size
  const { exact } = price
  const prompt = chargeableCount(size.promptTokens)
  const input = maxOutputTokens === undefined ? Math.max(prompt, chargeableCount(preConsumedQuota)) : prompt
  const output = chargeableCount(maxOutputTokens ?? 0)
  const [inputKind, outputKind] = [worstCaseInput(exact, kinds), worstCaseOutput(exact, kinds)]
  return (
    (toolCalls === undefined ? quickAmount(exact, inputKind, input, outputKind, output) : undefined) ??
    amountOf({ ...noCounts, [inputKind]: input, [outputKind]: output }, exact, 'up', toolCalls)
  )
}

/** The same as `amountOf` of two kinds, rounded up, where doubles hold it; `undefined` where they do not. */
function quickAmount(
  { quick }: ExactPrice,
  inputKind: TokenKind,
  input: number,
  outputKind: TokenKind,
  output: number,
): Quota | undefined {
  if (quick === undefined) return undefined
  const total = input * quick.units[inputKind] + output * quick.units[outputKind]
  if (total > Number.MAX_SAFE_INTEGER) return undefined
  return Math.min(maxCharge, divideSafely(total, quick.divisor, 'up'))
}

/**
 * Upper estimate of what so many output tokens cost, in quota units, for a reservation that grows with its stream.
 * 0 for a price per call: all of it is held from the start.
 * @param kinds what the output may hold beside text
 */
export function costOfOutput(price: Price, tokens: number, kinds: readonly TokenKind[] = noKinds): Quota {
  if (price.terms.kind === 'per-call') return 0
  const counts = { ...noCounts, [worstCaseOutput(price.exact, kinds)]: chargeableCount(tokens) }
  return amountOf(counts, price.exact, 'up')
}

const noKinds: readonly TokenKind[] = []
const inputKinds: readonly TokenKind[] = ['cacheWrite', 'cacheWrite1h', 'audioInput', 'imageInput']
const outputKinds: readonly TokenKind[] = ['audioOutput']

function worstCaseInput({ units, dearest }: ExactPrice, kinds: readonly TokenKind[]): TokenKind {
  return kinds.length === 0 ? dearest.input : dearestOf(units, [...plainInput, ...ofSide(kinds, inputKinds)])
}

function worstCaseOutput({ units, dearest }: ExactPrice, kinds: readonly TokenKind[]): TokenKind {
  return kinds.length === 0
    ? dearest.output
    : dearestOf(units, [...plainOutput, ...ofSide(kinds, outputKinds)])
}

function ofSide(kinds: readonly TokenKind[], side: readonly TokenKind[]): readonly TokenKind[] {
  return kinds.filter((kind) => side.includes(kind))
}

function amountOf(
  counts: PerKind<number>,
  { units, divisor, tools, quick }: ExactPrice,
  rounding: Rounding,
  toolCalls?: ToolCalls,
): Quota {
  if (quick !== undefined && toolCalls === undefined) {
    let total = 0
    for (const kind of tokenKinds) total += counts[kind] * quick.units[kind]
    // Nothing is negative, so a total in the safe range was exact at every step of the sum.
    if (total <= Number.MAX_SAFE_INTEGER)
      return Math.min(maxCharge, divideSafely(total, quick.divisor, rounding))
  }
  let total = 0n
  for (const kind of tokenKinds) total += BigInt(counts[kind]) * units[kind]
  if (toolCalls !== undefined)
    for (const kind of toolKinds) total += BigInt(chargeableCount(toolCalls[kind] ?? 0)) * (tools[kind] ?? 0n)
  return boundedQuota(divideRounded(total, divisor, rounding))
}

/** Division of safe integers: the remainder is exact in doubles, so the quotient is too. */
function divideSafely(total: number, divisor: number, rounding: Rounding): number {
  const rest = total % divisor
  const quotient = (total - rest) / divisor
  const away = rounding === 'up' ? rest > 0 : rest * 2 >= divisor
  return away ? quotient + 1 : quotient
}
