import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { NumberInput } from '../../../components/ui/input.tsx'
import { PresetChips } from '../../../components/ui/preset-chips.tsx'
import type { TokenFieldProps } from './field-props.ts'
import { countPresets, type TokenForm } from './token-form.ts'

/** How many keys of this kind to create. */
export function CountField({ form }: TokenFieldProps) {
  const { t } = useTranslation('tokens')
  const name = form.watch('name').trim() || t('count.exampleName')
  const count = form.watch('count')
  return (
    <FormField<TokenForm, number | undefined>
      form={form}
      name="count"
      label={t('count.label')}
      hint={count !== undefined && count > 1 ? t('count.words', { name }) : t('count.one')}
    >
      {({ value, onChange, onBlur }) => (
        <>
          <PresetChips
            chips={[1, ...countPresets].map((preset) => ({
              label: String(preset),
              pressed: value === preset,
              choose: () => onChange(preset),
            }))}
          />
          <NumberInput value={value} onValueChange={onChange} onBlur={onBlur} />
        </>
      )}
    </FormField>
  )
}
