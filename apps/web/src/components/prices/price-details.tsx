import type { PricingRow } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatInteger } from '../../lib/format/format.ts'
import { product } from '../../lib/format/money.ts'
import { formatPrice, tokenPrices } from '../../lib/format/price.ts'
import { useWindowText } from './window-text.ts'

export interface PricedRowProps {
  readonly row: Omit<PricingRow, 'enable_groups' | 'available'>
  readonly groupRatio: number
}

/** Decides whether the model charges more than input, output and cached input. */
export function hasPriceDetails({ row }: Pick<PricedRowProps, 'row'>): boolean {
  const isCached = row.cache_ratio !== undefined && row.cache_ratio !== 1
  const parts = [
    row.audio_ratio,
    row.image_ratio,
    row.tool_prices,
    row.tier_ratios,
    row.length_steps,
    row.time_prices,
    row.video,
  ]
  return isCached || parts.some((part) => part !== undefined)
}

/** Everything that a model charges, line by line. */
export function PriceDetails({ row, groupRatio }: PricedRowProps): ReactNode {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <TokenTerms row={row} groupRatio={groupRatio} />
      <SurchargeTerms row={row} groupRatio={groupRatio} />
    </div>
  )
}

function TokenTerms({ row, groupRatio }: PricedRowProps) {
  const { t } = useTranslation('prices')
  const { quotaPerUnit } = useMoneyDisplay()
  if (row.quota_type !== 0) return null
  const terms = tokenPrices(row, groupRatio, quotaPerUnit).map(
    ({ kind, price }): Term => [t(`kind.${kind}`), formatPrice(price)],
  )
  return <Terms title={t('perMillion')} terms={terms} />
}

/** Shows the charges beside the tokens, and those that make tokens dearer; nothing for most models. */
export function SurchargeTerms({ row, groupRatio }: PricedRowProps): ReactNode {
  const { t } = useTranslation('prices')
  const windowText = useWindowText()
  const {
    tool_prices: tools = {},
    tier_ratios: tiers = {},
    length_steps: steps = [],
    time_prices: times,
    video,
  } = row
  const videoTerms = Object.entries(video?.resolutions ?? {})
  return (
    <>
      <Terms
        title={t('tools')}
        terms={Object.entries(tools).map(([tool, price]) => [tool, formatPrice(product(price, groupRatio))])}
      />
      <Terms
        title={t('tiers')}
        terms={Object.entries(tiers).map(([tier, ratio]) => [tier, t('times', { ratio })])}
      />
      <Terms
        title={t('steps')}
        terms={steps.map(({ above, ...step }) => [
          t('above', { above: formatInteger(above) }),
          t(step.cached === undefined ? 'step' : 'stepCached', step),
        ])}
      />
      <Terms
        title={t('times_of_day', { zone: times?.zone })}
        terms={(times?.windows ?? []).map((window) => [
          windowText(window),
          t('times', { ratio: window.ratio }),
        ])}
      />
      <Terms
        title={t('video')}
        terms={[
          ...videoTerms.map(([resolution, ratio]): Term => [resolution, t('times', { ratio })]),
          ...(video?.sound === undefined ? [] : [[t('sound'), t('times', { ratio: video.sound })] as const]),
        ]}
      />
    </>
  )
}

type Term = readonly [name: string, value: string]

function Terms({ title, terms }: { readonly title: string; readonly terms: readonly Term[] }) {
  if (terms.length === 0) return null
  return (
    <section>
      <h3 className="mb-0.5 text-muted text-xs">{title}</h3>
      <dl className="figures">
        {terms.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 py-px">
            <dt>{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
