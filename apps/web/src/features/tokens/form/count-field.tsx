import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/input.tsx'
import { PresetChips } from '../../../components/ui/preset-chips.tsx'
import type { TokenFieldProps } from './field-props.ts'
import { countPresets } from './token-form.ts'

/** How many keys of this kind to create. */
export function CountField({ form, onChange, errors }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const { count } = form
  const name = form.name.trim() || t('count.exampleName')
  return (
    <Field
      label={t('count.label')}
      error={errors.count}
      hint={count !== undefined && count > 1 ? t('count.words', { name }) : t('count.one')}
    >
      <PresetChips
        chips={[1, ...countPresets].map((preset) => ({
          label: String(preset),
          pressed: count === preset,
          choose: () => onChange({ count: preset }),
        }))}
      />
      <NumberInput value={count} onValueChange={(next) => onChange({ count: next })} />
    </Field>
  )
}
