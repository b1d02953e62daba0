import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../../components/form/index.ts'
import { FormDialog } from '../form-dialog.tsx'

interface CodeForm {
  readonly code: string
}

const blank: CodeForm = { code: '' }

export interface CodeDialogProps<Result> {
  readonly title: string
  readonly description: string
  readonly submitLabel: string
  readonly danger?: boolean
  readonly send: (code: string) => Promise<Result>
  readonly onDone: (response: Result) => void
  readonly onClose: () => void
}

/** Asks for a code of the second factor before it is changed. */
export function CodeDialog<Result>(props: CodeDialogProps<Result>) {
  const { send, onDone, onClose, ...dialog } = props
  const { t } = useTranslation('personal')
  const saveForm = useSaveForm<CodeForm, Result>({
    start: blank,
    check: ({ code }) => ({ code: code.trim() === '' ? t('secondFactor.codeMissing') : undefined }),
    fieldOf: { second_factor_wrong: 'code' },
    save: ({ code }) => send(code.trim()),
    onSaved(response) {
      onClose()
      onDone(response)
    },
  })
  return (
    <FormDialog saveForm={saveForm} size="sm" onClose={onClose} {...dialog}>
      <TextField
        form={saveForm.form}
        name="code"
        label={t('secondFactor.code')}
        hint={t('secondFactor.codeOrRecoveryHint')}
        input={{ autoComplete: 'one-time-code', mono: true }}
      />
    </FormDialog>
  )
}
