export {
  addToolCalls,
  type Service,
  type ServiceTier,
  serviceOf,
  serviceTierOf,
  serviceTiers,
  type ToolCalls,
  type ToolKind,
  toolCallsOf,
  toolKindOf,
  toolKinds,
} from '../canonical/charged-tools.ts'
export {
  type CostFeature,
  type CostlyField,
  fieldRows,
  noCostlyFields,
  privateFeatures,
} from './costly-field.ts'
export { costlyFields } from './find-costly-fields.ts'
export type { OtherTools } from './tool-runs.ts'
export { withoutFields, withoutItems } from './without-fields.ts'
