export { type CostFeature, type CostlyField, noCostlyFields, privateFeatures } from './costly-field.ts'
export { fieldRows } from './field-rows.ts'
export { costlyFields } from './find-costly-fields.ts'
export { withoutFields, withoutItems } from './without-fields.ts'
