import {
  type LengthStep,
  type PricedPart,
  type PriceEntryName,
  type PriceUnit,
  tokenPriceKinds,
  type VideoPriceRule,
  wayOfLength,
} from '@tollgate/api'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { usageOf } from '@tollgate/formats'
import type { Price } from '../price.ts'
import { servedPrice } from '../surcharges/served-price.ts'
import { changedTimes } from './window-pairs.ts'

/** A price with what videos cost by it. */
export interface CompletePrice {
  readonly price: Price
  readonly video: VideoPriceRule | undefined
  readonly quotaPerUnit: number
}

/** A part of a price before a change and after it: currency for one of a unit, with the group's ratio, or a factor. */
export interface ChangedPart {
  readonly part: PricedPart
  /** Words on the way to the figure in its part; empty in a part of one figure. */
  readonly within: string
  readonly unit: PriceUnit
  /** Unit of `before` where it is another one. */
  readonly unitBefore?: PriceUnit
  /** `undefined` without a price. */
  readonly before: number | undefined
  readonly after: number | undefined
}

type Compare = (before: CompletePrice, after: CompletePrice) => readonly ChangedPart[]

/** Amounts of currency, which differ by group, by the part of a price's declaration. */
const amountParts = { call: changedCall, tokens: changedTokens, tools: changedTools } as const
/** Factors, which are the same in every group. */
const factorParts = { tiers: changedTiers, steps: changedSteps, video: changedVideo, times: changedHours }

/** Every part of a price's declaration is compared: a new one does not compile before it is. */
const comparisons: Readonly<Record<PriceEntryName | 'call' | 'tokens' | 'times', Compare>> = {
  ...amountParts,
  ...factorParts,
}
const isAmount = (name: string) => Object.hasOwn(amountParts, name)

/** Returns the amounts of currency that differ between two prices of a model in one group. */
export const changedAmounts: Compare = (before, after) => compareAll(before, after, true)

/** Returns the factors that differ between two prices of a model: of service, length, videos and time. */
export const changedFactors: Compare = (before, after) => compareAll(before, after, false)

function compareAll(before: CompletePrice, after: CompletePrice, ofAmounts: boolean): readonly ChangedPart[] {
  return Object.entries(comparisons).flatMap(([name, compare]) =>
    isAmount(name) === ofAmounts ? compare(before, after) : [],
  )
}

/** Figures of a part by the words that lead to them. */
type Figures = Readonly<Record<string, number | undefined>>

function differences(part: PricedPart, unit: PriceUnit, before: Figures, after: Figures): ChangedPart[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((within) => before[within] !== after[within])
    .map((within) => ({ part, within, unit, before: before[within], after: after[within] }))
}

function changedCall(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  const [old, next] = [callOf(before), callOf(after)]
  const [unitBefore, unit] = [old?.unit ?? next?.unit, next?.unit ?? old?.unit]
  if (unit === undefined || (old?.amount === next?.amount && unitBefore === unit)) return []
  const differs = unitBefore !== undefined && unitBefore !== unit
  return [
    {
      ...{ part: 'call', within: '', unit, before: old?.amount, after: next?.amount },
      ...(differs && { unitBefore }),
    },
  ]
}

function callOf({ price: { terms }, video }: CompletePrice) {
  if (terms.kind !== 'per-call') return undefined
  const amount = numberOf(multiply(decimalOf(terms.modelPrice), decimalOf(terms.groupRatio)))
  return { amount, unit: video?.unit ?? 'call' } as const
}

const tokensPerUnit = 1_000_000
const toolCallsPerUnit = 1000

function changedTokens(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  const [old, next] = [tokensOf(before), tokensOf(after)]
  return tokenPriceKinds.flatMap(({ name }) =>
    differences(name, 'million', { '': old[name] }, { '': next[name] }),
  )
}

function tokensOf({ price: { terms, exact }, quotaPerUnit }: CompletePrice): Figures {
  if (terms.kind !== 'per-token') return {}
  const amounts = tokenPriceKinds.map(({ name, token }) => [
    name,
    amountOf(exact.units[token] * BigInt(tokensPerUnit), exact.divisor, quotaPerUnit),
  ])
  return Object.fromEntries(amounts)
}

