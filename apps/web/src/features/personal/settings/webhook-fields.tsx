import { useTranslation } from 'react-i18next'
import { TextField } from '../../../components/form/index.ts'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import type { SettingFieldsProps } from './setting-fields.ts'
import { storedSecretsOf } from './setting-form.ts'

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

/** Where warnings are posted to. Address and secret are never shown again once they are stored. */
export function WebhookFields({ form, user }: SettingFieldsProps) {
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
