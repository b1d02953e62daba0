export {
  addToolCalls,
  type ToolCalls,
  type ToolKind,
  toolCallsOf,
  toolKindOf,
  toolKinds,
} from './charged-tools.ts'
export { type CostFeature, type CostlyField, noCostlyFields, privateFeatures } from './costly-field.ts'
export { fieldRows } from './field-rows.ts'
export { costlyFields } from './find-costly-fields.ts'
export { type Service, type ServiceTier, serviceOf, serviceTierOf, serviceTiers } from './service.ts'
export { withoutFields, withoutItems } from './without-fields.ts'
