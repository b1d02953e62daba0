export { type ModelFacts, modelFacts, modelListPrice } from './model-facts.ts'
export { type ModelCapability, modelCapabilities } from './model-table.ts'
