import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../../../components/ui/choice.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../../components/ui/states.tsx'
import { enabledModelsQuery } from '../../api.ts'
import { type BatchPrice, withBatchPrice } from '../../model/batch-prices.ts'
import type { PriceMaps } from '../../model/prices.ts'
import { BatchPriceForm } from './batch-price-form.tsx'

export interface UnpricedModelsProps {
  readonly maps: PriceMaps
  readonly onChange: (maps: PriceMaps) => void
}

/** Models that enabled channels serve and nobody has priced; several get a price at once. */
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
