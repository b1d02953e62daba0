import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../components/ui/card.tsx'
import { Switch } from '../../../components/ui/choice.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Textarea } from '../../../components/ui/input.tsx'
import { MultiSelect } from '../../../components/ui/multi-select.tsx'
import { modelsQuery } from '../api.ts'
import { addressLines } from './addresses.ts'
import type { TokenFieldProps } from './field-props.ts'

export interface RestrictionFieldsProps extends TokenFieldProps {
  /** Opens the section from the start: the key has restrictions. */
  readonly open: boolean
}

/** What narrows a key down further: which models it may call, and from where. */
export function RestrictionFields({ form, onChange, errors, open }: RestrictionFieldsProps) {
  const { t } = useTranslation('tokens')
  const hasProblem = errors.models !== undefined || errors.addresses !== undefined
  return (
    <FormSection
      id="restrictions"
      title={<RestrictionsTitle form={form} />}
      description={t('restrictions.description')}
      folded={!open && !hasProblem}
    >
      <Switch
        label={t('models.switch')}
        hint={t('models.switchHint')}
        checked={form.limitsModels}
        onCheckedChange={(limitsModels) => onChange({ limitsModels })}
      />
      {form.limitsModels && <ModelsField form={form} onChange={onChange} errors={errors} />}
      <AddressesField form={form} onChange={onChange} errors={errors} />
    </FormSection>
  )
}

/** Says what is set, so that a folded section hides nothing. */
function RestrictionsTitle({ form }: Pick<TokenFieldProps, 'form'>) {
  const { t } = useTranslation('tokens')
  const addresses = addressLines(form.addresses).length
  return (
    <>
      {t('restrictions.title')}
      <span className="ml-1 font-normal text-muted text-xs">
        {form.limitsModels ? t('models.count', { count: form.models.length }) : t('models.any')}
        {' · '}
        {addresses > 0 ? t('addresses.count', { count: addresses }) : t('addresses.any')}
      </span>
    </>
  )
}

function ModelsField({ form, onChange, errors }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { data: models = [], error } = useQuery(modelsQuery)
  return (
    <Field
      label={t('models.label')}
      error={errors.models ?? error?.message}
      hint={t('models.hint', { count: form.models.length })}
      required
    >
      <MultiSelect
        mono
        values={form.models}
        onValuesChange={(next) => onChange({ models: next })}
        options={models}
        placeholder={t('models.placeholder')}
      />
    </Field>
  )
}

function AddressesField({ form, onChange, errors }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { length } = addressLines(form.addresses)
  return (
    <Field
      label={t('addresses.label')}
      error={errors.addresses}
      hint={length === 0 ? t('addresses.all') : t('addresses.some', { count: length })}
    >
      <Textarea
        mono
        value={form.addresses}
        placeholder={'203.0.113.7\n10.0.0.0/8\n2001:db8::/32'}
        onChange={(event) => onChange({ addresses: event.target.value })}
      />
    </Field>
  )
}
