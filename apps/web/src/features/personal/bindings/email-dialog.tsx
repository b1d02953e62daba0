import { useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../../components/form/index.ts'
import { request } from '../../../lib/api-client.ts'
import { accountQuery } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { SendCode } from '../send-code.tsx'

interface EmailForm {
  readonly email: string
  readonly code: string
}

const blank: EmailForm = { email: '', code: '' }

/** An address, proven by the code that is mailed to it. */
export function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const saveForm = useSaveForm<EmailForm, unknown>({
    start: blank,
    check: ({ email, code }) => ({
      email: email.trim() === '' ? t('email.missing') : undefined,
      code: code.trim() === '' ? t('email.codeMissing') : undefined,
    }),
    fieldOf: {
      email_taken: 'email',
      email_invalid: 'email',
      email_domain_not_allowed: 'email',
      email_alias_not_allowed: 'email',
      verification_code_wrong: 'code',
    },
    save: ({ email, code }) =>
      request(calls.oauth.emailBind, { query: { email: email.trim(), code: code.trim() } }),
    successMessage: t('email.done'),
    onSaved() {
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  const { form } = saveForm
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('email.title')}
      submitLabel={t('email.submit')}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="email"
        label={t('email.address')}
        input={{ type: 'email', inputMode: 'email', autoComplete: 'email' }}
      />
      <SendCode
        email={() => form.getValues('email')}
        onProblem={(about, message) => {
          form.clearErrors()
          if (message !== '') form.setError(about, { message })
        }}
      />
      <TextField
        form={form}
        name="code"
        label={t('email.code')}
        input={{ autoComplete: 'one-time-code', mono: true }}
      />
    </FormDialog>
  )
}
