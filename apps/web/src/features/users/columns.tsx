import type { ListedUser } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn } from '../../components/data-table/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { cx } from '../../lib/cx.ts'
import { abbreviateNumber, formatInteger } from '../../lib/format/format.ts'
import { InvitedCell, NameCell, RoleCell, StateCell } from './cells.tsx'
import { RowActions } from './row-actions.tsx'

/** The list's columns, in reading order: who, what they may, what they have and spent. On a card the figures stand beside the buttons. */
export function useUserColumns(): readonly DataColumn<ListedUser>[] {
  const { t } = useTranslation('users')
  const tight = useGridBelow(1360)
  const tablet = useGridBelow(960)
  const small = useGridBelow(768)
  return useMemo(
    (): readonly DataColumn<ListedUser>[] => [
      {
        id: 'username',
        sortable: true,
        header: t('column.name'),
        card: 'title',
        cell: (user) => <NameCell user={user} />,
      },
      {
        id: 'id',
        sortable: true,
        header: t('column.id'),
        numeric: true,
        hidden: tablet,
        card: 'none',
        cell: ({ id }) => <span className="text-muted">{id}</span>,
      },
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (user) => <StateCell user={user} />,
      },
      {
        id: 'role',
        header: t('column.role'),
        hidden: small,
        card: 'none',
        cell: (user) => <RoleCell user={user} />,
      },
      {
        id: 'group',
        header: t('column.group'),
        hidden: tablet,
        card: 'none',
        cell: ({ group }) => <Tag className="max-w-28">{group}</Tag>,
      },
      {
        id: 'quota',
        sortable: true,
        header: t('column.balance'),
        numeric: true,
        card: 'none',
        cell: ({ quota }) => <Money quota={quota} single={tight} className={cx(quota < 0 && 'text-bad')} />,
      },
      {
        id: 'used_quota',
        sortable: true,
        header: t('column.used'),
        numeric: true,
        hidden: tablet,
        card: 'none',
        cell: ({ used_quota: used }) => <Money quota={used} single={tight} />,
      },
      {
        id: 'request_count',
        sortable: true,
        header: t('column.calls'),
        numeric: true,
        hidden: tight,
        card: 'none',
        cell: ({ request_count: count }) => (
          <span title={formatInteger(count)}>{abbreviateNumber(count)}</span>
        ),
      },
      {
        id: 'invited',
        header: t('column.invited'),
        numeric: true,
        hidden: tight,
        card: 'none',
        cell: (user) => <InvitedCell user={user} />,
      },
      { id: actionsColumn, header: '', cell: (user) => <RowActions user={user} /> },
    ],
    [t, tight, tablet, small],
  )
}
