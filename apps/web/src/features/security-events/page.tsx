import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type SecurityEventRow, securityEventKinds } from '@tollgate/api'
import { Download, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asTyped, type ListFilter, ListPage, labelledChoices, useList } from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { Button } from '../../components/ui/button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { openRanges, rangeOf } from '../../lib/format/range-times.ts'
import { exportSecurityEvents, securityEventSource } from './api.ts'
import { useSecurityEventColumns } from './columns.tsx'
import type { SecurityEventSearch } from './search.ts'

const route = getRouteApi('/console/security')

/** Shows the events about the ways into all accounts. */
export function SecurityEventsPage(): ReactNode {
  const { t } = useTranslation('securityEvents')
  const { page, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/security' })
  const list = useList(securityEventSource(filter), { page }, { defaultPageSize: 50, staleMs: 0 })
  const show = (next: SecurityEventSearch) => void navigate({ search: next })
  const download = useMutation({
    mutationFn: () => exportSecurityEvents(filter),
    meta: { successMessage: t('export.done') },
  })
  return (
    <ListPage<SecurityEventRow, SecurityEventSearch>
      name="security-events"
      title={t('title')}
      actions={
        <Button icon={Download} loading={download.isPending} onClick={() => download.mutate()}>
          {t('export.action')}
        </Button>
      }
      columns={useSecurityEventColumns()}
      list={list}
      search={{ ...filter, page }}
      onSearch={show}
      filters={useFilters()}
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
        hint: t('empty.noMatchHint'),
        first: (
          <EmptyState icon={ShieldCheck} title={t('empty.title')}>
            {t('empty.description')}
          </EmptyState>
        ),
      }}
    />
  )
}

function useFilters(): readonly ListFilter[] {
  const { t } = useTranslation('securityEvents')
  const typed = { choices: [], typed: asTyped }
  return [
    { name: 'user', label: t('column.user'), placeholder: t('filter.typeUser'), ...typed },
    {
      name: 'kind',
      label: t('column.event'),
      placeholder: t('filter.chooseKind'),
      choices: labelledChoices(securityEventKinds, (kind) => t(`kind.${kind}`)),
    },
    { name: 'address', label: t('column.address'), placeholder: t('filter.typeAddress'), ...typed },
  ]
}
