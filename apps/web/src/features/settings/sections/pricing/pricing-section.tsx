import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, priceEntryKinds, tokenPriceKinds } from '@tollgate/api'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStops } from '../../../../components/stops/index.ts'
import { Button } from '../../../../components/ui/button.tsx'
import { Skeleton } from '../../../../components/ui/states.tsx'
import { Tabs } from '../../../../components/ui/tabs.tsx'
import { Notice } from '../../../../components/ui/tag.tsx'
import { loadTexts } from '../../../../i18n/index.ts'
import { request } from '../../../../lib/api/api-client.ts'
import { lazyComponent } from '../../../../lib/lazy-component.ts'
import { settingsQuery } from '../../api.ts'
import { JsonToggle, useSettingText } from '../../fields/json-toggle.tsx'
import { SettingField } from '../../fields/setting-field.tsx'
import { mapObject, readMap } from '../../model/json-maps.ts'
import type { PriceMaps } from '../../model/prices.ts'
import { fieldName } from '../../model/texts.ts'
import { useSettings } from '../../settings-context.ts'
import { PriceTable } from './price-table.tsx'

/** Loaded with its texts, which nothing else of the page needs. */
const TimeTable = lazy(async () => {
  const [module] = await Promise.all([import('./time-table.tsx'), loadTexts('prices')])
  return { default: module.TimeTable }
})
const UnpricedModels = lazyComponent(() => import('./unpriced-models.tsx'), 'UnpricedModels')

const tableKeys = ['ModelPrice', 'ModelRatio', 'CompletionRatio'] as const
/** The kinds of prices that the table has no column for. */
const mediaKeys = [
  ...tokenPriceKinds.flatMap(({ option }) =>
    option === 'ModelRatio' || option === 'CompletionRatio' ? [] : [option],
  ),
  ...priceEntryKinds.map(({ option }) => option),
  'ModelCost',
] as const
const timeKeys = ['TimePrice', 'TimeCost'] as const
const views = ['prices', 'unpriced', 'media'] as const
/** Views without controls for readers to whom the prices are locked. */
const lockedViews = ['prices', 'media'] as const

/** Edits the prices of models: the table, the models without a price yet, and the ratios of caches, audio and images. */
export function PricingSection() {
  const { t } = useTranslation('settings')
  const [view, setView] = useState<(typeof views)[number]>('prices')
  const { maps, problems, change } = usePriceMaps()
  const lock = useSettings().lockOf('ModelRatio')
  const content = {
    prices: () => (
      <>
        {lock && <Notice tone="info">{t(lock)}</Notice>}
        <JsonToggle keys={tableKeys} readable={maps !== undefined} problems={problems}>
          {() => maps && <PriceTable maps={maps} onChange={lock ? undefined : change} />}
        </JsonToggle>
        {lock === undefined && <ResetRatios />}
      </>
    ),
    unpriced: () => (
      <Suspense fallback={<Skeleton className="h-64!" />}>
        {maps && <UnpricedModels maps={maps} onChange={change} />}
      </Suspense>
    ),
    media: () => (
      <>
        {mediaKeys.map((key) => (
          <SettingField key={key} setting={key} />
        ))}
        {timeKeys.map((key) => (
          <Suspense key={key} fallback={<Skeleton className="h-16!" />}>
            <TimeTable setting={key} />
          </Suspense>
        ))}
      </>
    ),
  }
  return (
    <Tabs
      aria-label={t('group.pricing')}
      value={view}
      onValueChange={setView}
      tabs={(lock ? lockedViews : views).map((value) => ({
        value,
        label: t(`pricing.view.${value}`),
        content: <div className="flex flex-col gap-4">{value === view && content[value]()}</div>,
      }))}
    />
  )
}

const resetRecord = { action: 'option.reset-model-ratio', kind: 'option' } as const

function ResetRatios() {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const client = useQueryClient()
  const { ask, offerUndo } = useStops()
  const reset = useMutation({
    mutationFn: () => request(calls.options.resetModelRatio),
    onSuccess: async () => {
      form.resetField(fieldName('ModelRatio'))
      offerUndo(t('pricing.resetDone'), [{ ...resetRecord, target: 'ModelRatio' }])
      await client.invalidateQueries(settingsQuery)
    },
  })
  async function resetAfterStops(): Promise<void> {
    const confirmed = await ask(
      // The browser has no table of models: the server knows the ratios of its version.
      { options: [{ key: 'ModelRatio' }] },
      {
        title: t('pricing.resetTitle'),
        confirmLabel: t('pricing.reset'),
        warning: t('pricing.resetQuestion'),
        always: true,
        kind: 'price',
      },
    )
    if (confirmed) reset.mutate()
  }

  return (
    <Button className="self-start" loading={reset.isPending} onClick={() => void resetAfterStops()}>
      {t('pricing.reset')}
    </Button>
  )
}

/** The typed price maps as one thing; `maps` is missing while one of them is not a JSON object. */
function usePriceMaps() {
  const texts = {
    perCall: useSettingText('ModelPrice'),
    ratio: useSettingText('ModelRatio'),
    completion: useSettingText('CompletionRatio'),
  }
  const perCall = readMap(texts.perCall.text)
  const ratio = readMap(texts.ratio.text)
  const completion = readMap(texts.completion.text)
  const maps: PriceMaps | undefined = perCall && ratio && completion && { perCall, ratio, completion }
  return {
    maps,
    problems: [texts.perCall.error, texts.ratio.error, texts.completion.error],
    change(next: PriceMaps) {
      for (const name of ['perCall', 'ratio', 'completion'] as const)
        if (next[name] !== maps?.[name]) texts[name].change(mapObject(next[name]))
    },
  }
}
