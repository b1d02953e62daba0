import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { taskStatuses } from '@tollgate/api'
import { ListTodo } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type ListFilter, labelledChoices } from '../../components/list/index.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { tasksRange, tasksSource } from './api.ts'
import { taskActions, taskPlatforms } from './job.ts'
import { JobListPage } from './job-list-page.tsx'
import { useTaskColumns } from './task-columns.tsx'

const route = getRouteApi('/console/task')

/** Music, lyrics and other work that an upstream finishes later. */
export function TasksPage(): ReactNode {
  const navigate = useNavigate({ from: '/task' })
  return (
    <JobListPage
      name="tasks"
      icon={ListTodo}
      source={tasksSource}
      columns={useTaskColumns(hasPart(useUser(), 'log'))}
      search={route.useSearch()}
      onSearch={(search, options) => void navigate({ search, ...options })}
      range={tasksRange}
      filters={useTaskFilters()}
    />
  )
}

function useTaskFilters(): readonly ListFilter[] {
  const { t } = useTranslation('tasks')
  return [
    {
      name: 'action',
      label: t('column.type'),
      placeholder: t('filter.chooseType'),
      choices: labelledChoices(taskActions, (word) => t(`task.${word}`)),
    },
    {
      name: 'platform',
      label: t('column.platform'),
      placeholder: t('filter.choosePlatform'),
      choices: labelledChoices(taskPlatforms, (word) => t(`platform.${word}`)),
    },
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      // An empty word asks for nothing, so the first status cannot be asked for.
      choices: labelledChoices(
        taskStatuses.filter((status) => status !== ''),
        (status) => t(`status.${status}`),
      ),
    },
  ]
}
