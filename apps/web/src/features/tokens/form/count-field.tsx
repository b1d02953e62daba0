import { useTranslation } from 'react-i18next'
import { PresetNumberField } from '../../../components/form/index.ts'
import type { TokenFieldProps } from './field-props.ts'
import { countPresets, type TokenForm } from './token-form.ts'

/** How many keys of this kind to create. */
export function CountField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const name = form.watch('name').trim() || t('count.exampleName')
  const count = form.watch('count')
  return (
    <PresetNumberField<TokenForm>
      form={form}
      name="count"
      label={t('count.label')}
      hint={count !== undefined && count > 1 ? t('count.words', { name }) : t('count.one')}
      presets={[1, ...countPresets]}
    />
  )
}
