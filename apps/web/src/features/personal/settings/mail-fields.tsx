import { useTranslation } from 'react-i18next'
import { TextField } from '../../../components/form/index.ts'
import { SendCode } from '../send-code.tsx'
import type { SettingFieldsProps } from './setting-fields.ts'
import { needsProof } from './setting-form.ts'

/** Where warnings are mailed to; another address than the account's is proven by a code. */
export function MailFields({ form, user }: SettingFieldsProps) {
  const { t } = useTranslation('personal')
  const ownAddress = user.email
  return (
    <>
      <TextField
        form={form}
        name="notificationEmail"
        label={t('notifyEmail.label')}
        hint={
          ownAddress === '' ? t('notifyEmail.hintNoAddress') : t('notifyEmail.hint', { email: ownAddress })
        }
        input={{ type: 'email', inputMode: 'email', autoComplete: 'email' }}
      />
      {needsProof(form.watch(), user) && (
        <>
          <SendCode
            email={() => form.getValues('notificationEmail')}
            onProblem={(about, message) => {
              form.clearErrors(['notificationEmail', 'verificationCode'])
              if (message !== '')
                form.setError(about === 'email' ? 'notificationEmail' : 'verificationCode', { message })
            }}
          />
          <TextField
            form={form}
            name="verificationCode"
            label={t('email.code')}
            hint={t('notifyEmail.codeHint')}
            input={{ autoComplete: 'one-time-code', mono: true }}
          />
        </>
      )}
    </>
  )
}
