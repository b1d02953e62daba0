import { type ListedUser, userColumns } from '@tollgate/api'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { useColumnLabel, useFieldColumns } from '../../components/list/index.ts'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { cx } from '../../lib/cx.ts'
import { abbreviateNumber, formatInteger } from '../../lib/format/format.ts'
import { InvitedCell, LastLoginCell, NameCell, RoleCell, StateCell } from './cells.tsx'
import { RowActions } from './row-actions.tsx'

/** Ids in reading order: who, what they may, what they have and spent. On a card the figures stand beside the buttons. */
const order = [
  ...['username', 'id', 'status', 'role', 'group', 'quota', 'used_quota', 'request_count', 'invited'],
  ...['created_at', 'last_login_at'],
]

/** Cells that say more than the value of their field. */
const cells = {
  username: (user: ListedUser) => <NameCell user={user} />,
  id: ({ id }: ListedUser) => <span className="text-muted">{id}</span>,
  status: (user: ListedUser) => <StateCell user={user} />,
  role: (user: ListedUser) => <RoleCell user={user} />,
  group: ({ group }: ListedUser) => <Tag className="max-w-28">{group}</Tag>,
  quota: ({ quota }: ListedUser, isTight: boolean) => (
    <Money quota={quota} single={isTight} className={cx(quota < 0 && 'text-bad')} />
  ),
  created_at: ({ created_at: at }: ListedUser) => <RelativeTime at={at} day />,
  last_login_at: (user: ListedUser) => <LastLoginCell user={user} />,
  request_count: ({ request_count: count }: ListedUser) => (
    <span title={formatInteger(count)}>{abbreviateNumber(count)}</span>
  ),
}

const numeric = { numeric: true } as const
const own = { username: { card: 'title' }, id: numeric, request_count: numeric } as const

const actions = (user: ListedUser): ReactNode => <RowActions user={user} />

/** The list's columns. */
export function useUserColumns(): readonly DataColumn<ListedUser>[] {
  const { t } = useTranslation('users')
  const tight = useGridBelow(1360)
  const others = useMemo(
    (): readonly DataColumn<ListedUser>[] => [
      {
        id: 'invited',
        header: t('column.invited'),
        numeric: true,
        hidden: tight,
        card: 'none',
        cell: (user) => <InvitedCell user={user} />,
      },
    ],
    [t, tight],
  )
  return useFieldColumns<ListedUser>({
    fields: userColumns,
    label: useColumnLabel('users'),
    ...{ cells, actions, own, others, order },
  })
}
