import { useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import {
  asTyped,
  channelChoices,
  type ListFilter,
  ListPage,
  type StepOptions,
  typedNumber,
  useList,
} from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import type { TimeRange } from '../../lib/format/time-range.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { type JobSource, jobQuery, pageSizeAtFirst, refreshMs } from './api.ts'
import { type Job, jobKey } from './job.ts'
import { JobTile } from './job-tile.tsx'
import type { JobSearch } from './search.ts'
import { useJobView } from './use-job-view.tsx'

const JobSheet = lazyComponent(() => import('./job-sheet.tsx'), 'JobSheet')

export interface JobListPageProps {
  /** Names the table in local storage, and the texts of the page. */
  readonly name: 'drawings' | 'tasks'
  readonly icon: LucideIcon
  readonly source: JobSource
  readonly columns: readonly DataColumn<Job>[]
  readonly search: JobSearch
  readonly onSearch: (next: JobSearch, options?: StepOptions) => void
  /** Default range. */
  readonly range: TimeRange
  /** Beside the channel's. */
  readonly filters?: readonly ListFilter[]
  readonly notice?: ReactNode
}

/** Drawings or tasks: how far each is, and what came of it. */
export function JobListPage(props: JobListPageProps): ReactNode {
  const { name, icon, source, search, onSearch, range, filters = [] } = props
  const { t } = useTranslation(['tasks'])
  const admin = hasPart(useUser(), 'log')
  const { page, open, ...filter } = search
  const list = useList(source.list(admin, filter), { page }, { refreshMs, defaultPageSize: pageSizeAtFirst })
  const opened = useJob(source, open, list.rows)
  const show = (key?: string) => onSearch({ ...filter, page, open: key })
  const { isGrid, toggle } = useJobView(name)
  return (
    <ListPage<Job, JobSearch>
      name={name}
      title={t(`tasks:${name}.title`)}
      notice={props.notice}
      columns={columnsFor(props.columns, list.rows)}
      list={list}
      search={{ ...filter, page }}
      onSearch={onSearch}
      searchBox={{ placeholder: t('filter.search'), name: 'id' }}
      filters={[...filters, ...useAdminFilters(admin)]}
      moreFilters={
        <TimeFilter
          times={filter}
          defaultRange={range}
          onChange={(times) => onSearch({ ...filter, ...times })}
        />
      }
      empty={{
        first: (
          <EmptyState icon={icon} title={t(`tasks:${name}.empty`)}>
            {t(`tasks:${name}.emptyHint`)}
          </EmptyState>
        ),
      }}
      viewControls={toggle}
      tile={isGrid ? (row) => <JobTile job={row} /> : undefined}
      onOpen={(row) => show(jobKey(row))}
    >
      <Suspense>
        {open !== undefined && opened !== undefined && (
          <JobSheet
            key={open}
            title={t(`tasks:${name}.details`)}
            job={opened}
            admin={admin}
            onClose={() => show()}
            onSubmitted={(id) => {
              list.refresh()
              show(id)
            }}
          />
        )}
      </Suspense>
    </ListPage>
  )
}

/** Leaves out the column of reasons while no job of the page has failed: the others have its room. */
function columnsFor(
  columns: readonly DataColumn<Job>[],
  rows: readonly Job[] | undefined,
): readonly DataColumn<Job>[] {
  const hasReasons = rows === undefined || rows.some((row) => row.fail_reason !== '')
  return hasReasons ? columns : columns.filter(({ id }) => id !== 'reason')
}

/** The job an address names: from the rows on screen, else asked for. `null` when there is none. */
function useJob(
  source: JobSource,
  key: string | undefined,
  rows: readonly Job[] | undefined,
): Job | null | undefined {
  const admin = hasPart(useUser(), 'log')
  const visible = key === undefined ? undefined : rows?.find((row) => jobKey(row) === key)
  const isRequested = key !== undefined && rows !== undefined && visible === undefined
  const { data } = useQuery({ ...jobQuery(source, admin, key ?? ''), enabled: isRequested })
  return visible ?? (isRequested ? data : undefined)
}

/** The channel that did the work and the user who ordered it, for administrators. */
function useAdminFilters(admin: boolean): readonly ListFilter[] {
  const { t } = useTranslation('tasks')
  const channel: ListFilter = {
    name: 'channel',
    label: t('column.channel'),
    placeholder: t('filter.chooseChannel'),
    choices: channelChoices,
    typed: typedNumber,
  }
  const user: ListFilter = {
    name: 'user',
    label: t('column.user'),
    placeholder: t('filter.typeUser'),
    choices: [],
    typed: asTyped,
  }
  return admin ? [user, channel] : []
}
