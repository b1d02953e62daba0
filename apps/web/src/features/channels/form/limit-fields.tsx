import { useTranslation } from 'react-i18next'
import { Field } from '../../../components/ui/field.tsx'
import { NumberInput } from '../../../components/ui/input.tsx'
import { limitOf, limits, withLimit } from './extra-setting.ts'
import type { SectionProps } from './form-field.tsx'

/** How much may be asked of the channel; calls beyond it go to others. Kept in the extra settings. */
export function LimitFields({ form, change }: Pick<SectionProps, 'form' | 'change'>) {
  const { t } = useTranslation()
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {Object.values(limits).map((key) => (
        <Field key={key} label={t(`rateLimit.${key}`)} hint={t('rateLimit.channelHint')}>
          <NumberInput
            value={limitOf(form.setting, key)}
            min={0}
            onValueChange={(value = 0) => change({ setting: withLimit(form.setting, key, value) })}
          />
        </Field>
      ))}
    </div>
  )
}
