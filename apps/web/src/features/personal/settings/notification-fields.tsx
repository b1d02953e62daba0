import type { NotifyType } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { RadioGroup } from '../../../components/ui/choice.tsx'
import { NumberInput } from '../../../components/ui/input.tsx'
import { useMoneyPreview } from '../../../components/ui/money.tsx'
import { PresetChips } from '../../../components/ui/preset-chips.tsx'
import { presetLabel } from '../../../lib/quota-presets.ts'
import { useMoneyDisplay } from '../../../lib/status.ts'
import { MailFields } from './mail-fields.tsx'
import type { SettingFieldsProps } from './setting-fields.ts'
import type { SettingForm } from './setting-form.ts'
import { WebhookFields } from './webhook-fields.tsx'

/** Balances to be warned at that are offered (spec accounts §9). */
const thresholds = [100_000, 500_000, 1_000_000, 5_000_000]

/** At which balance to be warned, and where. */
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
  const preview = useMoneyPreview()
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
          <NumberInput value={value} onValueChange={onChange} onBlur={onBlur} decimal preview={preview} />
        </>
      )}
    </FormField>
  )
}
