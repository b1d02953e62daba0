export { baseOf, type EditBase, rebased } from './edit-base.ts'
export { fieldsByCode } from './fields-by-code.ts'
export { FormField } from './form-field.tsx'
export { FormSheet, RecordSheet } from './form-sheet.tsx'
export { PlainFields } from './plain-fields.tsx'
export { PlainInput } from './plain-input.tsx'
export { PresetNumberField } from './preset-number-field.tsx'
export { noRateLimits, RateLimitFields, type RateLimitValues, rateLimitBody } from './rate-limit-fields.tsx'
export {
  blankBody,
  bodyOf,
  changedFields,
  type FormOf,
  type LimitProblem,
  limitProblems,
} from './resource-form.ts'
export { SaveFailure } from './save-failure.tsx'
export { TextField } from './text-field.tsx'
export { fresh, type Problems, RefusedFields, type SaveForm, useSaveForm } from './use-save-form.ts'
