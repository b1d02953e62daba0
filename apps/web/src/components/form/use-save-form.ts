import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api/api-client.ts'
import { useUnsavedWork } from '../../lib/session/unsaved-work.ts'

/** What keeps a form from being saved: a sentence for each field, already translated. */
export type Problems<Values> = Partial<Record<keyof Values & string, string | undefined>>

/** Thrown by a save that was refused for several fields, some of which may have been saved. */
export class RefusedFields extends Error {
  override readonly name = 'RefusedFields'
  readonly problems: Readonly<Record<string, string>>

  /** @param problems the sentence for each field that was refused, already translated */
  constructor(message: string, problems: Readonly<Record<string, string>>) {
    super(message)
    this.problems = problems
  }
}

export interface SaveFormOptions<Values extends FieldValues, Response> {
  /** As it is stored, or blank. What the person did not touch follows it. */
  readonly start: Values
  /** The rules of the contract that need no server, asked before it is saved and then as it is typed. */
  readonly check?: (values: Values) => Problems<Values>
  readonly save: (values: Values) => Promise<Response>
  /** The field that a refusal of the server is about, by its code; any other stands above the form. */
  readonly fieldOf?: Readonly<Record<string, keyof Values & string>>
  readonly onSaved?: (response: Response) => void
  /** Said when it is saved; already translated. */
  readonly successMessage?: string
}

export interface SaveForm<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>
  readonly submit: () => void
  readonly saving: boolean
  /** Something was typed and is not saved. */
  readonly dirty: boolean
  /** What the server refused that belongs to no field. */
  readonly failure: Error | undefined
}

/** For a reset that is one: without it the form's own choice to keep what was typed would hold. */
export const fresh = { keepDirtyValues: false, keepErrors: false } as const

/** One form of the console: what is typed, what is wrong with it, and saving it. What was typed stays when saving fails. */
export function useSaveForm<Values extends FieldValues, Response>(
  options: SaveFormOptions<Values, Response>,
): SaveForm<Values> {
  const { start, check, save, fieldOf = {}, onSaved, successMessage } = options
  const [failure, setFailure] = useState<Error>()
  const form = useForm<Values>({
    defaultValues: start as DefaultValues<Values>,
    // Later server responses update the fields that the user did not touch.
    values: start,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    resolver: async (values) => {
      const problems = Object.entries(check?.(values) ?? {}).filter(([, message]) => message !== undefined)
      if (problems.length === 0) return { values, errors: {} }
      const errors = Object.fromEntries(
        problems.map(([name, message]) => [name, { type: 'rule', message: String(message) }]),
      )
      // Each name is one of the form's, by the type of `check`.
      return { values: {}, errors: errors as never }
    },
  })
  const saving = useMutation({
    mutationFn: save,
    onMutate: () => setFailure(undefined),
    onSuccess: (response, values) => {
      form.reset(values, fresh)
      onSaved?.(response)
    },
    onError: (error) => {
      if (error instanceof RefusedFields) {
        for (const [name, message] of Object.entries(error.problems))
          if (message !== undefined) form.setError(name as Path<Values>, { type: 'server', message })
        return setFailure(error)
      }
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined
      if (field === undefined) setFailure(error)
      else
        form.setError(
          field as Path<Values>,
          { type: 'server', message: error.message },
          { shouldFocus: true },
        )
    },
    meta: { silent: true, ...(successMessage !== undefined && { successMessage }) },
  })
  const { isDirty } = form.formState
  useUnsavedWork(isDirty)
  // A refusal is about what was sent: what is typed then starts without it. One for several fields stays until the next
  // try, because the response with the saved values changes fields too.
  useEffect(
    () =>
      form.watch(() => setFailure((shown) => (shown instanceof RefusedFields ? shown : undefined)))
        .unsubscribe,
    [form],
  )
  return {
    form,
    submit: () => void form.handleSubmit((values) => saving.mutate(values))(),
    saving: saving.isPending,
    dirty: isDirty,
    failure,
  }
}
