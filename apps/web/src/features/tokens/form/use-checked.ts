import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../lib/api-client.ts'
import { type Problems, problemsOf, refusedField, type StoredLimits } from './problems.ts'
import type { TokenForm } from './token-form.ts'

/**
 * Tells what keeps the form from being saved: nothing before the first attempt, then as it is typed; and what the
 * server refused, at the field it is about.
 */
export function useChecked(form: TokenForm, stored?: StoredLimits) {
  const { t } = useTranslation('tokens')
  const [attempts, setAttempts] = useState(0)
  const [refusal, setRefusal] = useState<Error>()
  const container = useRef<HTMLFieldSetElement>(null)
  const problems: Problems = attempts > 0 ? problemsOf(form, Date.now() / 1000, stored) : {}
  const field = refusal instanceof ApiError ? refusedField(refusal.code) : undefined

  // Where the first problem is, so that one need not look for it.
  useEffect(() => {
    if (attempts > 0 || refusal)
      container.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts, refusal])

  const errors: Partial<Record<keyof TokenForm, string>> = {
    ...(field && refusal && { [field]: refusal.message }),
    ...Object.fromEntries(
      Object.entries(problems).map(([name, { code, ...details }]) => [name, t(`problem.${code}`, details)]),
    ),
  }
  return {
    container,
    errors,
    /** A refusal that belongs to no field. */
    failure: field ? undefined : refusal,
    setRefusal,
    /** Whether it can be saved; shows why not. */
    check(): boolean {
      setRefusal(undefined)
      setAttempts((before) => before + 1)
      return Object.keys(problemsOf(form, Date.now() / 1000, stored)).length === 0
    },
  }
}
