import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { AuditRecordRow } from '@tollgate/api'
import { History } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ListPage, useList } from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { openRanges, rangeOf } from '../../lib/format/range-times.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { auditSource } from './api.ts'
import { useAuditColumns } from './columns.tsx'
import { AuditOverview } from './overview.tsx'
import type { AuditSearch } from './search.ts'
import { useAuditFilters } from './use-audit-filters.ts'

const route = getRouteApi('/console/audit')
const AuditRecordSheet = lazyComponent(() => import('./record-sheet.tsx'), 'AuditRecordSheet')

/** Shows the acts of administrators, with targets and times. */
export function AuditPage(): ReactNode {
  const { t } = useTranslation('audit')
  const { page, record, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/audit' })
  const list = useList(auditSource(filter), { page }, { defaultPageSize: 50, staleMs: 0 })
  const show = (next: AuditSearch) => void navigate({ search: next })
  const open = (id: number | undefined) =>
    void navigate({ search: (search) => ({ ...search, record: id }), replace: record !== undefined })

  return (
    <ListPage<AuditRecordRow, AuditSearch>
      name="audit"
      title={t('title')}
      columns={useAuditColumns(filter)}
      list={list}
      search={{ ...filter, page }}
      onSearch={show}
      filters={useAuditFilters()}
      moreFilters={
        <TimeFilter
          times={filter}
          defaultRange="all"
          ranges={openRanges}
          onChange={(times) => show({ ...filter, ...times })}
        />
      }
      overview={
        <AuditOverview
          filter={filter}
          rows={list.rows}
          onZoom={(times) => show({ ...filter, range: 'custom', ...times })}
        />
      }
      empty={{
        narrowed: rangeOf(filter, 'all') !== 'all',
        hint: t('empty.noMatchHint'),
        first: (
          <EmptyState icon={History} title={t('empty.title')}>
            {t('empty.description')}
          </EmptyState>
        ),
      }}
      onOpen={({ id }) => open(id)}
    >
      <Suspense>
        {record !== undefined && (
          <AuditRecordSheet id={record} rows={list.rows} onClose={() => open(undefined)} />
        )}
      </Suspense>
    </ListPage>
  )
}
