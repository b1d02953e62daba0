import {
  type LengthStep,
  pricedTiers,
  pricedTools,
  type TierRatios,
  type ToolPrices,
} from '../models/surcharges.ts'
import { accepted, refused } from './setting.ts'
import { isJsonObject, type JsonShape, mapOf, type NumberMap, numberMap } from './shapes.ts'

const maxToolPrice = 100_000
const maxRatio = 1000
const maxSteps = 8
const maxPromptTokens = 100_000_000

/** Model, or how its name begins and `*` → prices. */
export const toolPrices: JsonShape<Readonly<Record<string, ToolPrices>>> = mapOf((value, entry) =>
  namedNumbers(pricedTools, maxToolPrice)(value)
    ? accepted(Object.freeze({ ...value }))
    : refused('option_entry_tool_price', { entry, names: pricedTools, max: maxToolPrice }),
)

/** Model, or how its name begins and `*` → ratios. */
export const tierRatios: JsonShape<Readonly<Record<string, TierRatios>>> = mapOf((value, entry) =>
  namedNumbers(pricedTiers, maxRatio)(value)
    ? accepted(Object.freeze({ ...value }))
    : refused('option_entry_tier_ratio', { entry, names: pricedTiers, max: maxRatio }),
)

/** Model, or how its name begins and `*` → steps, each above the one before. */
export const lengthSteps: JsonShape<Readonly<Record<string, readonly LengthStep[]>>> = mapOf(
  (value, entry) =>
    Array.isArray(value) && value.length <= maxSteps && value.every(isStep) && isAscending(value)
      ? accepted(Object.freeze(value.map((step) => Object.freeze({ ...step }))))
      : refused('option_entry_length_step', { entry, max: maxRatio }),
)

function namedNumbers(names: readonly string[], max: number) {
  const numbers: JsonShape<NumberMap> = numberMap({ max })
  return (value: unknown): value is NumberMap => {
    const read = numbers(value)
    return read.ok && Object.keys(read.value).every((name) => names.includes(name))
  }
}

function isStep(value: unknown): value is LengthStep {
  if (!isJsonObject(value)) return false
  const { above, input, output, cached = 0, ...others } = value as Readonly<Record<string, unknown>>
  const isInteger = Number.isInteger(above) && Number(above) >= 1 && Number(above) <= maxPromptTokens
  return isInteger && [input, output, cached].every(isRatio) && Object.keys(others).length === 0
}

function isRatio(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= maxRatio
}

function isAscending(steps: readonly LengthStep[]): boolean {
  return steps.every(({ above }, index) => above > (steps[index - 1]?.above ?? 0))
}
