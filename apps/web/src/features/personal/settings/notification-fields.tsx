import type { NotifyType } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FormField, TextField } from '../../../components/form/index.ts'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { RadioGroup } from '../../../components/ui/field/choice.tsx'
import { PresetChips } from '../../../components/ui/field/preset-chips.tsx'
import { QuotaInput } from '../../../components/ui/field/quota-input.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { presetLabel } from '../../../lib/format/format.ts'
import { oneTimeCode } from '../form-dialog.tsx'
import { SendCode } from '../send-code.tsx'
import { needsProof, type SettingFieldsProps, type SettingForm, storedSecretsOf } from './setting-form.ts'

/** Offered balances for the low balance warning (spec accounts §9). */
const thresholds = [100_000, 500_000, 1_000_000, 5_000_000]

/** The balance at which the person is warned, and where the warning goes. */
export function NotificationFields({ form, user }: SettingFieldsProps) {
  const { t } = useTranslation('personal')
  return (
    <div className="flex flex-col gap-4">
      <ThresholdField form={form} />
      <FormField<SettingForm, NotifyType> form={form} name="notifyType" label={t('notifyType.label')}>
        {({ value, onChange }) => (
          <RadioGroup
            className="flex-row! gap-5!"
            value={value}
            onValueChange={onChange}
            options={[
              { value: 'email', label: t('notifyType.email') },
              { value: 'webhook', label: t('notifyType.webhook') },
            ]}
          />
        )}
      </FormField>
      {form.watch('notifyType') === 'email' ? (
        <MailFields form={form} user={user} />
      ) : (
        <WebhookFields form={form} user={user} />
      )}
    </div>
  )
}

function ThresholdField({ form }: Pick<SettingFieldsProps, 'form'>) {
  const { t } = useTranslation('personal')
  const display = useMoneyDisplay()
  return (
    <FormField<SettingForm, number | undefined>
      form={form}
      name="threshold"
      label={t('threshold.label')}
      hint={t('threshold.hint')}
    >
      {({ value, onChange, onBlur }) => (
        <>
          <PresetChips
            chips={thresholds.map((quota) => ({
              label: presetLabel(quota, display),
              pressed: value === quota,
              choose: () => onChange(quota),
            }))}
          />
          <QuotaInput value={value} onValueChange={onChange} onBlur={onBlur} />
        </>
      )}
    </FormField>
  )
}

/** The address for warnings. An address other than the account's needs a code. */
function MailFields({ form, user }: SettingFieldsProps) {
  const { t } = useTranslation('personal')
  return (
    <>
      <TextField
        form={form}
        name="notificationEmail"
        label={t('notifyEmail.label')}
        hint={t(user.email === '' ? 'notifyEmail.hintNoAddress' : 'notifyEmail.hint', { email: user.email })}
        input={{ type: 'email', inputMode: 'email', autoComplete: 'email' }}
      />
      {needsProof(form.watch(), user) && (
        <>
          <SendCode
            email={() => form.getValues('notificationEmail')}
            onProblem={(field, message) => {
              form.clearErrors(['notificationEmail', 'verificationCode'])
              if (message !== '')
                form.setError(field === 'email' ? 'notificationEmail' : 'verificationCode', { message })
            }}
          />
          <TextField
            form={form}
            name="verificationCode"
            label={t('email.code')}
            hint={t('notifyEmail.codeHint')}
            input={oneTimeCode}
          />
        </>
      )}
    </>
  )
}

const exampleBody = JSON.stringify(
  {
    type: 'quota_exceed',
    title: 'Your balance is low',
    content: '{{value}}, your balance is {{value}}',
    values: ['Hello', '$0.80'],
    timestamp: 1_767_225_600,
  },
  null,
  2,
)

/** The webhook for warnings. Its URL and secret are never shown again once they are stored. */
function WebhookFields({ form, user }: SettingFieldsProps) {
  const { t } = useTranslation('personal')
  const { hasWebhookUrl, hasWebhookSecret } = storedSecretsOf(user.setting)
  return (
    <>
      <TextField
        form={form}
        name="webhookUrl"
        label={t('webhook.url')}
        hint={t(hasWebhookUrl ? 'webhook.urlKept' : 'webhook.urlHint')}
        input={{ placeholder: 'https://', type: 'url', inputMode: 'url' }}
      />
      <TextField
        form={form}
        name="webhookSecret"
        label={t('webhook.secret')}
        hint={t(hasWebhookSecret ? 'webhook.secretKept' : 'webhook.secretHint')}
        secret
        input={{ autoComplete: 'off' }}
      />
      <details className="text-sm">
        <summary className="flex min-h-8 items-center text-muted max-sm:min-h-11">
          {t('webhook.bodyTitle')}
        </summary>
        <p className="mb-2 text-muted text-xs">{t('webhook.body', { slot: '{{value}}' })}</p>
        <CodeBlock code={exampleBody} label={t('webhook.copyBody')} />
      </details>
    </>
  )
}
