import { Link } from '@tanstack/react-router'
import { type AttemptsOfWeek, type AttemptTotals, faults } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'

export interface AttemptsByFaultProps {
  readonly attempts: AttemptsOfWeek
  /** Whose failures the log shows. */
  readonly log: { readonly user?: string; readonly token?: string }
}

/** How attempts of the week ended: how many failed, and by whose fault. */
export function AttemptsByFault({ attempts, log }: AttemptsByFaultProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('attempts.title')} className="flex flex-col gap-1.5">
      <h3 className="flex items-baseline gap-2 font-semibold text-sm">
        {t('attempts.title')}
        <span className="font-normal text-muted text-xs">{t('attempts.period')}</span>
      </h3>
      <Counts {...attempts} log={log} />
    </section>
  )
}

function Counts({ today, week, log }: AttemptsOfWeek & Pick<AttemptsByFaultProps, 'log'>) {
  const { t } = useTranslation()
  const failed = failuresOf(week)
  const all = week.ok + failed
  if (all === 0) return <p className="text-muted text-sm">{t('attempts.none')}</p>
  const found = faults.filter((fault) => week.faults[fault] > 0)
  const sorted = found.toSorted((a, b) => week.faults[b] - week.faults[a])
  return (
    <>
      <p className="text-sm">
        {t('attempts.count', { count: all, all: formatInteger(all) })}{' '}
        {failed === 0 ? (
          <span className="text-muted">{t('attempts.noneFailed')}</span>
        ) : (
          <Link
            to="/log"
            search={{ ...log, type: 5, range: '7d' }}
            className="text-accent-text hover:underline"
          >
            {t('attempts.failed', { failed: formatInteger(failed), rate: formatPercent(failed / all) })}
          </Link>
        )}
      </p>
      {sorted.length > 0 && (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-4 gap-y-1 rounded border bg-sunken px-3 py-2 text-sm">
          {sorted.map((fault) => (
            <div key={fault} className="contents">
              <dt>{t(`attempts.fault.${fault}`)}</dt>
              <dd className="figures text-right text-muted text-xs leading-5">
                {today.faults[fault] > 0 &&
                  t('attempts.today', { amount: formatInteger(today.faults[fault]) })}
              </dd>
              <dd className="figures text-right font-medium">{formatInteger(week.faults[fault])}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

function failuresOf(totals: AttemptTotals): number {
  return faults.reduce((sum, fault) => sum + totals.faults[fault], 0)
}
