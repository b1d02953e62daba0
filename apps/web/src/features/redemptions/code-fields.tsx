import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { PresetNumberField, type Problems, TextField } from '../../components/form/index.ts'
import { QuotaInput } from '../../components/ui/field/quota-input.tsx'
import { MoneyChange } from '../../components/ui/money.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import {
  exactQuota,
  formatInteger,
  presetLabel,
  quotaPresets,
  quotaToCurrency,
} from '../../lib/format/format.ts'
import { type CodeForm, countPresets, fieldLabels, problemsOf } from './code-form.ts'

interface FieldProps {
  readonly form: UseFormReturn<CodeForm>
}

/** Sentences for what keeps a form from being saved. */
export function useCheckCode(): (values: CodeForm) => Problems<CodeForm> {
  const { t } = useTranslation('redemptions')
  const display = useMoneyDisplay()
  return (values) =>
    Object.fromEntries(
      Object.entries(problemsOf(values)).map(([name, { code, max }]) => [
        name,
        t(`problem.${code}`, {
          max: code === 'redemption_quota_invalid' ? exactQuota(max, display) : formatInteger(max),
        }),
      ]),
    )
}

export function NameField({ form }: FieldProps) {
  const { t } = useTranslation('redemptions')
  // What a code without a name is called: what it is worth.
  const unnamed = quotaToCurrency(form.watch('quota') ?? 0, useMoneyDisplay())
  return (
    <TextField<CodeForm>
      form={form}
      name="name"
      label={t(fieldLabels.name)}
      hint={t('name.hint', { name: unnamed })}
      input={{ placeholder: unnamed }}
    />
  )
}

/** Edits the value of one code: a preset, or any amount. */
export function QuotaField({ form, stored }: FieldProps & { readonly stored?: number }) {
  const { t } = useTranslation('redemptions')
  const display = useMoneyDisplay()
  const quota = form.watch('quota')
  const changed = stored !== undefined && quota !== undefined && quota !== stored
  return (
    <PresetNumberField<CodeForm>
      form={form}
      name="quota"
      label={t(fieldLabels.quota)}
      hint={t('quota.hint')}
      aside={changed && <MoneyChange from={stored} to={quota} />}
      presets={quotaPresets}
      presetLabel={(preset) => presetLabel(preset, display)}
      input={QuotaInput}
      required
    />
  )
}

/** Edits the number of codes of this kind, and shows their sum. */
export function CountField({ form }: FieldProps) {
  const { t } = useTranslation('redemptions')
  const display = useMoneyDisplay()
  const { quota = 0, count = 0 } = form.watch()
  return (
    <PresetNumberField<CodeForm>
      form={form}
      name="count"
      label={t(fieldLabels.count)}
      hint={t('count.hint', { amount: quotaToCurrency(quota * count, display), count })}
      presets={countPresets}
      required
    />
  )
}
