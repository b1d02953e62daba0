import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import { type RedemptionStatus, redemptionStatuses, type WireRedemption } from '@tollgate/api'
import { Plus, Ticket } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { activeFilters, type ListFilter, ListPage, useList } from '../../components/list/index.ts'
import { buttonClass } from '../../components/ui/button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { useHotkey } from '../../lib/hotkeys.ts'
import { redemptionsSource } from './api.ts'
import { codeLines, stateOf } from './code-state.ts'
import { useRedemptionColumns } from './columns.tsx'
import type { RedemptionsSearch } from './search.ts'
import { useBulkActions } from './use-bulk-actions.ts'

const route = getRouteApi('/console/redemption')

/** Codes that give balance to whoever redeems them: which wait, which are used, and by whom. */
export function RedemptionsPage(): ReactNode {
  const { t } = useTranslation('redemptions')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/redemption' })
  const { keyword, status } = search
  const list = useList(redemptionsSource({ keyword, status }), search, { defaultPageSize: 50 })
  useHotkey('c', t('create.title'), () => void navigate({ to: '/redemption/add', search: true }))

  return (
    <ListPage<WireRedemption, RedemptionsSearch>
      name="redemptions"
      title={t('title')}
      actions={<CreateLink />}
      columns={useRedemptionColumns()}
      list={list}
      search={search}
      onSearch={(next, options) => void navigate({ to: '/redemption', search: next, ...options })}
      searchBox={{
        placeholder: t('filter.search'),
        value: keyword ?? '',
        toSearch: (text) => ({ keyword: text.trim() || undefined }),
      }}
      filters={useStatusFilter()}
      empty={{
        narrowed: activeFilters(search, ['keyword', 'status']).length > 0,
        hint: t('empty.noMatchHint'),
        first: (
          <EmptyState icon={Ticket} title={t('empty.title')} action={<CreateLink />}>
            {t('empty.description')}
          </EmptyState>
        ),
      }}
      onOpen={({ id }) =>
        void navigate({ to: '/redemption/edit/$id', params: { id: String(id) }, search: true })
      }
      isMuted={(code) => stateOf(code) !== 'unused'}
      bulk={{
        actions: useBulkActions(),
        nameOf: ({ name }) => name,
        copy: {
          toText: codeLines,
          label: t('bulk.copy'),
          labelSelected: t('bulk.copySelected'),
          needsSelection: t('bulk.selectFirst'),
        },
      }}
    >
      <Outlet />
    </ListPage>
  )
}

function CreateLink() {
  const { t } = useTranslation('redemptions')
  return (
    <Link to="/redemption/add" search={true} className={buttonClass('primary')}>
      <Plus className="size-3.5" aria-hidden />
      {t('create.title')}
    </Link>
  )
}

function useStatusFilter(): readonly ListFilter[] {
  const { t } = useTranslation('redemptions')
  const states = Object.entries(redemptionStatuses) as [RedemptionStatus, number][]
  return [
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      choices: states.map(([state, status]) => ({ value: String(status), label: t(`state.${state}`) })),
    },
  ]
}
