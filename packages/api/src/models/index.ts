export { listedName, type ModelFacts, modelFacts } from './model-facts.ts'
export { type ModelCapability, modelCapabilities } from './model-table.ts'
export { anyBudgetName, routingName } from './routing-name.ts'
