import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/input.tsx'
import { MoneyChange, useMoneyPreview } from '../../../components/ui/money.tsx'
import { PresetChips } from '../../../components/ui/preset-chips.tsx'
import { formatInteger, quotaToCurrency } from '../../../lib/format.ts'
import { presetLabel, quotaPresets } from '../../../lib/quota-presets.ts'
import { useMoneyDisplay } from '../../../lib/status.ts'
import { accountQuery } from '../api.ts'
import type { TokenFieldProps } from './field-props.ts'

export interface QuotaFieldProps extends TokenFieldProps {
  /** What a stored key has left: the change is shown before it is made. */
  readonly remaining?: number
}

/** How much the key may spend: a preset, any whole number, or no limit of its own. */
export function QuotaField({ form, onChange, errors, remaining }: QuotaFieldProps) {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  const preview = useMoneyPreview()
  const { unlimited, quota } = form
  const presets = quotaPresets.map((preset) => ({
    label: presetLabel(preset, display),
    pressed: !unlimited && quota === preset,
    choose: () => onChange({ unlimited: false, quota: preset }),
  }))
  const changed = remaining !== undefined && !unlimited && quota !== undefined && quota !== remaining
  return (
    <Field
      label={t(remaining === undefined ? 'quota.label' : 'quota.remainingLabel')}
      error={errors.quota}
      hint={<QuotaWords unlimited={unlimited} quota={quota} />}
      aside={changed && <MoneyChange from={remaining} to={quota} />}
    >
      <PresetChips
        chips={[
          ...presets,
          {
            label: t('quota.unlimited'),
            pressed: unlimited,
            choose: () => onChange({ unlimited: !unlimited }),
          },
        ]}
      />
      {!unlimited && (
        <NumberInput value={quota} onValueChange={(next) => onChange({ quota: next })} preview={preview} />
      )}
    </Field>
  )
}

/** What the quota comes to, beside what the account has. */
function QuotaWords({
  unlimited,
  quota,
}: {
  readonly unlimited: boolean
  readonly quota: number | undefined
}) {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  const { data: account } = useQuery(accountQuery)
  const balance = account && quotaToCurrency(account.quota, display)
  if (unlimited) return <>{t('quota.unlimitedWords', { balance: balance ?? '…' })}</>
  if (quota === undefined) return <>{t('quota.wholeNumber')}</>
  if (quota < 0) return <>{t('quota.overspent', { amount: quotaToCurrency(-quota, display) })}</>
  const amount = { quota: formatInteger(quota), amount: quotaToCurrency(quota, display) }
  if (!account || balance === undefined) return <>{t('quota.words', amount)}</>
  return <>{t(quota > account.quota ? 'quota.wordsOver' : 'quota.wordsWithin', { ...amount, balance })}</>
}
