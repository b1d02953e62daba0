import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useId, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  type EditBase,
  type Problems,
  SaveFailure,
  type SaveForm,
  TextField,
  useSaveForm,
} from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Form } from '../../components/ui/field/field.tsx'
import type { InputProps } from '../../components/ui/field/input.tsx'
import { Dialog, type DialogProps } from '../../components/ui/overlay/dialog.tsx'

interface DialogOptions extends Pick<DialogProps, 'title' | 'description' | 'size' | 'onClose'> {
  /** The verb: "Change password". */
  readonly submitLabel: string
  readonly danger?: boolean
  /** Above the fields. */
  readonly children?: ReactNode
}

interface FormDialogProps<Values extends FieldValues> extends DialogOptions {
  readonly saveForm: SaveForm<Values>
}

/** A dialog around one short form. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { saveForm, submitLabel, danger = false, children, ...dialog } = props
  const { t } = useTranslation()
  const formId = useId()
  const { submit, saving } = saveForm
  return (
    <Dialog
      open
      {...dialog}
      initialFocus={() => document.getElementById(formId)?.querySelector('input')}
      footer={
        <>
          <Button onClick={dialog.onClose}>{t('action.cancel')}</Button>
          <Button type="submit" form={formId} variant={danger ? 'danger' : 'primary'} loading={saving}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={formId} onSubmit={submit}>
        <SaveFailure saveForm={saveForm} />
        {children}
      </Form>
    </Dialog>
  )
}

/** One line of text in a `TextDialog`. */
interface DialogField {
  readonly label: string
  readonly hint?: ReactNode
  readonly start?: string
  /** The problem of a blank field; without it the field may be blank. */
  readonly missing?: string
  readonly required?: boolean
  /** Hidden while it is typed, and sent as typed; other texts lose blanks at their ends. */
  readonly secret?: boolean
  readonly input?: Pick<InputProps, 'autoComplete' | 'inputMode' | 'mono' | 'placeholder' | 'type'>
  /** Below the field. */
  readonly after?: (form: UseFormReturn<Record<string, string>>) => ReactNode
}

/** Attributes of a field for a code that was sent or generated. */
export const oneTimeCode = { autoComplete: 'one-time-code', mono: true } as const

interface TextDialogProps<Name extends string, Result> extends DialogOptions {
  readonly fields: Readonly<Record<Name, DialogField>>
  readonly check?: (values: Readonly<Record<Name, string>>) => Problems<Record<Name, string>>
  readonly save: (
    values: Readonly<Record<Name, string>>,
    base: EditBase<Readonly<Record<Name, string>>>,
  ) => Promise<Result>
  /** The field, by its name in JSON; by default it has the same name. */
  readonly nameOf?: (field: string) => string
  /** The field that a refusal of the server is about, by its code. */
  readonly fieldOf?: Readonly<Record<string, NoInfer<Name>>>
  readonly successMessage?: string
  /** Query that is read again once it is saved. */
  readonly changes?: { readonly queryKey: QueryKey }
  /** Runs when the dialog has closed. */
  readonly onSaved?: (result: Result) => void
}

/** A dialog whose fields are data: it checks, saves, reads again what changed, and closes. */
export function TextDialog<Name extends string, Result>(props: TextDialogProps<Name, Result>) {
  const { fields, check, save, nameOf, fieldOf, successMessage, changes, onSaved, children, ...dialog } =
    props
  const client = useQueryClient()
  const entries = Object.entries<DialogField>(fields)
  const [start] = useState(() =>
    Object.fromEntries(entries.map(([name, field]) => [name, field.start ?? ''])),
  )
  // Every name is in `fields`, so that these records have all of them.
  const named = (values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, text]) => [name, fields[name as Name].secret ? text : text.trim()]),
    ) as Record<Name, string>
  const saveForm = useSaveForm<Record<string, string>, Result>({
    start,
    check: (values) => ({
      ...Object.fromEntries(
        entries.flatMap(([name, { missing }]) =>
          missing && values[name]?.trim() === '' ? [[name, missing]] : [],
        ),
      ),
      ...check?.(named(values)),
    }),
    save: (values, { started, seen }) => save(named(values), { started: named(started), seen }),
    ...(nameOf && { nameOf }),
    ...(fieldOf && { fieldOf }),
    ...(successMessage && { successMessage }),
    onSaved(result) {
      if (changes) void client.invalidateQueries({ queryKey: changes.queryKey })
      dialog.onClose()
      onSaved?.(result)
    },
  })
  const { form } = saveForm
  return (
    <FormDialog saveForm={saveForm} {...dialog}>
      {children}
      {entries.map(([name, { label, hint, required = false, secret = false, input = {}, after }]) => (
        <Fragment key={name}>
          <TextField
            form={form}
            name={name}
            label={label}
            hint={hint}
            required={required}
            secret={secret}
            input={input}
          />
          {after?.(form)}
        </Fragment>
      ))}
    </FormDialog>
  )
}
