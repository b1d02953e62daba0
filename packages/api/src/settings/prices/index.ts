export { defaultCacheRatios } from './cache-ratios.ts'
export { defaultCompletionRatios } from './completion-ratios.ts'
export {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultImageCompletionRatios,
  defaultImageRatios,
} from './media-ratios.ts'
export { defaultModelPrices } from './model-prices.ts'
export { defaultModelRatios } from './model-ratios.ts'
