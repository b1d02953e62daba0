import type { FieldPathByValue, FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { NumberInput } from '../ui/field/input.tsx'
import { FormField } from './form-field.tsx'

/** The limits in forms of keys and users. An empty box means no limit, as 0 does. */
export interface RateLimitValues {
  readonly requests_per_minute: number | undefined
  readonly tokens_per_minute: number | undefined
  readonly concurrency: number | undefined
}

export const noRateLimits = { requests_per_minute: 0, tokens_per_minute: 0, concurrency: 0 } as const

const names = ['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const

/** Edits the limits of calls: of each minute, and at once. */
export function RateLimitFields<Values extends RateLimitValues & FieldValues>({
  form,
}: {
  readonly form: UseFormReturn<Values>
}) {
  const { t } = useTranslation()
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {names.map((name) => (
        <FormField<Values, number | undefined>
          key={name}
          form={form}
          // The names are fields of every such form; a type parameter does not tell.
          name={name as FieldPathByValue<Values, number | undefined>}
          label={t(`rateLimit.${name}`)}
          hint={t(`rateLimit.${name}Hint`)}
        >
          {({ value, onChange, onBlur }) => (
            <NumberInput value={value} min={0} onValueChange={onChange} onBlur={onBlur} />
          )}
        </FormField>
      ))}
    </div>
  )
}

/** Returns the limits in the form of the wire. */
export function rateLimitBody(form: RateLimitValues) {
  return {
    requests_per_minute: form.requests_per_minute ?? 0,
    tokens_per_minute: form.tokens_per_minute ?? 0,
    concurrency: form.concurrency ?? 0,
  }
}
