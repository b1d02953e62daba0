import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { Switch } from '../../../components/ui/field/choice.tsx'
import { Textarea } from '../../../components/ui/field/input.tsx'
import { MultiSelect } from '../../../components/ui/select/multi-select.tsx'
import { ownModelsQuery } from '../../../lib/api/account.ts'
import { listOf } from '../token-state.ts'
import { addressLines, hasBadFinishedLine } from './addresses.ts'
import { change, type TokenFieldProps } from './field-props.ts'
import { fieldLabels, type TokenForm } from './token-form.ts'

/** Edits the models that the key may call, behind a switch. */
export function ModelsField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const isLimited = form.watch('model_limits_enabled')
  return (
    <>
      <Switch
        label={t(fieldLabels.model_limits_enabled)}
        hint={t('models.switchHint')}
        checked={isLimited}
        onCheckedChange={(on) => change(form, { model_limits_enabled: on })}
      />
      {isLimited && <ModelList form={form} />}
    </>
  )
}

function ModelList({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { data: options = [], error } = useQuery(ownModelsQuery)
  const { length } = listOf(form.watch('model_limits'))
  return (
    <FormField<TokenForm, string>
      form={form}
      name="model_limits"
      label={t(fieldLabels.model_limits)}
      hint={error?.message ?? (length === 0 ? t('models.none') : t('models.hint', { count: length }))}
      required
    >
      {({ value, onChange }) => (
        <MultiSelect
          mono
          values={listOf(value)}
          onValuesChange={(names) => onChange(names.join(','))}
          options={options}
          placeholder={t('models.placeholder')}
        />
      )}
    </FormField>
  )
}

/** Checked while it is typed: a finished line at once, the last one when the box loses the focus. */
export function AddressesField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { length } = addressLines(form.watch('allow_ips'))
  const refused = form.formState.errors.allow_ips !== undefined
  const check = () => void form.trigger('allow_ips')
  return (
    <FormField<TokenForm, string>
      form={form}
      name="allow_ips"
      label={t(fieldLabels.allow_ips)}
      hint={length === 0 ? t('addresses.all') : t('addresses.some', { count: length })}
    >
      {({ value, onChange, onBlur }) => (
        <Textarea
          mono
          value={value}
          placeholder={'203.0.113.7\n10.0.0.0/8\n2001:db8::/32'}
          onChange={({ target }) => {
            onChange(target.value)
            if (refused || hasBadFinishedLine(target.value)) check()
          }}
          onBlur={() => {
            onBlur()
            check()
          }}
        />
      )}
    </FormField>
  )
}
