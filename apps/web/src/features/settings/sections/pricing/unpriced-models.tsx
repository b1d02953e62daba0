import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { Checkbox } from '../../../../components/ui/field/choice.tsx'
import { Field } from '../../../../components/ui/field/field.tsx'
import { Input } from '../../../../components/ui/field/input.tsx'
import { Select } from '../../../../components/ui/select/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../../components/ui/states.tsx'
import { enabledModelsQuery } from '../../api.ts'
import {
  type BatchPrice,
  type BatchProblem,
  batchModes,
  batchProblem,
  withBatchPrice,
} from '../../model/price-form.ts'
import type { PriceMaps } from '../../model/prices.ts'

export interface UnpricedModelsProps {
  readonly maps: PriceMaps
  readonly onChange: (maps: PriceMaps) => void
}

/** Models that enabled channels serve without a price; several can be priced together. */
export function UnpricedModels({ maps, onChange }: UnpricedModelsProps) {
  const { t } = useTranslation('settings')
  const { data, error, refetch, isFetching } = useQuery(enabledModelsQuery)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  if (error && !data)
    return (
      <ErrorState
        error={new Error(t('pricing.enabledFailed', { reason: error.message }))}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  if (!data) return <Skeleton className="h-40" />
  const models = data.filter((model) => !maps.perCall.has(model) && !maps.ratio.has(model))
  if (models.length === 0)
    return (
      <EmptyState icon={CircleCheck} title={t('pricing.allPriced')}>
        {t('pricing.allPricedHint')}
      </EmptyState>
    )
  const picked = models.filter((model) => chosen.has(model))
  const toggle = (model: string, on: boolean) =>
    setChosen(new Set(on ? [...picked, model] : picked.filter((other) => other !== model)))
  return (
    <>
      <p className="text-muted text-sm">{t('pricing.unpricedHint')}</p>
      <div className="flex max-h-80 flex-col overflow-y-auto rounded border px-3 py-2">
        <Checkbox
          label={t('pricing.selectAll', { count: models.length })}
          checked={picked.length === models.length}
          indeterminate={picked.length > 0 && picked.length < models.length}
          onCheckedChange={(on) => setChosen(new Set(on ? models : []))}
        />
        {models.map((model) => (
          <Checkbox
            key={model}
            label={<span className="font-mono text-xs">{model}</span>}
            checked={chosen.has(model)}
            onCheckedChange={(on) => toggle(model, on)}
          />
        ))}
      </div>
      <BatchPriceForm
        models={picked}
        onApply={(price: BatchPrice) => {
          onChange(withBatchPrice(maps, picked, price))
          setChosen(new Set())
        }}
      />
    </>
  )
}

interface BatchPriceFormProps {
  readonly models: readonly string[]
  readonly onApply: (price: BatchPrice) => void
}

const blank: BatchPrice = { mode: 'both', first: '', second: '' }

/** One price for all chosen models. */
function BatchPriceForm({ models, onApply }: BatchPriceFormProps) {
  const { t } = useTranslation('settings')
  const [price, setPrice] = useState(blank)
  const [problem, setProblem] = useState<BatchProblem>()
  function change(part: Partial<BatchPrice>): void {
    setPrice({ ...price, ...part })
    setProblem(undefined)
  }
  function apply(): void {
    const found = batchProblem(models, price)
    setProblem(found)
    if (found !== undefined) return
    onApply(price)
    setPrice({ ...blank, mode: price.mode })
  }
  const firstName = price.mode === 'both' ? 'ratio' : price.mode
  return (
    <div className="flex flex-col gap-3">
      <div className="grid items-end gap-3 sm:grid-cols-3">
        <Field label={t('pricing.batch.set')}>
          <Select
            value={price.mode}
            onValueChange={(mode) => change({ mode })}
            options={batchModes.map((mode) => ({ value: mode, label: t(`pricing.batch.${mode}`) }))}
          />
        </Field>
        <Field label={t(`pricing.field.${firstName}`)}>
          <Input
            inputMode="decimal"
            value={price.first}
            onChange={(event) => change({ first: event.target.value })}
          />
        </Field>
        {price.mode === 'both' && (
          <Field label={t('pricing.field.completion')}>
            <Input
              inputMode="decimal"
              value={price.second}
              onChange={(event) => change({ second: event.target.value })}
            />
          </Field>
        )}
      </div>
      {problem && (
        <p role="alert" className="text-bad text-xs">
          {t(`pricing.problem.${problem}`)}
        </p>
      )}
      <Button className="self-start" onClick={apply}>
        {t('pricing.batch.apply', { count: models.length })}
      </Button>
    </div>
  )
}
