import type { Token } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn, nameColumn } from '../../components/data-table/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { KeyCell } from './cells/key-cell.tsx'
import { StatusCell } from './cells/status-cell.tsx'
import { ExpiryCell, GroupCell, LastUsedCell, RemainingCell } from './cells/value-cells.tsx'
import { RowActions, type RowActionsProps } from './row-actions.tsx'

/** Windows that have a grid, but no room for all of it beside the side menu. */
const tightWindow = '(600px <= width < 1360px)'
/** What a tablet has room for: name, status, key, used and remaining. */
const narrowWindow = '(600px <= width < 1200px)'

/** The list's columns, in reading order. A tight window starts with fewer figures, so that the actions stay in view. */
export function useTokenColumns({ onShowUse }: Pick<RowActionsProps, 'onShowUse'>) {
  const { t } = useTranslation('tokens')
  const tight = useMediaQuery(tightWindow)
  const narrow = useMediaQuery(narrowWindow)
  return useMemo(
    (): readonly DataColumn<Token>[] => [
      nameColumn(t('column.name')),
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (token) => <StatusCell token={token} />,
      },
      {
        id: 'group',
        hidden: narrow,
        header: t('column.group'),
        card: 'none',
        cell: ({ group }) => <GroupCell group={group} />,
      },
      // On a phone, key and figures stand at the foot of the card, beside the buttons.
      { id: 'key', header: t('column.key'), card: 'none', cell: (token) => <KeyCell token={token} /> },
      {
        id: 'used_quota',
        sortable: true,
        header: t('column.used'),
        numeric: true,
        card: 'none',
        cell: ({ used_quota }) => <Money quota={used_quota} single={tight} />,
      },
      {
        id: 'remain_quota',
        sortable: true,
        header: t('column.remaining'),
        numeric: true,
        card: 'none',
        cell: (token) => <RemainingCell token={token} single={tight} />,
      },
      {
        id: 'accessed_time',
        hidden: narrow,
        sortable: true,
        header: t('column.lastUsed'),
        card: 'none',
        cell: (token) => <LastUsedCell token={token} />,
      },
      {
        id: 'expired_time',
        hidden: narrow,
        sortable: true,
        header: t('column.expires'),
        card: 'none',
        cell: (token) => <ExpiryCell token={token} />,
      },
      {
        id: 'created_time',
        sortable: true,
        header: t('column.created'),
        hidden: tight,
        card: 'none',
        cell: ({ created_time }) => <RelativeTime at={created_time} />,
      },
      {
        id: actionsColumn,
        header: '',
        cell: (token) => <RowActions token={token} onShowUse={onShowUse} />,
      },
    ],
    [t, tight, narrow, onShowUse],
  )
}
