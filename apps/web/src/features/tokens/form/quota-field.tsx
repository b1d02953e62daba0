import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { PresetChips } from '../../../components/ui/field/preset-chips.tsx'
import { QuotaInput } from '../../../components/ui/field/quota-input.tsx'
import { MoneyChange } from '../../../components/ui/money.tsx'
import { accountQuery } from '../../../lib/api/account.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { exactQuota, presetLabel, quotaPresets, quotaToCurrency } from '../../../lib/format/format.ts'
import { change, type TokenFieldProps } from './field-props.ts'
import { fieldLabels, type TokenForm } from './token-form.ts'

export interface QuotaFieldProps extends TokenFieldProps {
  /** Remaining quota of a stored key: the change is shown before it is made. */
  readonly remaining: number | undefined
}

/** Edits the quota of the key: a preset, any amount, or no limit of its own. */
export function QuotaField({ form, remaining }: QuotaFieldProps) {
  const { t } = useTranslation('tokens')
  const [unlimited, quota] = form.watch(['unlimited_quota', 'remain_quota'])
  const changed = remaining !== undefined && !unlimited && quota !== undefined && quota !== remaining
  return (
    <FormField<TokenForm, number | undefined>
      form={form}
      name="remain_quota"
      label={t(remaining === undefined ? fieldLabels.remain_quota : 'quota.remainingLabel')}
      hint={<QuotaHint unlimited={unlimited} quota={quota} />}
      aside={changed && <MoneyChange from={remaining} to={quota} />}
    >
      {({ value, onChange, onBlur }) => (
        <>
          <QuotaPresets form={form} />
          {!unlimited && <QuotaInput value={value} onValueChange={onChange} onBlur={onBlur} />}
        </>
      )}
    </FormField>
  )
}

function QuotaPresets({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  const [unlimited, quota] = form.watch(['unlimited_quota', 'remain_quota'])
  const presets = quotaPresets.map((preset) => ({
    label: presetLabel(preset, display),
    pressed: !unlimited && quota === preset,
    choose: () => change(form, { unlimited_quota: false, remain_quota: preset }),
  }))
  const toggle = {
    label: t(fieldLabels.unlimited_quota),
    pressed: unlimited,
    choose: () => change(form, { unlimited_quota: !unlimited }),
  }
  return <PresetChips chips={[...presets, toggle]} />
}

interface QuotaHintProps {
  readonly unlimited: boolean
  readonly quota: number | undefined
}

/** Shows the value of the quota, beside the balance of the account. */
function QuotaHint({ unlimited, quota }: QuotaHintProps) {
  const { t } = useTranslation('tokens')
  const display = useMoneyDisplay()
  const { data: account } = useQuery(accountQuery)
  const balance = account && quotaToCurrency(account.quota, display)
  if (unlimited) return <>{t('quota.unlimitedWords', { balance: balance ?? '…' })}</>
  if (quota === undefined) return <>{t('quota.enterAmount')}</>
  if (quota < 0) return <>{t('quota.overspent', { amount: quotaToCurrency(-quota, display) })}</>
  const amount = { amount: exactQuota(quota, display) }
  if (!account || balance === undefined) return <>{t('quota.words', amount)}</>
  return <>{t(quota > account.quota ? 'quota.wordsOver' : 'quota.wordsWithin', { ...amount, balance })}</>
}
