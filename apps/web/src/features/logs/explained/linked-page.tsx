import '../../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { LinkedCharge, LinkedChargesWire, LogEntry } from '@tollgate/api'
import { logTypes } from '@tollgate/api'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { Page, PageHeader } from '../../../components/ui/page.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDateTime, formatInteger, quotaToCurrency } from '../../../lib/format/format.ts'
import type { MoneyDisplay } from '../../../lib/format/money-display.ts'
import { ChargeSection } from '../charge/charge-section.tsx'
import { linkedQuery } from './api.ts'

const route = getRouteApi('/plain/charge/$token')

/** A charge, or those of a day, for whoever has the link to it. */
export function LinkedChargePage(): ReactNode {
  const { t } = useTranslation('logs')
  const { token } = route.useParams()
  const query = useQuery(linkedQuery(token))
  useNoIndex()
  return (
    <div className="mx-auto w-full max-w-[760px]">
      <Page layout="form">
        <PageHeader title={t(query.data?.day ? 'linked.titleOfDay' : 'linked.title')} />
        <QueryBoundary query={query}>
          {(content) => (
            <article className="printed flex flex-col gap-4 rounded-lg border bg-surface px-5 py-4 max-sm:px-4">
              {content.charge && <Charge charge={content.charge} />}
              {content.day && <Day day={content.day} quotaPerUnit={content.quota_per_unit} />}
              <p className="text-muted text-xs">
                {t('linked.until', { time: formatDateTime(content.expires_at) })}
              </p>
            </article>
          )}
        </QueryBoundary>
      </Page>
    </div>
  )
}

/** Tells search engines that follow the link inside the console, where no header says it. */
function useNoIndex(): void {
  useEffect(() => {
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex, nofollow'
    document.head.append(meta)
    return () => meta.remove()
  }, [])
}

/** What a row of the log has beside what the link shows: nothing. */
const hidden = {
  ...{ id: 0, user_id: 0, username: '', token_id: 0, channel: 0, channel_name: '' },
  ...{ use_time: 0, content: '', other: '', type: logTypes.consumption },
} as const

function Charge({ charge }: { readonly charge: LinkedCharge }) {
  const { t } = useTranslation('logs')
  const { terms, credited, ...shown } = charge
  const entry: LogEntry = { ...hidden, ...shown }
  const facts = [
    [t('linked.time'), formatDateTime(charge.created_at)],
    [t('linked.model'), charge.model_name],
    [t('linked.key'), charge.token_name],
    [t('linked.request'), charge.request_id],
  ] as const
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5 text-sm max-sm:grid-cols-1">
        {facts
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div key={label} className="flex min-w-0 flex-wrap gap-x-2">
              <dt className="text-muted">{label}</dt>
              <dd className="figures min-w-0 wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
      <ChargeSection entry={entry} other={terms} />
      {credited !== undefined && (
        <Notice tone="good">
          {t('goodwill.given')} <Money quota={credited} exact single />
        </Notice>
      )}
    </>
  )
}

type LinkedDay = NonNullable<LinkedChargesWire['day']>

function Day({ day, quotaPerUnit }: { readonly day: LinkedDay; readonly quotaPerUnit: number }) {
  const { t } = useTranslation('logs')
  const amounts = { ...day.charges, quotaPerUnit }
  return (
    <>
      <p className="text-sm">
        {t('linked.span', { from: formatDateTime(day.from), to: formatDateTime(day.end - 1) })}
      </p>
      <DayLines title={t('linked.byModel')} lines={day.by_model} total={amounts} />
      <DayLines title={t('linked.byKey')} lines={day.by_key} total={amounts} />
    </>
  )
}

interface DayLinesProps {
  readonly title: string
  readonly lines: LinkedDay['by_model']
  readonly total: LinkedDay['charges'] & { readonly quotaPerUnit: number }
}

function DayLines({ title, lines, total }: DayLinesProps) {
  const { t } = useTranslation('logs')
  const display = { quotaPerUnit: total.quotaPerUnit, inCurrency: true }
  return (
    <table className="figures w-full text-sm">
      <caption className="pb-1 text-left font-semibold">{title}</caption>
      <thead className="text-muted text-xs">
        <tr className="border-b">
          <th className="py-1 text-left font-normal" aria-label={t('linked.name')} />
          <th className="px-2 py-1 text-right font-normal">{t('linked.calls')}</th>
          <th className="py-1 text-right font-normal">{t('linked.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two keys may have one name
          <DayLine key={index} {...line} name={line.name || t('linked.other')} display={display} />
        ))}
        <DayLine {...total} name={t('linked.total')} display={display} strong />
      </tbody>
    </table>
  )
}

interface DayLineProps {
  readonly name: string
  readonly calls: number
  readonly amount: number
  readonly display: MoneyDisplay
  readonly strong?: boolean
}

function DayLine({ name, calls, amount, display, strong = false }: DayLineProps) {
  return (
    <tr className={strong ? 'font-semibold' : 'border-b'}>
      <th scope="row" className={cx('wrap-anywhere py-1.5 text-left', !strong && 'font-normal')}>
        {name}
      </th>
      <td className="px-2 py-1.5 text-right text-muted">{formatInteger(calls)}</td>
      <td className="whitespace-nowrap py-1.5 text-right">{quotaToCurrency(amount, display, 6)}</td>
    </tr>
  )
}
