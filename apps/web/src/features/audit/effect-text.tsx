import { useTranslation } from 'react-i18next'
import { NoValue } from '../../components/ui/tag.tsx'
import { cx } from '../../lib/cx.ts'
import { formatPercent } from '../../lib/format/format.ts'
import { type Effect, trendOf } from './effect.ts'

const looks = { rose: 'text-bad', fell: 'text-good', same: 'text-muted' } as const

/** The share of calls that failed before and after: `2 % → 31 %`. */
export function EffectText({ effect }: { readonly effect: Effect | undefined }) {
  const { t } = useTranslation('audit')
  if (effect === undefined) return <NoValue />
  const { before, after, seconds } = effect
  const trend = trendOf(effect)
  const hours = Math.round(seconds / 3600)
  return (
    <span
      className={cx('figures whitespace-nowrap text-xs', looks[trend])}
      title={t('effect.hint', { count: hours })}
    >
      {t(`effect.${trend}`)} {formatPercent(before)} → {formatPercent(after)}
    </span>
  )
}
