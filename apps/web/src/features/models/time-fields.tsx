import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { TimeForm } from '../../components/prices/time-form.ts'
import { TimeWindows } from '../../components/prices/time-windows.tsx'
import { FormSection } from '../../components/ui/card.tsx'
import type { ModelRow } from './model-rows.ts'
import type { PriceForm } from './price-form.ts'

interface TimeFieldsProps {
  readonly row: ModelRow
  readonly form: UseFormReturn<PriceForm>
}

/** The prices by time of one model. */
export function TimeFields({ row, form }: TimeFieldsProps) {
  const { t } = useTranslation('models')
  const times = useWatch({ control: form.control, name: 'times' }) as TimeForm
  const isChecked = form.formState.submitCount > 0
  return (
    <FormSection
      id="time-prices"
      title={t('times.title')}
      description={t('times.description')}
      folded={row.time_prices === undefined}
    >
      {row.times_of !== undefined && (
        <p className="text-muted text-xs">{t('times.inherited', { entry: row.times_of })}</p>
      )}
      <TimeWindows
        times={times}
        isChecked={isChecked}
        onChange={(next) => form.setValue('times', next, { shouldDirty: true, shouldValidate: isChecked })}
      />
    </FormSection>
  )
}
