import { Link } from '@tanstack/react-router'
import type { OwnOverview } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { formatInteger, formatPercent } from '../../../lib/format.ts'
import type { Summary } from '../api.ts'
import { daysLeft, errorRate, lowBalanceDays } from '../rates.ts'
import { actionLink, ProblemRow } from './problem-row.tsx'

interface BalanceRowProps {
  readonly self: Pick<OwnOverview, 'quota'>
  readonly spentInWeek: number
}

/** A balance that is used up, or soon will be. */
export function BalanceRow({ self, spentInWeek }: BalanceRowProps) {
  const { t } = useTranslation('dashboard')
  const days = daysLeft(self.quota, spentInWeek)
  const topUp = (
    <Link to="/topup" className={actionLink}>
      {t('balance.topUp')}
    </Link>
  )
  if (self.quota <= 0) {
    return (
      <ProblemRow tone="bad" title={t('balance.gone')} action={topUp}>
        {t('balance.goneHint')}
      </ProblemRow>
    )
  }
  if (days === undefined || days >= lowBalanceDays) return null
  return (
    <ProblemRow tone="warn" title={t('balance.low')} action={topUp}>
      {t('balance.lowHint', { count: Math.max(1, Math.round(days)) })}
    </ProblemRow>
  )
}

/** More failures today than may be an accident. */
export function ErrorsRow({
  today,
  everybody,
}: {
  readonly today: Summary['today']
  readonly everybody: boolean
}) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow
      tone="bad"
      title={t(everybody ? 'errors.titleAll' : 'errors.title', {
        rate: formatPercent(errorRate(today) ?? 0),
      })}
      action={
        <Link to="/log" search={{ type: 5 }} className={actionLink}>
          {t('errors.open')}
        </Link>
      }
    >
      {t('errors.hint', {
        errors: formatInteger(today.errors),
        calls: formatInteger(today.count + today.errors),
      })}
    </ProblemRow>
  )
}
