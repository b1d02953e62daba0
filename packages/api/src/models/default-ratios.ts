import type { VideoPriceRule } from '../settings/shapes.ts'
import type { LengthStep, TierRatios, ToolPrices } from '../settings/surcharge-shapes.ts'
import { type ListPrice, type ModelRow, modelTable, type NamedModel, namedModels } from './model-table.ts'

type RatioMap = Readonly<Record<string, number>>

/** USD per million tokens at a model ratio of 1: $0.002 for 1,000 prompt tokens. */
const unitPrice = 2
/** What a write to a cache costs that is kept for five minutes, in input tokens, where nobody says otherwise. */
const usualCacheWrite = 1.25

/** Ratios are written down by operators: more digits than these say nothing. */
const digits = 6

function ratiosOf(ratio: (price: ListPrice) => number | undefined): RatioMap {
  return Object.fromEntries(
    namedModels.flatMap(([name, row]) => {
      const found = row.price && ratio(row.price)
      return found === undefined ? [] : namesOf([name, row]).map((each) => [each, rounded(found)])
    }),
  )
}

/** Clients ask Claude to think by a name of its own, which costs what the model costs. */
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
/** What the prices of videos are for. */
export const defaultVideoPrices: Readonly<Record<string, VideoPriceRule>> = Object.fromEntries(
  namedModels.flatMap(([name, { price }]) => {
    const { second, resolutions = {} } = price ?? {}
    if (second === undefined && Object.keys(resolutions).length === 0) return []
    return [[name, { unit: second === undefined ? 'call' : 'second', resolutions }]]
  }),
)
/** Price of a prompt token, in the unit of ratios. */
export const defaultModelRatios: RatioMap = ratiosOf(({ input }) => share(input, unitPrice))
/** What a completion token costs in prompt tokens; a model that is not named has its family's ratio. */
export const defaultCompletionRatios: RatioMap = ratiosOf(({ input, output }) => share(output, input))
/** What a prompt token from a cache costs in fresh ones. */
export const defaultCacheRatios: RatioMap = ratiosOf(({ input, cacheRead }) => share(cacheRead, input))
/** The same of one that is written to it, where it is not the usual. */
export const defaultCreateCacheRatios: RatioMap = ratiosOf(({ input, cacheWrite }) => {
  const ratio = share(cacheWrite, input)
  return ratio === usualCacheWrite ? undefined : ratio
})
/** What an audio input token costs in text input tokens; a model that is not named hears at its price of text. */
export const defaultAudioRatios: RatioMap = ratiosOf(({ input, audioInput }) => share(audioInput, input))
/** What an audio output token costs in audio input tokens. */
export const defaultAudioCompletionRatios: RatioMap = ratiosOf(({ input, audioInput, audioOutput }) =>
  share(audioOutput, audioInput ?? input),
)
/** What an image input token costs in text input tokens. */
export const defaultImageRatios: RatioMap = ratiosOf(({ input, imageInput }) => share(imageInput, input))
/** What an image output token costs in image input tokens. */
export const defaultImageCompletionRatios: RatioMap = ratiosOf(({ input, imageInput, imageOutput }) =>
  share(imageOutput, imageInput ?? input),
)
const { tools, tiers, steps } = modelTable.surcharges

/** Currency per 1,000 calls of tools that the vendor runs. */
export const defaultToolPrices = byName<ToolPrices>(tools.map(({ names, prices }) => [names, prices]))
/** What a service tier, a speed or a place makes of the price of a token. */
export const defaultTierRatios = byName<TierRatios>(tiers.map(({ names, ratios }) => [names, ratios]))
/** What long prompts make of the prices of their tokens. */
export const defaultLengthSteps = byName<readonly LengthStep[]>(
  steps.map(({ names, steps }) => [names, steps]),
)

function byName<Value>(
  rows: readonly (readonly [names: readonly string[], value: Value])[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(rows.flatMap(([names, value]) => names.map((name) => [name, value] as const)))
}
