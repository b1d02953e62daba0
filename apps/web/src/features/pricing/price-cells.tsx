import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { quotaToCurrency } from '../../lib/format.ts'
import { product } from '../../lib/money.ts'
import { useMoneyDisplay } from '../../lib/status.ts'
import { byTokens, type ListedRow, tokenPrices } from './price-list.ts'

interface CellProps {
  readonly row: ListedRow
  readonly groupRatio: number
}

/** At most three decimals, and no zeros that say nothing. */
const short = (ratio: number): string => String(Number(ratio.toFixed(3)))

/** What the price is made of. */
export function RatioCell({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  if (row.unpriced) return <span className="text-faint">–</span>
  if (row.quota_type !== byTokens)
    return <span className="figures text-muted">{t('ratio.group', { ratio: groupRatio })}</span>
  return (
    <span className="figures block text-muted text-xs leading-snug">
      <span className="block">{t('ratio.model', { ratio: short(row.model_ratio) })}</span>
      <span className="block">{t('ratio.completion', { ratio: short(row.completion_ratio) })}</span>
    </span>
  )
}

/** In currency: a million tokens in and out, or one call. */
export function PriceCell({ row, groupRatio }: CellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const display = useMoneyDisplay()
  if (row.unpriced) return <span className="text-muted">{t('price.none')}</span>
  if (row.quota_type !== byTokens) {
    const price = quotaToCurrency(product(row.model_price, display.quotaPerUnit, groupRatio), display)
    const unit = row.video?.unit === 'second' ? 'price.second' : 'price.call'
    return (
      <span className="figures block whitespace-nowrap leading-snug">
        <span className="block">{t(unit, { price })}</span>
        <ResolutionLines row={row} />
      </span>
    )
  }
  const { input, output } = tokenPrices(row, groupRatio)
  return (
    <span className="figures block whitespace-nowrap leading-snug">
      <span className="block">{t('price.input', { price: quotaToCurrency(input, display) })}</span>
      <span className="block">{t('price.output', { price: quotaToCurrency(output, display) })}</span>
    </span>
  )
}

/** What resolutions and sound make of the price of a video. */
function ResolutionLines({ row }: Pick<CellProps, 'row'>): ReactNode {
  const { t } = useTranslation('pricing')
  const { resolutions = {}, sound } = row.video ?? {}
  const lines = Object.entries(resolutions).map(([resolution, ratio]) =>
    t('price.resolution', { resolution, ratio: short(ratio) }),
  )
  if (sound !== undefined) lines.push(t('price.sound', { ratio: short(sound) }))
  return lines.map((line) => (
    <span key={line} className="block text-muted text-xs">
      {line}
    </span>
  ))
}
