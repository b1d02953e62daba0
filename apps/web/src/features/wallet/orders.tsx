import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { WireTopUpOrder } from '@tollgate/api'
import { ReceiptText, RotateCw } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { actionsColumn, type DataColumn, useTableView } from '../../components/data-table/index.ts'
import { labelledChoices, useList } from '../../components/list/index.ts'
import { FilterChips } from '../../components/list/list-filters.tsx'
import { ListTable } from '../../components/list/list-table.tsx'
import { IconButton } from '../../components/ui/button.tsx'
import { CopyText } from '../../components/ui/copy.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { accountQuery } from '../../lib/api/account.ts'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { ordersSource } from './api.ts'
import { OrderPrice, OrderQuota, OrderState } from './order-state.tsx'
import { PendingActions } from './pending-actions.tsx'
import { orderStates, type WalletSearch } from './search.ts'
import { useMethodName } from './top-up-card.tsx'

const route = getRouteApi('/console/topup')

/** The own top-ups and what became of them. */
export function Orders() {
  const { t } = useTranslation('wallet')
  const client = useQueryClient()
  const navigate = useNavigate({ from: '/topup' })
  const search = route.useSearch()
  const { status } = search
  const list = useList(ordersSource(status), search)
  const view = useTableView<WireTopUpOrder>('topups', useOrderColumns())
  const show = (next: WalletSearch) => void navigate({ search: next, resetScroll: false })

  /** A payment that arrived is in the balance too. */
  function refresh(): void {
    list.refresh()
    void client.invalidateQueries({ queryKey: accountQuery.queryKey })
  }

  return (
    <section className="flex min-w-0 flex-col gap-2">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-semibold text-sm">{t('orders.title')}</h2>
        <FilterChips
          filters={[
            {
              name: 'status',
              label: t('orders.status'),
              placeholder: t('orders.chooseStatus'),
              choices: labelledChoices(orderStates, (word) => t(`status.${word}`)),
            },
          ]}
          chosenOf={() => status}
          onChange={(_name, value) => show({ status: orderStates.find((known) => known === value) })}
        />
        <IconButton icon={RotateCw} label={t('orders.refresh')} loading={list.fetching} onClick={refresh} />
      </header>
      <ListTable
        view={view}
        label={t('orders.title')}
        list={{ ...list, refresh }}
        empty={{
          narrowed: status !== undefined,
          first: (
            <EmptyState icon={ReceiptText} title={t('orders.none')}>
              {t('orders.noneHint')}
            </EmptyState>
          ),
        }}
        onClear={() => show({})}
        show={({ page }) => show({ status, page })}
      />
    </section>
  )
}

/** The columns of the own top-ups, in reading order. */
function useOrderColumns(): readonly DataColumn<WireTopUpOrder>[] {
  const { t } = useTranslation('wallet')
  const nameOf = useMethodName()
  const narrow = useGridBelow(900)
  return useMemo(
    () => [
      {
        id: 'time',
        header: t('orders.time'),
        card: 'title',
        cell: ({ create_time }) => <RelativeTime at={create_time} />,
      },
      {
        id: 'status',
        header: t('orders.status'),
        card: 'corner',
        cell: (order) => <OrderState order={order} />,
      },
      {
        id: 'quota',
        header: t('orders.quota'),
        numeric: true,
        card: 'figure',
        cell: (order) => <OrderQuota order={order} />,
      },
      {
        id: 'money',
        header: t('orders.money'),
        numeric: true,
        card: 'figure',
        cell: (order) => <OrderPrice order={order} />,
      },
      {
        id: 'method',
        header: t('orders.method'),
        cell: ({ payment_method }) => nameOf(payment_method),
      },
      {
        id: 'trade_no',
        header: t('orders.tradeNo'),
        card: 'none',
        hidden: narrow,
        cell: ({ trade_no }) => <CopyText value={trade_no} />,
      },
      { id: actionsColumn, header: '', cell: (order) => <PendingActions order={order} /> },
    ],
    [t, nameOf, narrow],
  )
}
