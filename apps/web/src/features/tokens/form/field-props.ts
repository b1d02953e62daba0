import type { TokenForm } from './token-form.ts'

/** What every field of the key form gets. */
export interface TokenFieldProps {
  readonly form: TokenForm
  readonly onChange: (part: Partial<TokenForm>) => void
  /** Sentences under the fields that cannot be saved as they are. */
  readonly errors: Partial<Record<keyof TokenForm, string>>
}
