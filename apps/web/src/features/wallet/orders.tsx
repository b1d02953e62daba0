import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { WireTopUpOrder } from '@tollgate/api'
import { ReceiptText, RotateCw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, useTableView } from '../../components/data-table/index.ts'
import { EmptyList } from '../../components/list/empty-list.tsx'
import { useList } from '../../components/list/index.ts'
import { IconButton } from '../../components/ui/button.tsx'
import { FilterChip } from '../../components/ui/filter-chip.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { accountQuery, ordersSource } from './api.ts'
import { useOrderColumns } from './order-columns.tsx'
import { orderStatuses, type WalletSearch } from './search.ts'

const ChoiceList = lazy(() =>
  import('../../components/ui/choice-list.tsx').then((module) => ({ default: module.ChoiceList })),
)

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
        <StatusFilter {...search} onShow={show} />
        <IconButton icon={RotateCw} label={t('orders.refresh')} loading={list.fetching} onClick={refresh} />
      </header>
      <DataTable
        view={view}
        rows={list.rows}
        rowId={({ id }) => String(id)}
        label={t('orders.title')}
        error={list.error}
        onRetry={refresh}
        refreshing={list.refreshing}
        empty={
          <EmptyList
            page={list.page}
            narrowed={status !== undefined}
            onFirstPage={() => show({ status })}
            onClear={() => show({})}
            first={
              <EmptyState icon={ReceiptText} title={t('orders.none')}>
                {t('orders.noneHint')}
              </EmptyState>
            }
          />
        }
      />
      {(list.rows?.length ?? 0) > 0 && (
        <Pagination
          page={list.page}
          pageSize={list.pageSize}
          total={list.total}
          count={list.rows?.length ?? 0}
          onPageChange={(page) => show({ status, page: page === 1 ? undefined : page })}
          onPageSizeChange={(size) => {
            list.setPageSize(size)
            show({ status })
          }}
        />
      )}
    </section>
  )
}

function StatusFilter({ status, onShow }: WalletSearch & { readonly onShow: (next: WalletSearch) => void }) {
  const { t } = useTranslation('wallet')
  const choices = orderStatuses.map((value) => ({ value, label: t(`status.${value}`) }))
  return (
    <FilterChip label={t('orders.status')} value={status && t(`status.${status}`)} onClear={() => onShow({})}>
      {(close) => (
        <Suspense>
          <ChoiceList
            value={status}
            choices={choices}
            placeholder={t('orders.chooseStatus')}
            onChoose={(value) => {
              onShow({ status: orderStatuses.find((known) => known === value) })
              close()
            }}
          />
        </Suspense>
      )}
    </FilterChip>
  )
}
