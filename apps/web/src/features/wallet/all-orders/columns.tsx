import { Link } from '@tanstack/react-router'
import type { WireTopUpOrderWithUser } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn } from '../../../components/data-table/index.ts'
import { CopyText } from '../../../components/ui/copy.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { useGridBelow } from '../../../lib/browser/media-query.ts'
import { OrderPrice, OrderQuota, OrderState } from '../order-state.tsx'
import { useMethodName } from '../top-up-card.tsx'
import { RowActions } from './row-actions.tsx'

interface CellProps {
  readonly order: WireTopUpOrderWithUser
}

/** Returns the columns of an order: its user, its content, its state, and its names here and at the provider. */
export function useAllOrderColumns(): readonly DataColumn<WireTopUpOrderWithUser>[] {
  const { t } = useTranslation('wallet')
  const tight = useGridBelow(1400)
  const narrow = useGridBelow(1100)
  const narrowest = useGridBelow(900)
  return useMemo(
    (): readonly DataColumn<WireTopUpOrderWithUser>[] => [
      {
        id: 'user',
        header: t('orders.user'),
        card: 'title',
        cell: (order) => <UserCell order={order} />,
      },
      {
        id: 'status',
        header: t('orders.status'),
        card: 'corner',
        cell: (order) => <OrderState order={order} />,
      },
      {
        id: 'money',
        header: t('orders.money'),
        numeric: true,
        card: 'none',
        cell: (order) => <OrderPrice order={order} />,
      },
      {
        id: 'quota',
        header: t('orders.quota'),
        numeric: true,
        card: 'none',
        cell: (order) => <OrderQuota order={order} />,
      },
      {
        id: 'method',
        header: t('orders.method'),
        card: 'none',
        hidden: tight,
        cell: (order) => <Method order={order} />,
      },
      {
        id: 'time',
        header: t('orders.time'),
        card: 'none',
        cell: ({ create_time }) => <RelativeTime at={create_time} />,
      },
      {
        id: 'trade_no',
        header: t('orders.tradeNo'),
        card: 'none',
        hidden: narrowest,
        cell: ({ trade_no }) => <Name value={trade_no} />,
      },
      {
        id: 'provider_id',
        header: t('orders.providerId'),
        card: 'none',
        hidden: narrow,
        cell: ({ provider_trade_no }) => <Name value={provider_trade_no} />,
      },
      { id: actionsColumn, header: '', cell: (order) => <RowActions order={order} /> },
    ],
    [t, tight, narrow, narrowest],
  )
}

/** Leads to the person; a number where the account is gone. */
function UserCell({ order: { user_id: id, username } }: CellProps) {
  return (
    <Link
      to="/user/edit/$id"
      params={{ id: String(id) }}
      title={username}
      className="block max-w-48 truncate hover:text-accent-text hover:underline max-sm:max-w-full"
    >
      {username || `#${id}`}
    </Link>
  )
}

function Method({ order: { payment_method: method } }: CellProps) {
  return <span className="whitespace-nowrap">{useMethodName()(method)}</span>
}

/** A name that nobody reads and many copy. */
function Name({ value }: { readonly value: string }) {
  if (value === '') return <span className="text-muted">–</span>
  return (
    <span className="block max-w-44 truncate">
      <CopyText value={value} />
    </span>
  )
}
