import { type TokenPriceName, tokenPriceKinds } from '@tollgate/api'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { TimeForm } from '../../components/prices/time-form.ts'
import { TimeWindows } from '../../components/prices/time-windows.tsx'
import { FormSection } from '../../components/ui/card.tsx'
import { ErrorText, Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { formatPrice } from '../../lib/format/price.ts'
import type { ModelRow } from './model-rows.ts'
import { type AmountForm, type CostForms, type CostTimeForms, kinds, type PriceForm } from './price-form.ts'

interface CostFieldsProps {
  readonly row: ModelRow
  readonly form: UseFormReturn<PriceForm>
}

/** Costs of the model by its name at each upstream: figures of the operator in place of the vendor's list price. */
export function CostFields({ row, form }: CostFieldsProps) {
  const { t } = useTranslation('models')
  const costs = useWatch({ control: form.control, name: 'costs' }) as CostForms
  const times = useWatch({ control: form.control, name: 'costTimes' }) as CostTimeForms
  const isChecked = form.formState.submitCount > 0
  const { costs: wrongCosts, costTimes: wrongTimes } = form.formState.errors
  const error = wrongCosts?.message ?? wrongTimes?.message
  if (row.costs.length === 0) return null
  const set = (upstream: string, next: AmountForm) =>
    form.setValue('costs', { ...costs, [upstream]: next }, { shouldDirty: true, shouldValidate: isChecked })
  const setTimes = (upstream: string, next: TimeForm) =>
    form.setValue(
      'costTimes',
      { ...times, [upstream]: next },
      { shouldDirty: true, shouldValidate: isChecked },
    )
  return (
    <FormSection
      id="costs"
      title={t('costs.title')}
      description={t('costs.description')}
      folded={row.costs.every(
        ({ own_cost = {}, own_times }) => Object.keys(own_cost).length === 0 && own_times === undefined,
      )}
    >
      {Object.entries(costs).map(([upstream, cost]) => (
        <UpstreamCost
          key={upstream}
          upstream={upstream}
          cost={cost}
          list={row.costs.find(({ upstream_model }) => upstream_model === upstream)?.list_cost}
          times={times[upstream] ?? { zone: '', windows: [] }}
          isChecked={isChecked}
          onChange={(next) => set(upstream, next)}
          onTimes={(next) => setTimes(upstream, next)}
        />
      ))}
      <ErrorText>{typeof error === 'string' ? error : undefined}</ErrorText>
    </FormSection>
  )
}

interface UpstreamCostProps {
  readonly upstream: string
  readonly cost: AmountForm
  readonly list: ModelRow['costs'][number]['list_cost']
  readonly times: TimeForm
  readonly isChecked: boolean
  readonly onChange: (cost: AmountForm) => void
  readonly onTimes: (times: TimeForm) => void
}

function UpstreamCost({ upstream, cost, list, times, isChecked, onChange, onTimes }: UpstreamCostProps) {
  const { t } = useTranslation(['models', 'prices'])
  const fields: readonly (TokenPriceName | 'call')[] =
    cost.mode === 'call' ? ['call'] : tokenPriceKinds.map(({ name }) => name)
  return (
    <fieldset className="flex flex-col gap-3 rounded border px-3 py-2.5">
      <legend className="px-1 font-mono text-xs">{upstream}</legend>
      <div className="self-start">
        <SegmentedControl
          label={t('models:sheet.mode')}
          value={cost.mode}
          onChange={(mode) => onChange({ ...cost, mode })}
          options={[
            { value: 'token', label: t('models:sheet.byToken') },
            { value: 'call', label: t('models:sheet.byCall') },
          ]}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {fields.map((name) => (
          <Field
            key={name}
            label={name === 'call' ? t('models:sheet.call') : t(`prices:kind.${kinds[name]}`)}
          >
            <Input
              inputMode="decimal"
              value={cost[name]}
              placeholder={list?.[name] === undefined ? '' : formatPrice(list[name]).slice(1)}
              suffix={t(name === 'call' ? 'models:unit.call' : 'models:unit.million')}
              onChange={(event) => onChange({ ...cost, [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      <h4 className="text-muted text-xs">{t('models:costs.times')}</h4>
      <TimeWindows times={times} isChecked={isChecked} onChange={onTimes} />
    </fieldset>
  )
}
