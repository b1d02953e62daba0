import { type ListPrice, type ModelRow, modelTable, type NamedModel, namedModels } from './model-table.ts'
import { standardCacheWrite } from './price-kinds.ts'
import type { LengthStep, TierRatios, ToolPrices, VideoPriceRule } from './surcharges.ts'

type RatioMap = Readonly<Record<string, number>>

/** USD per million tokens at a model ratio of 1: $0.002 for 1,000 prompt tokens. */
const unitPrice = 2

/** Operators write ratios by hand: more digits than these mean nothing. */
const digits = 6

function ratiosOf(ratio: (price: ListPrice) => number | undefined): RatioMap {
  return Object.fromEntries(
    namedModels.flatMap(([name, row]) => {
      const found = row.price && ratio(row.price)
      return found === undefined ? [] : namesOf([name, row]).map((each) => [each, rounded(found)])
    }),
  )
}

/** Returns the names of a model. One of its own makes Claude reason; it costs the same as the model. */
function namesOf([name, row]: NamedModel): readonly string[] {
  return thinksByName(row) ? [name, `${name}-thinking`] : [name]
}

function thinksByName({ vendor, can = [] }: ModelRow): boolean {
  return vendor === 'Anthropic' && can.includes('reasoning')
}

function rounded(ratio: number): number {
  return Number(ratio.toFixed(digits))
}

/** `undefined` where one of the two is unknown, and for a model that costs nothing. */
function share(part: number | undefined, total: number | undefined): number | undefined {
  return part === undefined || total === undefined || total === 0 ? undefined : part / total
}

/** USD per call, or per second of video; such a price wins over every ratio. */
export const defaultModelPrices: RatioMap = ratiosOf(({ call, second }) => call ?? second)
/** The units of video prices. */
export const defaultVideoPrices: Readonly<Record<string, VideoPriceRule>> = Object.fromEntries(
  namedModels.flatMap(([name, { price }]) => {
    const { second, resolutions = {} } = price ?? {}
    if (second === undefined && Object.keys(resolutions).length === 0) return []
    return [[name, { unit: second === undefined ? 'call' : 'second', resolutions }]]
  }),
)
/** Price of a prompt token, in the unit of ratios. */
export const defaultModelRatios: RatioMap = ratiosOf(({ input }) => share(input, unitPrice))
/** A completion token's price in prompt tokens; a model that is not named has its family's ratio. */
export const defaultCompletionRatios: RatioMap = ratiosOf(({ input, output }) => share(output, input))
/** A cached prompt token's price in fresh ones. */
export const defaultCacheRatios: RatioMap = ratiosOf(({ input, cacheRead }) => share(cacheRead, input))
/** The same of one that is written to the cache, where it is not the default. */
export const defaultCreateCacheRatios: RatioMap = ratiosOf(({ input, cacheWrite }) => {
  const ratio = share(cacheWrite, input)
  return ratio === standardCacheWrite ? undefined : ratio
})
/** An audio input token's price in text input tokens; a model that is not named charges audio as text. */
export const defaultAudioRatios: RatioMap = ratiosOf(({ input, audioInput }) => share(audioInput, input))
/** An audio output token's price in audio input tokens. */
export const defaultAudioCompletionRatios: RatioMap = ratiosOf(({ input, audioInput, audioOutput }) =>
  share(audioOutput, audioInput ?? input),
)
/** An image input token's price in text input tokens. */
export const defaultImageRatios: RatioMap = ratiosOf(({ input, imageInput }) => share(imageInput, input))
/** An image output token's price in image input tokens. */
export const defaultImageCompletionRatios: RatioMap = ratiosOf(({ input, imageInput, imageOutput }) =>
  share(imageOutput, imageInput ?? input),
)
const { tools, tiers, steps } = modelTable.surcharges

/** Currency per 1,000 calls of tools that the vendor runs. */
export const defaultToolPrices = byName<ToolPrices>(tools.map(({ names, prices }) => [names, prices]))
/** The factor of a service tier, a speed or a place on the price of a token. */
export const defaultTierRatios = byName<TierRatios>(tiers.map(({ names, ratios }) => [names, ratios]))
/** The factors of long prompts on the prices of their tokens. */
export const defaultLengthSteps = byName<readonly LengthStep[]>(
  steps.map(({ names, steps }) => [names, steps]),
)

function byName<Value>(
  rows: readonly (readonly [names: readonly string[], value: Value])[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(rows.flatMap(([names, value]) => names.map((name) => [name, value] as const)))
}
