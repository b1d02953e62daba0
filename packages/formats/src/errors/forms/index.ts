import { accountForms } from './account-forms.ts'
import { callForms } from './call-forms.ts'
import type { ErrorForm } from './error-form.ts'
import { keyForms } from './key-forms.ts'
import { outputForms, overflowForms } from './overflow-forms.ts'

/** Every form of a failure that the gateway knows, most specific first: the first whose words match decides. */
export const errorForms: readonly ErrorForm[] = [
  ...overflowForms,
  ...outputForms,
  ...accountForms,
  ...keyForms,
  ...callForms,
]
