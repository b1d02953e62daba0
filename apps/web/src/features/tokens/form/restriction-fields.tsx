import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormField, RateLimitFields } from '../../../components/form/index.ts'
import { FormSection } from '../../../components/ui/card.tsx'
import { Switch } from '../../../components/ui/choice.tsx'
import { Textarea } from '../../../components/ui/input.tsx'
import { MultiSelect } from '../../../components/ui/multi-select.tsx'
import { modelsQuery } from '../api.ts'
import { addressLines, hasBadFinishedLine } from './addresses.ts'
import { change, type TokenFieldProps } from './field-props.ts'
import type { TokenForm } from './token-form.ts'

export interface RestrictionFieldsProps extends TokenFieldProps {
  /** Opens the section from the start: the key has restrictions. */
  readonly open: boolean
}

/** What narrows a key down further: which models it may call, from where, and how much at once. */
export function RestrictionFields({ form, open }: RestrictionFieldsProps) {
  const { t } = useTranslation('tokens')
  const { models, addresses } = form.formState.errors
  const limitsModels = form.watch('limitsModels')
  return (
    <FormSection
      id="restrictions"
      title={<RestrictionsTitle form={form} />}
      description={t('restrictions.description')}
      folded={!open && !models && !addresses}
    >
      <Switch
        label={t('models.switch')}
        hint={t('models.switchHint')}
        checked={limitsModels}
        onCheckedChange={(on) => change(form, { limitsModels: on })}
      />
      {limitsModels && <ModelsField form={form} />}
      <AddressesField form={form} />
      <RateLimitFields form={form} />
    </FormSection>
  )
}

/** Says what is set, so that a folded section hides nothing. */
function RestrictionsTitle({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const [limitsModels, models, text] = form.watch(['limitsModels', 'models', 'addresses'])
  const addresses = addressLines(text).length
  const isLimited = form.watch(['requestsPerMinute', 'tokensPerMinute', 'concurrency']).some(Boolean)
  const allowed = models.length === 0 ? t('models.noneChosen') : t('models.count', { count: models.length })
  return (
    <>
      {t('restrictions.title')}
      <span className="ml-1 font-normal text-muted text-xs">
        {limitsModels ? allowed : t('models.any')}
        {' · '}
        {addresses > 0 ? t('addresses.count', { count: addresses }) : t('addresses.any')}
        {' · '}
        {isLimited ? t('restrictions.limited') : t('restrictions.unlimited')}
      </span>
    </>
  )
}

function ModelsField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { data: options = [], error } = useQuery(modelsQuery)
  const { length } = form.watch('models')
  return (
    <FormField<TokenForm, readonly string[]>
      form={form}
      name="models"
      label={t('models.label')}
      hint={error?.message ?? (length === 0 ? t('models.none') : t('models.hint', { count: length }))}
      required
    >
      {({ value, onChange }) => (
        <MultiSelect
          mono
          values={value}
          onValuesChange={onChange}
          options={options}
          placeholder={t('models.placeholder')}
        />
      )}
    </FormField>
  )
}

/** Checked while it is typed: a line that is left, whole; the last one once the box is left. */
function AddressesField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { length } = addressLines(form.watch('addresses'))
  const refused = form.formState.errors.addresses !== undefined
  const check = () => void form.trigger('addresses')
  return (
    <FormField<TokenForm, string>
      form={form}
      name="addresses"
      label={t('addresses.label')}
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
