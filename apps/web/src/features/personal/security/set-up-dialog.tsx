import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../../components/form/index.ts'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { request } from '../../../lib/api-client.ts'
import { FormDialog } from '../form-dialog.tsx'
import { QrCode } from './qr-code.tsx'

interface CodeForm {
  readonly code: string
}

const blank: CodeForm = { code: '' }

export interface SetUpDialogProps {
  /** Base32. */
  readonly secret: string
  /** `otpauth://…` */
  readonly uri: string
  readonly onCodes: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** The secret for the authenticator app, and the code that shows that the app has it. */
export function SetUpDialog({ secret, uri, onCodes, onClose }: SetUpDialogProps) {
  const { t } = useTranslation('personal')
  const saveForm = useSaveForm<CodeForm, readonly string[]>({
    start: blank,
    check: ({ code }) => ({ code: code.trim() === '' ? t('secondFactor.codeMissing') : undefined }),
    fieldOf: { second_factor_wrong: 'code' },
    save: async ({ code }) =>
      (await request(calls.secondFactor.confirm, { body: { code: code.trim() } })).recovery_codes,
    onSaved(codes) {
      onClose()
      onCodes(codes)
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      title={t('secondFactor.setUpTitle')}
      submitLabel={t('secondFactor.confirm')}
      onClose={onClose}
    >
      <p>{t('secondFactor.stepScan')}</p>
      <QrCode text={uri} label={t('secondFactor.picture')} />
      <div className="flex flex-col gap-1.5">
        <p className="text-muted text-xs">
          {t('secondFactor.stepKey')}{' '}
          <a href={uri} className="text-accent-text underline">
            {t('secondFactor.openApp')}
          </a>
        </p>
        <CodeBlock code={secret} label={t('secondFactor.copySecret')} />
      </div>
      <TextField
        form={saveForm.form}
        name="code"
        label={t('secondFactor.code')}
        hint={t('secondFactor.codeHint')}
        input={{ autoComplete: 'one-time-code', inputMode: 'numeric', mono: true }}
      />
    </FormDialog>
  )
}
