import type { UseFormReturn } from 'react-hook-form'
import type { TokenForm } from './token-form.ts'

/** Props of every field of the key form. */
export interface TokenFieldProps {
  readonly form: UseFormReturn<TokenForm>
}

/** Sets several fields of a form at once, as if the person had typed them. */
export function change(form: UseFormReturn<TokenForm>, part: Partial<TokenForm>): void {
  const shouldValidate = form.formState.isSubmitted
  for (const [name, value] of Object.entries(part))
    form.setValue(name as keyof TokenForm, value, { shouldDirty: true, shouldValidate })
}
