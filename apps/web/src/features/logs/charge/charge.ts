import type { LogEntry, LogOther } from '@tollgate/api'
import { add, type Decimal, divide, multiply, roundToInteger, zero } from '@tollgate/base/decimal'
import { type Count, countsOf, type LineKind } from './counts.ts'
import { decimal } from './decimal.ts'

/** One line of a bill: `tokens` at a price come to `amount`, before the group ratio. */
export interface ChargeLine {
  readonly kind: LineKind
  readonly tokens: number
  /** Price in currency. */
  readonly pricePerMillion: Decimal
  /** Number of input tokens that one such token counts; 1 for input itself. */
  readonly ratio: Decimal
  /** Quota units, exact. */
  readonly amount: Decimal
}

/** A tool that the vendor ran: so many calls come to `amount`, before the group ratio. */
export interface ToolLine {
  readonly kind: string
  readonly calls: number
  /** Price in currency. */
  readonly pricePerThousand: Decimal
  /** Quota units, exact. */
  readonly amount: Decimal
}

/**
 * Ways in which the exact amount became the whole number that was charged.
 * `least`: it would have rounded to nothing, and a call that is not free costs at least one unit.
 * `cut`: rounded down, as older gateways did for some models.
 * `short`: the balance had less, and was charged down to nothing.
 * `unfinished`: a price per call is not charged for a call that was broken off.
 */
export type Settlement =
  | 'exact'
  | 'rounded'
  | 'least'
  | 'cut'
  | 'free'
  | 'nothingUsed'
  | 'short'
  | 'unfinished'
  | 'differs'

interface Result {
  readonly groupRatio: Decimal
  /** Quota units after the group ratio, exact. */
  readonly exact: Decimal
  /** Sum of these figures by the server's rule. */
  readonly total: number
  readonly settling: Settlement
}

export interface TokenCharge extends Result {
  readonly kind: 'per-token'
  readonly modelRatio: Decimal
  readonly lines: readonly ChargeLine[]
  readonly tools: readonly ToolLine[]
  /** Sum of the lines and tools. */
  readonly sum: Decimal
}

export interface CallCharge extends Result {
  readonly kind: 'per-call'
  /** Currency. */
  readonly modelPrice: Decimal
  /** The price in quota units, before the group ratio. */
  readonly amount: Decimal
}

export type Charge = TokenCharge | CallCharge

export type ChargedEntry = Pick<LogEntry, 'quota' | 'prompt_tokens' | 'completion_tokens'>

/**
 * Works a row's charge out again from the row alone. `undefined` when the row does not say how it was priced.
 * @param quotaPerUnit of this installation, for rows that do not carry their own
 */
export function chargeOf(entry: ChargedEntry, other: LogOther, quotaPerUnit: number): Charge | undefined {
  const { shortfall = 0, unfinished = false } = other
  const charge = costOf({ ...entry, quota: entry.quota + shortfall }, other, quotaPerUnit)
  if (charge === undefined || charge.settling === 'free') return charge
  if (unfinished) return { ...charge, settling: 'unfinished' }
  return shortfall > 0 && charge.settling !== 'differs' ? { ...charge, settling: 'short' } : charge
}

function costOf(entry: ChargedEntry, other: LogOther, quotaPerUnit: number): Charge | undefined {
  const groupRatio = decimal(groupRatioOf(other))
  if (other.model_price !== undefined && other.model_price >= 0) {
    return callCharge(entry, other.model_price, groupRatio, other.quota_per_unit ?? quotaPerUnit)
  }
  if (other.model_ratio === undefined) return undefined
  const modelRatio = decimal(other.model_ratio)
  const [first, ...more] = countsOf(entry, other).map((counts) =>
    tokenCharge(entry, counts, toolLines(other, quotaPerUnit), modelRatio, groupRatio, quotaPerUnit),
  )
  return more.find((charge) => first?.settling === 'differs' && charge.settling !== 'differs') ?? first
}

/** Returns the ratio: one for the person's own group goes before the group's; -1 means none. */
function groupRatioOf({ group_ratio, user_group_ratio }: LogOther): number {
  return user_group_ratio !== undefined && user_group_ratio >= 0 ? user_group_ratio : (group_ratio ?? 1)
}

function callCharge(
  entry: ChargedEntry,
  price: number,
  groupRatio: Decimal,
  quotaPerUnit: number,
): CallCharge {
  const modelPrice = decimal(price)
  const amount = multiply(modelPrice, decimal(quotaPerUnit))
  const exact = multiply(amount, groupRatio)
  const total = atLeastOne(exact, isZero(exact))
  const settling = settlingOf(entry.quota, exact, total, isZero(exact))
  return { kind: 'per-call', modelPrice, amount, groupRatio, exact, total, settling }
}

function toolLines({ tool_calls = {}, quota_per_unit }: LogOther, quotaPerUnit: number): readonly ToolLine[] {
  return Object.entries(tool_calls).map(([kind, { calls, price }]) => {
    const amount = multiply(
      decimal(calls),
      decimal(price),
      decimal(0.001),
      decimal(quota_per_unit ?? quotaPerUnit),
    )
    return { kind, calls, pricePerThousand: decimal(price), amount }
  })
}

function tokenCharge(
  entry: ChargedEntry,
  counts: readonly Count[],
  tools: readonly ToolLine[],
  modelRatio: Decimal,
  groupRatio: Decimal,
  quotaPerUnit: number,
): TokenCharge {
  const lines = counts.map(({ kind, tokens, ratio }): ChargeLine => {
    const perToken = multiply(modelRatio, ratio)
    return {
      kind,
      tokens,
      ratio,
      amount: multiply(decimal(tokens), perToken),
      pricePerMillion: divide(multiply(perToken, decimal(1_000_000)), decimal(quotaPerUnit), 12),
    }
  })
  const sum = add(...[...lines, ...tools].map((line) => line.amount))
  const exact = multiply(sum, groupRatio)
  const areTokensFree = isZero(multiply(modelRatio, groupRatio))
  const isFree = areTokensFree && isZero(exact)
  const hasTokens = lines.some((line) => line.tokens > 0)
  const nothingUsed = tools.length === 0 && !hasTokens
  const total = atLeastOne(exact, areTokensFree || !hasTokens)
  const settling =
    nothingUsed && entry.quota === 0 ? 'nothingUsed' : settlingOf(entry.quota, exact, total, isFree)
  return { kind: 'per-token', modelRatio, lines, tools, sum, groupRatio, exact, total, settling }
}

function atLeastOne(exact: Decimal, isFree: boolean): number {
  return Math.max(isFree ? 0 : 1, roundToInteger(exact, 'half-away'))
}

function settlingOf(charged: number, exact: Decimal, total: number, isFree: boolean): Settlement {
  if (charged === total) {
    if (isFree) return 'free'
    if (exact.scale === 0 && roundToInteger(exact, 'half-away') === charged) return 'exact'
    return roundToInteger(exact, 'half-away') === charged ? 'rounded' : 'least'
  }
  return charged === roundToInteger(exact, 'down') ? 'cut' : 'differs'
}

/** Quota units in currency; exact for every usual number of units. */
export function currencyOf(quota: Decimal, quotaPerUnit: number): Decimal {
  return quotaPerUnit > 0 ? divide(quota, decimal(quotaPerUnit), 12) : zero
}

function isZero({ digits }: Decimal): boolean {
  return digits === 0n
}
