import { useQuery } from '@tanstack/react-query'
import { Server } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, TableViewMenu, useTableView } from '../../components/data-table/index.ts'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { nodesQuery } from './api.ts'
import { useNodeColumns } from './columns.tsx'

/** The processes that share the database: which live, and what each has still to write. */
export function NodesPage(): ReactNode {
  const { t } = useTranslation('nodes')
  const { data: nodes, error, refetch } = useQuery(nodesQuery)
  const view = useTableView('nodes', useNodeColumns())
  const isAnyGone = nodes?.some(({ state }) => state === 'gone')
  return (
    <Page layout="fill">
      <PageHeader title={t('title')} description={t('description')} />
      {isAnyGone && (
        <Notice tone="warn" title={t('gone.title')}>
          {t('gone.hint')}
        </Notice>
      )}
      <FilterBar end={<TableViewMenu view={view} />} />
      <DataTable
        view={view}
        rows={nodes}
        rowId={({ id }) => id}
        label={t('title')}
        error={error}
        onRetry={() => void refetch()}
        isMuted={({ state }) => state === 'gone'}
        empty={
          <EmptyState icon={Server} title={t('empty.title')}>
            {t('empty.description')}
          </EmptyState>
        }
      />
    </Page>
  )
}
