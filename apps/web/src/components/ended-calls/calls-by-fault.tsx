import { Link } from '@tanstack/react-router'
import { type CallsOfWeek, type CallTotals, faults } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { figures } from '../../lib/figures/figures.ts'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'

export interface CallsByFaultProps {
  readonly calls: CallsOfWeek
  /** Whose failures the log shows. */
  readonly of: { readonly user: string } | { readonly key: number }
}

/** How calls of the week ended for their caller: how many failed, and by whose fault. */
export function CallsByFault(props: CallsByFaultProps) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('ended.title')} className="flex flex-col gap-1.5">
      <h3 className="flex items-baseline gap-2 font-semibold text-sm">
        {t('ended.title')}
        <span className="font-normal text-muted text-xs">{t('ended.period')}</span>
      </h3>
      <Counts {...props} />
    </section>
  )
}

/** Causes in the order of the table; a response that broke off is no refusal, and has a row in the log like a success. */
const causes = [...faults, 'broken'] as const

function Counts({ calls, of }: CallsByFaultProps) {
  const { t } = useTranslation()
  const { today, week } = calls
  const all = week.ok + causes.reduce((sum, cause) => sum + countOf(week, cause), 0)
  if (all === 0) return <p className="text-muted text-sm">{t('ended.none')}</p>
  const found = causes.filter((cause) => countOf(week, cause) > 0)
  const sorted = found.toSorted((a, b) => countOf(week, b) - countOf(week, a))
  return (
    <>
      <p className="text-sm">
        {t('ended.count', { count: all, all: formatInteger(all) })} <Failed calls={calls} of={of} all={all} />
      </p>
      {sorted.length > 0 && (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-4 gap-y-1 rounded border bg-sunken px-3 py-2 text-sm">
          {sorted.map((cause) => (
            <div key={cause} className="contents">
              <dt>{t(`fault.${cause}`)}</dt>
              <dd className="figures text-right text-muted text-xs leading-5">
                {countOf(today, cause) > 0 &&
                  t('ended.today', { amount: formatInteger(countOf(today, cause)) })}
              </dd>
              <dd className="figures text-right font-medium">{formatInteger(countOf(week, cause))}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

/** The failed calls that the log has, and how many more were refused without a row. */
function Failed({ calls, of, all }: CallsByFaultProps & { readonly all: number }) {
  const { t } = useTranslation()
  const { value, link } = figures.failedOf.of(undefined, { calls, ...of })
  const failed = faults.reduce((sum, fault) => sum + calls.week.faults[fault], 0)
  if (failed === 0 && value === 0) return <span className="text-muted">{t('ended.noneFailed')}</span>
  return (
    <>
      <Link to="/log" search={link ?? {}} className="text-accent-text hover:underline">
        {t('ended.failed', { failed: formatInteger(value), rate: formatPercent(value / all) })}
      </Link>
      {failed > value && (
        <span className="text-muted">
          {' '}
          · {t('ended.unlogged', { number: formatInteger(failed - value) })}
        </span>
      )}
    </>
  )
}

function countOf(totals: CallTotals, cause: (typeof causes)[number]): number {
  return cause === 'broken' ? totals.broken : totals.faults[cause]
}
