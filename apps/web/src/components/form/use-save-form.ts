import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { EditConflict } from '@tollgate/api'
import { useEffect, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { ApiError } from '../../lib/api/api-client.ts'
import { useUnsavedWork } from '../../lib/session/unsaved-work.ts'
import { type EditBase, withEntry } from './edit-base.ts'
import { useSinglePress } from './single-press.ts'
import { useEditBase } from './use-edit-base.ts'

/** Problems that keep a form from being saved: a sentence for each field, already translated. */
export type Problems<Values> = Partial<Record<keyof Values & string, string | undefined>>

/** Thrown by a save that was refused for several fields, some of which may have been saved. */
export class RefusedFields extends Error {
  override readonly name = 'RefusedFields'
  readonly problems: Readonly<Record<string, string>>
  readonly conflicts: readonly EditConflict[]

  /** @param problems the sentence for each field that was refused, already translated */
  constructor(
    message: string,
    problems: Readonly<Record<string, string>>,
    conflicts: readonly EditConflict[] = [],
  ) {
    super(message)
    this.problems = problems
    this.conflicts = conflicts
  }
}

export interface SaveFormOptions<Values extends FieldValues, Response> {
  /** Values as they are stored, or blank. Fields that the person did not touch follow them. */
  readonly start: Values
  /** The rules of the contract that need no server, asked before it is saved and then as it is typed. */
  readonly check?: (values: Values) => Problems<Values>
  /** Asks about what saving brings; the form stays as it is for a no. */
  readonly ask?: (values: Values) => Promise<boolean>
  /** @param base what the values were made on */
  readonly save: (values: Values, base: EditBase<Values>) => Promise<Response>
  /** The field of the form, by its name in JSON; by default it has the same name. */
  readonly nameOf?: (field: string) => string
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
  /** Refusal of the server that belongs to no field. */
  readonly failure: Error | undefined
  /** Changes of somebody else since the person began. */
  readonly conflicts: readonly EditConflict[]
  /** Saves what the person typed over it. */
  readonly keepMine: () => void
  /** Puts it into the form, whose other changes stay. */
  readonly takeTheirs: () => void
}

/** Options of a complete reset: without them the form's own choice to keep typed values would hold. */
export const fresh = { keepDirtyValues: false, keepErrors: false } as const

/** One form of the console: what is typed, what is wrong with it, and saving it. What was typed stays when saving fails. */
export function useSaveForm<Values extends FieldValues, Response>(
  options: SaveFormOptions<Values, Response>,
): SaveForm<Values> {
  const { start, check, save, fieldOf = {}, nameOf = (field) => field, onSaved, successMessage } = options
  const client = useQueryClient()
  const form = useForm<Values>({
    defaultValues: start as DefaultValues<Values>,
    // Later server responses update the fields that the user did not touch.
    values: start,
    resetOptions: { keepDirtyValues: true, keepErrors: true },
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    resolver: async (values) => resolved(values, check?.(values) ?? {}),
  })
  const base = useEditBase(form, start)
  const press = useSinglePress(form)
  const [failure, setFailure] = useFailure(form)
  function showProblems(error: Error): void {
    const field = error instanceof ApiError ? fieldOf[error.code] : undefined
    if (error instanceof RefusedFields)
      for (const [name, message] of Object.entries(error.problems))
        form.setError(name as Path<Values>, { type: 'server', message })
    const problem = { type: 'server', message: error.message }
    if (field === undefined) setFailure(error)
    else form.setError(field as Path<Values>, problem, { shouldFocus: true })
  }
  const saving = useMutation({
    mutationFn: (values: Values) => save(values, base.read()),
    onMutate: () => setFailure(undefined),
    onSuccess: (response, values) => {
      form.reset(values, fresh)
      base.begin(values)
      press.end(true)
      onSaved?.(response)
    },
    onError: (error) => {
      press.end()
      // What others have changed is read again.
      if (conflictsOf(error).length > 0) void client.invalidateQueries()
      showProblems(error)
    },
    meta: { silent: true, ...(successMessage !== undefined && { successMessage }) },
  })
  const { isDirty } = form.formState
  useUnsavedWork(isDirty)
  const conflicts = conflictsOf(failure)
  async function send(): Promise<boolean> {
    let isSent = false
    await form.handleSubmit(async (values) => {
      isSent = (await options.ask?.(values)) !== false
      if (isSent) saving.mutate(values)
    })()
    return isSent
  }
  const submit = () => void press.begin(send)
  function setTheirs(name: Path<Values>, conflict: EditConflict): void {
    const theirs = theirValue(form.getValues(name), conflict, start[name])
    form.setValue(name, theirs as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }
  function takeTheirs(): void {
    base.see(conflicts)
    for (const conflict of conflicts) {
      const name = nameOf(conflict.field) as Path<Values>
      // The form as a whole is this value, as the price of a model is.
      if (!(name in start)) form.reset(start, fresh)
      else setTheirs(name, conflict)
    }
    form.clearErrors()
    setFailure(undefined)
  }
  return {
    form,
    submit,
    saving: saving.isPending,
    dirty: isDirty,
    failure,
    conflicts,
    keepMine() {
      base.see(conflicts)
      submit()
    },
    takeTheirs,
  }
}

/**
 * Returns the last refusal, and its setter. It is about what was sent: what is typed then starts without it. One for several fields, and what others have
 * changed, stay until the next try, because responses with stored values change fields too.
 */
function useFailure<Values extends FieldValues>(form: UseFormReturn<Values>) {
  const [failure, setFailure] = useState<Error>()
  useEffect(
    () => form.watch(() => setFailure((visible) => (isLasting(visible) ? visible : undefined))).unsubscribe,
    [form],
  )
  return [failure, setFailure] as const
}

/** Decides whether values may be saved, in the words of the form's library. */
function resolved<Values extends FieldValues>(values: Values, found: Problems<Values>) {
  const problems = Object.entries(found).filter(([, message]) => message !== undefined)
  if (problems.length === 0) return { values, errors: {} }
  const errors = Object.fromEntries(
    problems.map(([name, message]) => [name, { type: 'rule', message: String(message) }]),
  )
  // Each name is one of the form's, by the type of `check`.
  return { values: {}, errors: errors as never }
}

function isLasting(failure: Error | undefined): boolean {
  return failure instanceof RefusedFields || conflictsOf(failure).length > 0
}

function conflictsOf(error: Error | undefined): readonly EditConflict[] {
  return error instanceof ApiError || error instanceof RefusedFields ? error.conflicts : []
}

/**
 * Returns the value that another person has saved in a field, in the form's own words.
 * @param stored the field as it was read again
 */
function theirValue(typed: unknown, { entry, current }: EditConflict, stored: unknown): unknown {
  if (entry !== undefined && typeof typed === 'string') return withEntry(typed, entry, current)
  return entry === undefined && typeof current === typeof typed ? current : stored
}
