import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { GroupUsage } from '@tollgate/api'
import { Boxes, Plus, SearchX } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { SortState } from '../../components/data-table/columns.ts'
import { DataTable, TableViewMenu, useTableView } from '../../components/data-table/index.ts'
import { sortOf, sortText } from '../../components/list/list-search.ts'
import { Button } from '../../components/ui/button.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { groupRowsQuery, groupUsageQuery } from './api.ts'
import { type ListedGroup, useGroupColumns } from './columns.tsx'
import type { GroupsSearch } from './search.ts'

const GroupSheet = lazyComponent(() => import('./group-sheet.tsx'), 'GroupSheet')
const NewGroupSheet = lazyComponent(() => import('./group-sheet.tsx'), 'NewGroupSheet')

const route = getRouteApi('/console/group')

/** Shows every group: what its calls cost, who is in it, and how much it may call. */
export function GroupsPage(): ReactNode {
  const { t } = useTranslation('groups')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback(
    (part: Partial<GroupsSearch>) =>
      void navigate({ search: (before: GroupsSearch) => ({ ...before, ...part }), replace: true }),
    [navigate],
  )
  const seesCalls = hasPart(useUser(), 'log')
  const query = useQuery(groupRowsQuery)
  const usage = useQuery({ ...groupUsageQuery, enabled: seesCalls })
  const view = useTableView('groups', useGroupColumns(seesCalls))
  const sort = sortOf(search)
  const rows = useMemo(
    () => query.data && listed(withUsage(query.data.rows, usage.data), search.keyword ?? '', sort),
    [query.data, usage.data, search.keyword, sort],
  )
  const mayAdd = query.data?.writable.includes('ratio') ?? false
  return (
    <Page layout="fill">
      <PageHeader
        title={t('title')}
        actions={
          mayAdd && (
            <Button variant="primary" icon={Plus} onClick={() => show({ add: true })}>
              {t('add')}
            </Button>
          )
        }
      />
      <FilterBar
        search={{
          value: search.keyword ?? '',
          placeholder: t('search'),
          onSearch: (keyword) => show({ keyword: keyword || undefined }),
        }}
        end={<TableViewMenu view={view} />}
      />
      <DataTable
        view={view}
        rows={rows}
        rowId={({ name }) => name}
        label={t('title')}
        error={query.error}
        onRetry={() => void query.refetch()}
        onRowClick={({ name }) => show({ group: name })}
        isMuted={({ has_ratio: hasRatio }) => !hasRatio}
        sort={sort}
        onSortChange={(next) => show({ sort: sortText(next) })}
        empty={
          search.keyword ? (
            <EmptyState icon={SearchX} title={t('noMatch')} />
          ) : (
            <EmptyState icon={Boxes} title={t('empty')} />
          )
        }
      />
      <Suspense>
        {search.add && <NewGroupSheet query={query} onClose={() => show({ add: undefined })} />}
        {search.group !== undefined && (
          <GroupSheet
            key={search.group}
            name={search.group}
            query={query}
            onClose={() => show({ group: undefined })}
            onRenamed={(group) => show({ group })}
          />
        )}
      </Suspense>
    </Page>
  )
}

function withUsage(
  rows: readonly ListedGroup[],
  usage: readonly GroupUsage[] | undefined,
): readonly ListedGroup[] {
  if (usage === undefined) return rows
  const byName = new Map(usage.map((sums) => [sums.name, sums]))
  return rows.map((row) => {
    const sums = byName.get(row.name)
    return { ...row, calls: sums?.calls ?? 0, quota: sums?.quota ?? 0, usage: sums }
  })
}

/** The groups that match, in the order asked for; without one as the options have them. */
function listed(
  rows: readonly ListedGroup[],
  keyword: string,
  sort: SortState | undefined,
): readonly ListedGroup[] {
  const word = keyword.trim().toLowerCase()
  const found = rows.filter(({ name, description = '' }) =>
    `${name}\n${description}`.toLowerCase().includes(word),
  )
  if (sort === undefined) return found
  const sign = sort.descending ? -1 : 1
  const sortKeyOf = (row: ListedGroup) => row[sort.column as keyof ListedGroup] ?? 0
  return found.toSorted((left, right) => {
    const [one, other] = [sortKeyOf(left), sortKeyOf(right)]
    return (
      sign *
      (typeof one === 'number' && typeof other === 'number'
        ? one - other
        : String(one).localeCompare(String(other)))
    )
  })
}
