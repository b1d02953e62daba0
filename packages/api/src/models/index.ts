export { listedName, type ModelFacts, modelFacts } from './model-facts.ts'
export { type ModelCapability, modelCapabilities } from './model-table.ts'
export {
  type PriceEntryName,
  priceEntryKinds,
  pricePartOptions,
  standardCacheWrite,
  type TokenPriceName,
  type TokenPriceOption,
  tokenPriceKinds,
} from './price-kinds.ts'
export { anyBudgetName, familyName, routingName } from './routing-name.ts'
