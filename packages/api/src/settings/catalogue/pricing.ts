import {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultCacheRatios,
  defaultCompletionRatios,
  defaultCreateCacheRatios,
  defaultImageCompletionRatios,
  defaultImageRatios,
  defaultLengthSteps,
  defaultModelPrices,
  defaultModelRatios,
  defaultTierRatios,
  defaultToolPrices,
  defaultVideoPrices,
} from '../../models/default-ratios.ts'
import { modelCosts } from '../cost-shapes.ts'
import { json } from '../kinds.ts'
import { forAdmins, forMoney } from '../placement.ts'
import { groupDescriptionMaxLength, maxGroupRatio, numberMap, textMap, videoPrices } from '../shapes.ts'
import { lengthSteps, tierRatios, toolPrices } from '../surcharge-shapes.ts'
import { timePrices } from '../time-price-shapes.ts'

// Bounds far above any real price: they stop a typing error from emptying every balance with one call.
const maxModelPrice = 100_000
const maxModelRatio = 100_000
const maxCompletionRatio = 1000
const maxCacheRatio = 100
const maxMediaRatio = 1000

const prices = forMoney('pricing', {
  /** Currency per call. */
  ModelPrice: json(numberMap({ max: maxModelPrice }), defaultModelPrices),
  ModelRatio: json(numberMap({ max: maxModelRatio }), defaultModelRatios),
  CacheRatio: json(numberMap({ max: maxCacheRatio }), defaultCacheRatios),
  /**
   * Written to a cache for five minutes, in input tokens; an hour costs 1.6 times that. A model that is not named:
   * 1.25.
   */
  CreateCacheRatio: json(numberMap({ max: maxCacheRatio }), defaultCreateCacheRatios),
  CompletionRatio: json(numberMap({ max: maxCompletionRatio }), defaultCompletionRatios),
  /** Audio input in text input. */
  AudioRatio: json(numberMap({ max: maxMediaRatio }), defaultAudioRatios),
  /** Audio output in audio input. */
  AudioCompletionRatio: json(numberMap({ max: maxMediaRatio }), defaultAudioCompletionRatios),
  /** Image input in text input. */
  ImageRatio: json(numberMap({ max: maxMediaRatio }), defaultImageRatios),
  /** Image output in image input; a model that is not named charges images as text output. */
  ImageCompletionRatio: json(numberMap({ max: maxMediaRatio }), defaultImageCompletionRatios),
  /** The unit of a price per call, of video models; one that is not named costs its price, whatever the video. */
  VideoPrice: json(videoPrices, defaultVideoPrices),
  /** Tools that the vendor runs, beside the tokens; one without a price is refused unless its channel forwards it. */
  ToolPrice: json(toolPrices, defaultToolPrices),
  /** The factor of a service tier, a speed or a place on the price of a token; refused without one, as tools are. */
  TierRatio: json(tierRatios, defaultTierRatios),
  /** The factors of long prompts on the prices of their tokens. */
  LengthPrice: json(lengthSteps, defaultLengthSteps),
  /** Factors on a price by time of day and day of week, at the moment at which a call is accepted. */
  TimePrice: json(timePrices, {}),
})

const costs = forAdmins('pricing', 'operates', {
  /** Costs of models for the operator, where they differ from the list price of the vendor; by the name at the upstream. */
  ModelCost: json(modelCosts, {}),
  /** Factors on a cost by time of day and day of week; by the name at the upstream. */
  TimeCost: json(timePrices, {}),
})

const groups = forMoney('groups', {
  GroupRatio: json(numberMap({ max: maxGroupRatio, required: 'default' }), { default: 1, vip: 1, svip: 1 }),
  /** Groups everyone may choose, with their description. */
  UserUsableGroups: json(textMap({ maxLength: groupDescriptionMaxLength }), {
    default: '默认分组',
    vip: 'vip分组',
  }),
})

export const pricingSettings = { ...prices, ...costs, ...groups }
