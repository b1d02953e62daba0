import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { WireTopUpOrderWithUser } from '@tollgate/api'
import { Download, ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  asTyped,
  type ListFilter,
  ListPage,
  labelledChoices,
  useList,
} from '../../../components/list/index.ts'
import { TimeFilter } from '../../../components/list/time-filter.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { EmptyState } from '../../../components/ui/states.tsx'
import { openRanges, rangeOf } from '../../../lib/format/range-times.ts'
import { type OrdersSearch, orderStates, paymentProviders } from '../search.ts'
import { allOrdersSource, exportOrders } from './api.ts'
import { useAllOrderColumns } from './columns.tsx'
import { OrderSums } from './order-sums.tsx'

const route = getRouteApi('/console/orders')

/** Everybody's online payments: whose, how much, what became of them. */
export function OrdersPage(): ReactNode {
  const { t } = useTranslation('wallet')
  const { page, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/orders' })
  const list = useList(allOrdersSource(filter), { page }, { defaultPageSize: 50, staleMs: 0 })
  const download = useMutation({
    mutationFn: () => exportOrders(filter),
    meta: { successMessage: t('allOrders.exported') },
  })
  const show = (next: OrdersSearch) => void navigate({ search: next })
  return (
    <ListPage<WireTopUpOrderWithUser, OrdersSearch>
      name="orders"
      title={t('allOrders.title')}
      actions={
        <Button icon={Download} loading={download.isPending} onClick={() => download.mutate()}>
          {t('allOrders.export')}
        </Button>
      }
      overview={<OrderSums filter={filter} />}
      columns={useAllOrderColumns()}
      list={list}
      search={{ ...filter, page }}
      onSearch={show}
      searchBox={{ placeholder: t('allOrders.search'), name: 'id' }}
      filters={useOrderFilters()}
      moreFilters={
        <TimeFilter
          times={filter}
          defaultRange="all"
          ranges={openRanges}
          onChange={(times) => show({ ...filter, ...times })}
        />
      }
      empty={{
        narrowed: rangeOf(filter, 'all') !== 'all',
        hint: t('allOrders.noMatchHint'),
        first: (
          <EmptyState icon={ReceiptText} title={t('allOrders.none')}>
            {t('allOrders.noneHint')}
          </EmptyState>
        ),
      }}
    />
  )
}

function useOrderFilters(): readonly ListFilter[] {
  const { t } = useTranslation('wallet')
  return [
    {
      name: 'status',
      label: t('orders.status'),
      placeholder: t('orders.chooseStatus'),
      choices: labelledChoices(orderStates, (state) => t(`status.${state}`)),
    },
    {
      name: 'user',
      label: t('orders.user'),
      placeholder: t('allOrders.typeUser'),
      choices: [],
      typed: asTyped,
    },
    {
      name: 'provider',
      label: t('allOrders.provider'),
      placeholder: t('allOrders.chooseProvider'),
      choices: labelledChoices(paymentProviders, (provider) => t(`provider.${provider}`)),
    },
  ]
}
