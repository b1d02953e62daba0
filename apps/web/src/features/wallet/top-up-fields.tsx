import type { TopUpInfo } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { RadioGroup } from '../../components/ui/choice.tsx'
import { NumberInput } from '../../components/ui/input.tsx'
import { PresetChips } from '../../components/ui/preset-chips.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { abbreviateNumber, formatInteger, formatPayment } from '../../lib/format.ts'
import { minAmount, quotaOf, type TopUpForm } from './amount.ts'
import { useMethodName } from './method-name.ts'
import { Payable } from './payable.tsx'
import { useTopUpForm } from './use-top-up-form.ts'

interface TopUpFieldsProps {
  readonly info: TopUpInfo
}

/** How much, by which method, and what that costs before anything is ordered. */
export function TopUpFields({ info }: TopUpFieldsProps) {
  const { t } = useTranslation('wallet')
  const { form, submit, saving, failure } = useTopUpForm(info)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <AmountField info={info} form={form} />
      <MethodField info={info} form={form} />
      <Payable info={info} values={form.watch()} />
      <Button type="submit" variant="primary" className="self-start" loading={saving}>
        {t('topUp.submit')}
      </Button>
    </form>
  )
}

interface FieldProps extends TopUpFieldsProps {
  readonly form: ReturnType<typeof useTopUpForm>['form']
}

function AmountField({ info, form }: FieldProps) {
  const { t } = useTranslation('wallet')
  const unit = info.display_in_currency ? '$' : ''
  return (
    <FormField<TopUpForm, number | undefined>
      form={form}
      name="amount"
      label={t(info.display_in_currency ? 'topUp.amount' : 'topUp.quota')}
      hint={t('topUp.minimum', { min: unit + formatInteger(minAmount(info)) })}
      required
    >
      {({ value, onChange, onBlur }) => (
        <>
          <PresetChips
            chips={info.presets.map((preset) => ({
              label: unit + (info.display_in_currency ? formatInteger(preset) : abbreviateNumber(preset)),
              pressed: value === preset,
              choose: () => onChange(preset),
            }))}
          />
          <NumberInput
            value={value}
            onValueChange={onChange}
            onBlur={() => {
              if (value !== undefined && value < 1) onChange(1)
              onBlur()
            }}
            preview={(amount) => t('topUp.points', { quota: formatInteger(quotaOf(amount, info)) })}
          />
        </>
      )}
    </FormField>
  )
}

function MethodField({ info, form }: FieldProps) {
  const { t, i18n } = useTranslation('wallet')
  const nameOf = useMethodName()
  return (
    <FormField<TopUpForm, string> form={form} name="method" label={t('topUp.method')}>
      {({ value, onChange }) => (
        <RadioGroup
          look="cards"
          className="sm:grid! sm:grid-cols-3"
          value={value}
          onValueChange={onChange}
          options={info.methods.map(({ method, currency, price }) => ({
            value: method,
            label: nameOf(method),
            hint: t('topUp.price', {
              price: formatPayment(String(price * info.group_ratio), currency, i18n.language),
            }),
          }))}
        />
      )}
    </FormField>
  )
}
