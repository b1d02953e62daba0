import { type ReactNode, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SaveForm } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog, type DialogProps } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'

export interface FormDialogProps<Values extends FieldValues>
  extends Pick<DialogProps, 'title' | 'description' | 'size' | 'onClose'> {
  readonly saveForm: SaveForm<Values>
  /** The verb: "Change password". */
  readonly submitLabel: string
  readonly danger?: boolean
  readonly children: ReactNode
}

/** A dialog that is one short form. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { saveForm, submitLabel, danger = false, children, ...dialog } = props
  const { t } = useTranslation()
  const formId = useId()
  const { submit, saving, failure } = saveForm
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
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          submit()
        }}
      >
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        {children}
      </form>
    </Dialog>
  )
}