function changedTools(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  return differences('ToolPrice', 'thousandCalls', toolsOf(before), toolsOf(after))
}

function toolsOf({ price: { exact }, quotaPerUnit }: CompletePrice): Figures {
  const amounts = Object.entries(exact.tools).map(([tool, units]) => [
    tool,
    amountOf(units * BigInt(toolCallsPerUnit), exact.divisor, quotaPerUnit),
  ])
  return Object.fromEntries(amounts)
}

/** Rounds away what binary fractions add. */
const digits = 9

function amountOf(quota: bigint, divisor: bigint, quotaPerUnit: number): number {
  return Number((Number(quota) / Number(divisor) / quotaPerUnit).toPrecision(digits))
}

function changedTiers(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  const tiersOf = ({ price: { terms } }: CompletePrice): Figures =>
    terms.kind === 'per-token' ? (terms.tiers ?? {}) : {}
  return differences('TierRatio', 'factor', tiersOf(before), tiersOf(after))
}

/** Compares the factors just beyond every length at which either price has a step. */
function changedSteps(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  const lengths = [...new Set([before, after].flatMap(lengthsOf))].sort((a, b) => a - b)
  return lengths.flatMap((above) => {
    const steps = [before, after].map((price) => stepBeyond(price, above))
    // Cached input follows input where neither step says otherwise.
    const names = steps.some(({ cached }) => cached !== undefined) ? allFactors : mainFactors
    const [old = {}, next = {}] = steps.map((step) => factorsOf(step, above, names))
    return differences('LengthPrice', 'factor', old, next)
  })
}

function lengthsOf({ price: { terms } }: CompletePrice): readonly number[] {
  return terms.kind === 'per-token' ? (terms.steps ?? []).map(({ above }) => above) : []
}

const noStep: Omit<LengthStep, 'above'> = { input: 1, output: 1 }

const mainFactors = ['input', 'output'] as const
const allFactors = [...mainFactors, 'cached'] as const

/** Returns the step that charges the shortest prompt beyond a length. */
function stepBeyond({ price }: CompletePrice, above: number): Omit<LengthStep, 'above'> {
  const { terms } = servedPrice(price, usageOf({ inputTokens: above + 1 }))
  return (terms.kind === 'per-token' && terms.served?.step) || noStep
}

function factorsOf(
  { cached, ...step }: Omit<LengthStep, 'above'>,
  above: number,
  names: readonly (typeof allFactors)[number][],
): Figures {
  const factors = { ...step, cached: cached ?? step.input }
  return Object.fromEntries(names.map((name) => [`${wayOfLength(above)} ${name}`, factors[name]]))
}

/** A resolution that is not named counts 1; sound without a factor cannot be ordered. */
function changedVideo(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  const [old, next] = [videoOf(before), videoOf(after)]
  const names = [...Object.keys(old.resolutions), ...Object.keys(next.resolutions)]
  const counted = Object.fromEntries(names.map((name) => [name, 1]))
  return [
    ...differences(
      'VideoPrice',
      'factor',
      { ...counted, ...old.resolutions },
      { ...counted, ...next.resolutions },
    ),
    ...differences('VideoPrice', 'factor', { sound: old.sound }, { sound: next.sound }),
  ]
}

function videoOf({ price: { terms }, video }: CompletePrice): Pick<VideoPriceRule, 'resolutions' | 'sound'> {
  return terms.kind === 'per-call' && video !== undefined ? video : { resolutions: {} }
}

function changedHours(before: CompletePrice, after: CompletePrice): readonly ChangedPart[] {
  const hours = changedTimes(before.price.terms.times, after.price.terms.times)
  return hours.map(({ days, from, to, zone, ...ratios }) => ({
    ...{ part: 'TimePrice', within: [...days, `${from}–${to}`, zone].join(' '), unit: 'factor' },
    ...ratios,
  }))
}
