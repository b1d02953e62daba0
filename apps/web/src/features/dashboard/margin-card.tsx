import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Margin, type MarginKind, type MarginRow, marginKinds } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MarginFigure } from '../../components/margin/margin-figure.tsx'
import { Card } from '../../components/ui/card.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { Money } from '../../components/ui/money.tsx'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { useSeen } from '../../lib/browser/use-seen.ts'
import { cx } from '../../lib/cx.ts'
import type { Range } from '../../lib/figures/figure.ts'
import { figures } from '../../lib/figures/figures.ts'
import { formatPercent } from '../../lib/format/format.ts'
import { marginOf, marginQuery } from '../../lib/margin.ts'

const days = 7
const listed = 8
/** As many as one response has. */
const maxListed = 1000

/** Shows charges and the operator's costs, by model, channel or customer; for administrators. */
export function MarginCard() {
  const { t } = useTranslation('dashboard')
  const [by, setBy] = useState<MarginKind>('model')
  const [isAll, setAll] = useState(false)
  const { ref, seen } = useSeen()
  const { data, error, isFetching, refetch } = useQuery({
    ...marginQuery({ by, days, limit: isAll ? maxListed : listed + 1 }),
    enabled: seen,
  })
  return (
    <Card title={t('margin.title')} description={t('margin.description')}>
      <div ref={ref} className="flex flex-col gap-3">
        <div className="flex">
          <SegmentedControl
            label={t('margin.by')}
            value={by}
            options={marginKinds.map((value) => ({ value, label: t(`margin.kind.${value}`) }))}
            onChange={setBy}
          />
        </div>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />}
        {!data && !error && <Skeleton className="h-48!" />}
        {data && <Margins by={by} margin={data} isAll={isAll} onShowAll={() => setAll(true)} />}
      </div>
    </Card>
  )
}

interface MarginsProps {
  readonly by: MarginKind
  readonly margin: Margin & Range
  readonly isAll: boolean
  readonly onShowAll: () => void
}

function Margins({ by, margin: { total, rows: known, from, to }, isAll, onShowAll }: MarginsProps) {
  const { t } = useTranslation('dashboard')
  if (total.calls === 0) return <p className="text-muted text-sm">{t('margin.none')}</p>
  const share = total.costed_calls / total.calls
  const rows = isAll ? known : known.filter((_, rank) => rank < listed)
  return (
    <div className="flex flex-col gap-3">
      <table className="figures w-full table-fixed text-sm">
        <caption className="sr-only">{t('margin.title')}</caption>
        <thead className="text-muted text-xs">
          <tr>
            <th scope="col" className={cx(cell, 'w-2/5 text-left font-normal max-sm:w-[38%]')}>
              {t(`margin.kind.${by}`)}
            </th>
            <th scope="col" className={cx(cell, amount, 'font-normal')}>
              {t('margin.charged')}
            </th>
            <th scope="col" className={cx(cell, amount, 'font-normal max-sm:hidden')}>
              {t('margin.cost')}
            </th>
            <th scope="col" className={cx(cell, amount, 'font-normal')}>
              {t('margin.margin')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FiguresRow key={`${row.model_name} ${row.id}`} sums={row}>
              <RowLink by={by} row={row} from={from} to={to} />
            </FiguresRow>
          ))}
        </tbody>
        <tfoot>
          <FiguresRow sums={total} strong>
            {t('margin.total')}
          </FiguresRow>
        </tfoot>
      </table>
      <p className="text-muted text-xs">
        {known.length > rows.length && (
          <>
            {t('margin.more', { count: listed })} ·{' '}
            <button
              type="button"
              onClick={onShowAll}
              className="text-accent-text hover:underline max-sm:min-h-9"
            >
              {t('margin.showAll')}
            </button>{' '}
            ·{' '}
          </>
        )}
        {t('margin.known', { share: formatPercent(share) })}
      </p>
    </div>
  )
}

const cell = 'px-2 py-1.5 first:pl-0 last:pr-0 max-sm:px-1'
const amount = 'text-right'

interface FiguresRowProps {
  readonly sums: Margin['total']
  readonly strong?: boolean
  readonly children: ReactNode
}

function FiguresRow({ sums, strong = false, children }: FiguresRowProps) {
  const { t } = useTranslation('dashboard')
  const visible = marginOf(sums)
  const rule = strong && 'font-medium border-t border-line-strong'
  return (
    <tr className={strong ? '' : 'border-b last:border-b-0'}>
      <th scope="row" className={cx(cell, rule, 'truncate text-left font-normal')}>
        {children}
      </th>
      <td className={cx(cell, rule, amount)}>
        <Money quota={sums.quota} single />
      </td>
      <td className={cx(cell, rule, amount, 'text-muted max-sm:hidden')}>
        {visible ? <Money quota={sums.cost} single /> : t('margin.unknown')}
      </td>
      <td className={cx(cell, rule, amount)}>
        {visible ? (
          <MarginFigure margin={visible.margin} rate={visible.rate} stacked />
        ) : (
          <span className="text-muted">{t('margin.unknown')}</span>
        )}
      </td>
    </tr>
  )
}

/** Leads to the calls that the figures are of. */
function RowLink({ by, row, from, to }: Range & { readonly by: MarginKind; readonly row: MarginRow }) {
  const { t } = useTranslation('dashboard')
  const { model_name: model, id, name } = row
  const gone = by === 'channel' ? 'margin.goneChannel' : 'margin.goneUser'
  const text = by === 'model' ? model || t('margin.noModel') : name || t(gone, { id })
  const { link } = figures.margin.of(row, { by, from, to, rows: [] })
  if (link === undefined) return text
  return (
    <Link
      to="/log"
      search={link}
      title={text}
      className={cx('hover:text-accent-text hover:underline', by === 'model' && 'font-mono text-[0.93em]')}
    >
      {text}
    </Link>
  )
}
