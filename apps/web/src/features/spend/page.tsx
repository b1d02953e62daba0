import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Coins, Download } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ListPage, useList } from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { Button } from '../../components/ui/button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { longRanges } from '../../lib/format/range-times.ts'
import { defaultRange, exportSpend, type SpendRow, spendSource } from './api.ts'
import { useSpendColumns } from './columns.tsx'
import type { SpendSearch } from './search.ts'

const route = getRouteApi('/console/spend')

/** Shows the spending of each user on each model, with the sums. */
export function SpendPage(): ReactNode {
  const { t } = useTranslation('spend')
  const { page, range, from, to } = route.useSearch()
  const navigate = useNavigate({ from: '/spend' })
  const times = useMemo(() => ({ range, from, to }), [range, from, to])
  const list = useList(spendSource(times), { page }, { defaultPageSize: 50, staleMs: 0 })
  const show = (next: SpendSearch) => void navigate({ search: next })
  const download = useMutation({
    mutationFn: () => exportSpend(times),
    meta: { successMessage: t('export.done') },
  })
  return (
    <ListPage<SpendRow, SpendSearch>
      name="spend"
      title={t('title')}
      actions={
        <Button icon={Download} loading={download.isPending} onClick={() => download.mutate()}>
          {t('export.action')}
        </Button>
      }
      columns={useSpendColumns(list.rows, times)}
      // The sum of all is no user.
      list={{ ...list, count: list.rows?.filter(({ id }) => id !== 0).length }}
      search={{ page, ...times }}
      onSearch={show}
      moreFilters={
        <TimeFilter times={times} defaultRange={defaultRange} ranges={longRanges} onChange={show} />
      }
      empty={{
        first: (
          <EmptyState icon={Coins} title={t('empty.title')}>
            {t('empty.description')}
          </EmptyState>
        ),
      }}
    />
  )
}
