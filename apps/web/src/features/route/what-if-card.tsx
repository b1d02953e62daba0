import { useQuery } from '@tanstack/react-query'
import type { RouteChange, RouteOutcome, WhatIf } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { FirstOf } from '../../components/ui/first-of.tsx'
import { Money } from '../../components/ui/money.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { cx } from '../../lib/cx.ts'
import { formatDuration, formatInteger, formatPercent } from '../../lib/format/format.ts'
import { whatIfQuery } from './api.ts'

interface WhatIfCardProps {
  readonly group: string
  readonly model: string
  readonly changes: readonly RouteChange[]
  readonly actions: ReactNode
}

/** Last week's calls of the model, routed as they are and with the typed priorities and weights. */
export function WhatIfCard({ group, model, changes, actions }: WhatIfCardProps) {
  const { t } = useTranslation('route')
  const query = useQuery(whatIfQuery(group, model, changes))
  return (
    <Card
      title={t('whatIf.titleOf', { model })}
      description={t(changes.length === 0 ? 'whatIf.hint' : 'whatIf.description')}
      action={<div className="flex flex-wrap justify-end gap-2">{actions}</div>}
    >
      <QueryBoundary query={query} waiting="h-40!">
        {(data) =>
          data.calls === 0 ? (
            <p className="text-muted text-sm">{t('whatIf.noCalls', { group, model })}</p>
          ) : (
            <Comparison data={data} isChanged={changes.length > 0} />
          )
        }
      </QueryBoundary>
    </Card>
  )
}

interface FigureRow {
  readonly name: 'failed' | 'retried' | 'latency' | 'cost'
  readonly read: (outcome: RouteOutcome) => number | null
  readonly show: (value: number) => ReactNode
}

const figures: readonly FigureRow[] = [
  { name: 'failed', read: ({ failed }) => failed, show: (value) => formatInteger(Math.round(value)) },
  { name: 'retried', read: ({ retried }) => retried, show: (value) => formatInteger(Math.round(value)) },
  { name: 'latency', read: ({ latency_ms: ms }) => ms, show: formatDuration },
  {
    name: 'cost',
    read: ({ cost, costed }) => (costed === 0 ? null : cost),
    show: (value) => <Money quota={Math.round(value)} single />,
  },
]

function Comparison({ data, isChanged }: { readonly data: WhatIf; readonly isChanged: boolean }) {
  const { t } = useTranslation('route')
  return (
    <div className="flex flex-col gap-4">
      <table className="figures w-full table-fixed text-sm">
        <caption className="mb-2 text-left text-muted text-xs">
          {t('whatIf.calls', {
            count: Math.round(data.calls),
            number: formatInteger(Math.round(data.calls)),
          })}
          {data.before.costed < 1 && ` · ${t('whatIf.costed', { part: formatPercent(data.before.costed) })}`}
        </caption>
        <thead className="text-muted text-xs">
          <tr>
            <th scope="col" className="w-2/5 py-1.5 text-left font-normal">
              {t('whatIf.figure')}
            </th>
            <th scope="col" className="py-1.5 text-right font-normal">
              {t('whatIf.before')}
            </th>
            <th scope="col" className="py-1.5 text-right font-normal">
              {t('whatIf.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map((figure) => (
            <ComparedRow key={figure.name} figure={figure} data={data} isChanged={isChanged} />
          ))}
        </tbody>
      </table>
      <Moved data={data} isChanged={isChanged} />
    </div>
  )
}

function ComparedRow({
  figure: { name, read, show },
  data,
  isChanged,
}: {
  readonly figure: FigureRow
  readonly data: WhatIf
  readonly isChanged: boolean
}) {
  const { t } = useTranslation('route')
  const [before, after] = [read(data.before), read(data.after)]
  const isLess = isChanged && before !== null && after !== null && after < before
  const isMore = isChanged && before !== null && after !== null && after > before
  return (
    <tr className="border-t">
      <th scope="row" className="py-1.5 text-left font-normal">
        {t(`whatIf.${name}`)}
      </th>
      <td className="py-1.5 text-right">{before === null ? '–' : show(before)}</td>
      <td className={cx('py-1.5 text-right', isLess && 'text-good', isMore && 'text-bad')}>
        {!isChanged || after === null ? '–' : show(after)}
      </td>
    </tr>
  )
}

const visibleChannels = 8

/** Shows which channels answer how many of the calls. */
function Moved({
  data: { channels, calls },
  isChanged,
}: {
  readonly data: WhatIf
  readonly isChanged: boolean
}) {
  const { t } = useTranslation('route')
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      <FirstOf as="li" items={channels} max={visibleChannels}>
        {({ id, name, before, after, observed }) => (
          <li key={id} className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 truncate" title={name}>
              {name}
              {!observed && <span className="ml-1.5 text-muted text-xs">{t('whatIf.unobserved')}</span>}
            </span>
            <span className="figures shrink-0 text-muted">
              {formatPercent(before / calls)}
              {isChanged && <span className="text-text"> → {formatPercent(after / calls)}</span>}
            </span>
          </li>
        )}
      </FirstOf>
    </ul>
  )
}
