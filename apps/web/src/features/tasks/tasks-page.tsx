import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type TaskEntry, taskStatuses } from '@tollgate/api'
import { ListTodo } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { activeFilters, type ListFilter, ListPage, useList } from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { isAdmin, useUser } from '../../lib/session.ts'
import { pageSizeAtFirst, refreshMs, tasksRange, tasksSource } from './api.ts'
import type { TasksSearch } from './search.ts'
import { useTaskColumns } from './task-columns.tsx'
import { statusWord, taskActions, taskPlatforms } from './task-state.ts'
import { useChannelFilter } from './use-channel-filter.ts'

const DetailsDialog = lazy(() =>
  import('./details-dialog.tsx').then((module) => ({ default: module.DetailsDialog })),
)

const route = getRouteApi('/console/task')

/** Music, lyrics and other work that an upstream finishes later. */
export function TasksPage(): ReactNode {
  const { t } = useTranslation('tasks')
  const admin = isAdmin(useUser())
  const search = route.useSearch()
  const { page, ...filter } = search
  const navigate = useNavigate({ from: '/task' })
  const [opened, setOpened] = useState<TaskEntry>()
  const list = useList(tasksSource(admin, filter), { page }, { refreshMs, defaultPageSize: pageSizeAtFirst })
  const show = (next: TasksSearch) => void navigate({ search: next })
  const filters = useTaskFilters()
  return (
    <ListPage<TaskEntry, TasksSearch>
      name="tasks"
      title={t('tasks.title')}
      columns={useTaskColumns(admin)}
      list={list}
      search={search}
      onSearch={show}
      searchBox={{
        placeholder: t('filter.search'),
        value: filter.id ?? '',
        toSearch: (text) => ({ id: text || undefined }),
      }}
      filters={[...filters, ...useChannelFilter(admin)]}
      moreFilters={
        <TimeFilter
          times={filter}
          defaultRange={tasksRange}
          onChange={(times) => show({ ...filter, ...times })}
        />
      }
      empty={{
        narrowed: activeFilters(search, ['id', 'channel', 'action', 'platform', 'status']).length > 0,
        first: (
          <EmptyState icon={ListTodo} title={t('tasks.empty')}>
            {t('tasks.emptyHint')}
          </EmptyState>
        ),
      }}
      onOpen={setOpened}
    >
      <Suspense>
        {opened && (
          <DetailsDialog title={t('tasks.details')} row={opened} onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
    </ListPage>
  )
}

function useTaskFilters(): readonly ListFilter[] {
  const { t } = useTranslation('tasks')
  return [
    {
      name: 'action',
      label: t('column.type'),
      placeholder: t('filter.chooseType'),
      choices: taskActions.map((value) => ({ value, label: t(`task.${value}`) })),
    },
    {
      name: 'platform',
      label: t('column.platform'),
      placeholder: t('filter.choosePlatform'),
      choices: taskPlatforms.map((value) => ({ value, label: t(`platform.${value}`) })),
    },
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      // An empty word asks for nothing, so the first status cannot be asked for.
      choices: taskStatuses
        .filter((value) => value !== '')
        .map((value) => ({ value, label: t(`status.${statusWord(value)}`) })),
    },
  ]
}
