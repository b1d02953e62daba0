import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { NumberInput } from '../../../components/ui/field/input.tsx'
import { QuotaInput } from '../../../components/ui/field/quota-input.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import type { ManyForm } from './many-form.ts'

interface ChangeFieldsProps {
  readonly form: ManyForm
  readonly onChange: (form: ManyForm) => void
}

const limitNames = ['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const

/** The fields of the kind of change. */
export function ChangeFields({ form, onChange }: ChangeFieldsProps) {
  switch (form.kind) {
    case 'balance':
      return <BalanceFields form={form} onChange={onChange} />
    case 'group':
      return <GroupChoice form={form} onChange={onChange} />
    case 'limits':
      return <LimitFields form={form} onChange={onChange} />
  }
}

function BalanceFields({ form, onChange }: ChangeFieldsProps) {
  const { t } = useTranslation('users')
  const display = useMoneyDisplay()
  const { amount, below_zero: mayFallBelow } = form
  return (
    <>
      <Field
        label={t(display.inCurrency ? 'many.amount' : 'many.units')}
        hint={t('quota.negativeHint')}
        required
      >
        <QuotaInput value={amount} onValueChange={(next) => onChange({ ...form, amount: next })} autoFocus />
      </Field>
      {amount !== undefined && amount < 0 && (
        <Checkbox
          label={t('many.belowZero')}
          hint={t('many.belowZeroHint')}
          checked={mayFallBelow}
          onCheckedChange={(next) => onChange({ ...form, below_zero: next })}
        />
      )}
    </>
  )
}

function GroupChoice({ form, onChange }: ChangeFieldsProps) {
  const { t } = useTranslation('users')
  const { data: groups = [] } = useQuery(groupsQuery)
  return (
    <Field label={t('many.group')} required>
      <Select
        value={form.group === '' ? undefined : form.group}
        placeholder={t('filter.chooseGroup')}
        onValueChange={(group) => onChange({ ...form, group })}
        options={groups.map((group) => ({ value: group, label: group }))}
      />
    </Field>
  )
}

function LimitFields({ form, onChange }: ChangeFieldsProps) {
  const { t } = useTranslation(['users', 'common'])
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {limitNames.map((name) => (
        <Field key={name} label={t(`common:rateLimit.${name}`)} hint={t('users:many.limitHint')}>
          <NumberInput
            value={form[name]}
            min={0}
            onValueChange={(limit) => onChange({ ...form, [name]: limit })}
          />
        </Field>
      ))}
    </div>
  )
}
