export { FormField } from './form-field.tsx'
export { FormSheet } from './form-sheet.tsx'
export { TextField } from './text-field.tsx'
export { fresh, type Problems, RefusedFields, type SaveForm, useSaveForm } from './use-save-form.ts'
