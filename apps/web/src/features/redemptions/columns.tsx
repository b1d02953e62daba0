import type { WireRedemption } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn, nameColumn } from '../../components/data-table/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { CodeCell, RedeemedCell, StatusCell } from './cells.tsx'
import { RowActions } from './row-actions.tsx'

/** Windows that have a grid, but no room for all of it. */
const tightWindow = '(600px <= width < 960px)'

/** The list's columns, in reading order; ids of the columns that sort are the server's words for them. */
export function useRedemptionColumns(): readonly DataColumn<WireRedemption>[] {
  const { t } = useTranslation('redemptions')
  const tight = useMediaQuery(tightWindow)
  return useMemo(
    () => [
      nameColumn(t('column.name')),
      {
        id: 'id',
        sortable: true,
        numeric: true,
        header: t('column.id'),
        card: 'none',
        cell: ({ id }) => <span className="figures text-muted">{id}</span>,
      },
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (code) => <StatusCell code={code} />,
      },
      // On a phone, what it is worth, its code and who redeemed it stand at the foot of the card, beside the buttons.
      {
        id: 'quota',
        sortable: true,
        numeric: true,
        header: t('column.quota'),
        card: 'none',
        cell: ({ quota }) => <Money quota={quota} />,
      },
      { id: 'code', header: t('column.code'), card: 'none', cell: (code) => <CodeCell code={code} /> },
      {
        id: 'redeemed_time',
        sortable: true,
        header: t('column.redeemed'),
        card: 'none',
        cell: (code) => <RedeemedCell code={code} />,
      },
      {
        id: 'created',
        header: t('column.created'),
        hidden: tight,
        card: 'none',
        cell: ({ created_time }) => <RelativeTime at={created_time} />,
      },
      { id: actionsColumn, header: '', cell: (code) => <RowActions code={code} /> },
    ],
    [t, tight],
  )
}
