import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { figures } from '../../lib/figures/figures.ts'
import { abbreviateNumber, formatInteger } from '../../lib/format/format.ts'
import { timesOf } from '../../lib/format/range-times.ts'
import type { Times } from '../../lib/format/time-range.ts'
import { dateNow } from '../../lib/server-clock.ts'
import { defaultRange, type SpendRow, spentOnOthers } from './api.ts'

/** The user, what they spent in all, and a column for each of the models that cost most. */
export function useSpendColumns(
  rows: readonly SpendRow[] | undefined,
  times: Times,
): readonly DataColumn<SpendRow>[] {
  const { t } = useTranslation('spend')
  const sum = rows?.[0]
  return useMemo((): readonly DataColumn<SpendRow>[] => {
    const models = (sum?.models ?? []).map(
      (model, at): DataColumn<SpendRow> => ({
        id: `model-${model}`,
        header: model,
        width: '6.5rem',
        numeric: true,
        card: 'none',
        cell: (row) => <ModelCell row={row} model={model} quota={row.by_model[at] ?? 0} times={times} />,
      }),
    )
    const others: DataColumn<SpendRow> = {
      id: 'others',
      header: t('column.others'),
      width: '6.5rem',
      numeric: true,
      card: 'none',
      cell: (row) => <Amount quota={spentOnOthers(row)} />,
    }
    return [
      {
        id: 'user',
        header: t('column.user'),
        width: '9rem',
        grow: true,
        card: 'title',
        cell: (row) => <UserCell row={row} />,
      },
      {
        id: 'total',
        header: t('column.total'),
        width: '6.5rem',
        numeric: true,
        fixed: true,
        card: 'corner',
        cell: ({ quota }) => <Money quota={quota} single className="font-medium" />,
      },
      {
        id: 'calls',
        header: t('column.calls'),
        width: '5rem',
        numeric: true,
        cell: ({ count }) => <span className="figures">{formatInteger(count)}</span>,
      },
      {
        id: 'tokens',
        header: t('column.tokens'),
        width: '6rem',
        numeric: true,
        cell: ({ token_used: tokens }) => (
          <span className="figures" title={formatInteger(tokens)}>
            {abbreviateNumber(tokens)}
          </span>
        ),
      },
      ...models,
      ...(sum !== undefined && spentOnOthers(sum) !== 0 ? [others] : []),
    ]
  }, [t, sum, times])
}

function UserCell({ row: { id, username } }: { readonly row: SpendRow }) {
  const { t } = useTranslation('spend')
  if (id === 0) return <span className="font-medium">{t('allUsers')}</span>
  return (
    <Link
      to="/user/edit/$id"
      params={{ id: String(id) }}
      title={username}
      className="block truncate hover:text-accent-text hover:underline"
    >
      {username || `#${id}`}
    </Link>
  )
}

interface ModelCellProps {
  readonly row: SpendRow
  readonly model: string
  readonly quota: number
  readonly times: Times
}

/** Leads to the calls that it is the sum of. */
function ModelCell({ row, model, quota, times }: ModelCellProps) {
  if (quota === 0) return <Amount quota={0} />
  const now = dateNow()
  const { from = 0, to = Math.floor(now.getTime() / 1000) } = timesOf(times, now, defaultRange)
  const { link } = figures.spentOnModel.of(
    { ...row, model, quota },
    { from, to, table: { models: [], rows: [] } },
  )
  if (link === undefined) return <Amount quota={quota} />
  return (
    <Link to="/log" search={link} className="hover:text-accent-text hover:underline">
      <Amount quota={quota} />
    </Link>
  )
}

function Amount({ quota }: { readonly quota: number }) {
  if (quota === 0) return <span className="text-muted">–</span>
  return <Money quota={quota} single />
}
