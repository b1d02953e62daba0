import { useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import {
  activeFilters,
  type ListFilter,
  ListPage,
  type StepOptions,
  useList,
} from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { isAdmin, useUser } from '../../lib/session.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { type JobSource, jobQuery, pageSizeAtFirst, refreshMs } from './api.ts'
import { type Job, jobKey } from './job.ts'
import type { JobSearch } from './search.ts'
import { useChannelFilter } from './use-channel-filter.ts'

const DetailsDialog = lazy(() =>
  import('./details-dialog.tsx').then((module) => ({ default: module.DetailsDialog })),
)
const ImageDialog = lazy(() =>
  import('./image-dialog.tsx').then((module) => ({ default: module.ImageDialog })),
)

/** Already translated. */
export interface JobListTexts {
  readonly title: string
  /** Of the dialog that shows a row. */
  readonly details: string
  readonly empty: string
  readonly emptyHint: string
}

export interface JobListPageProps {
  /** Names the table in local storage. */
  readonly name: string
  readonly texts: JobListTexts
  readonly icon: LucideIcon
  readonly source: JobSource
  readonly columns: readonly DataColumn<Job>[]
  readonly search: JobSearch
  readonly onSearch: (next: JobSearch, options?: StepOptions) => void
  /** What is shown at first. */
  readonly range: TimeRange
  /** Beside the channel's. */
  readonly filters?: readonly ListFilter[]
  readonly notice?: ReactNode
}

/** Drawings or tasks: how far each is, and what came of it. */
export function JobListPage(props: JobListPageProps): ReactNode {
  const { texts, icon, source, search, onSearch, range, filters = [] } = props
  const { t } = useTranslation('tasks')
  const admin = isAdmin(useUser())
  const { page, open, image, ...filter } = search
  const list = useList(source.list(admin, filter), { page }, { refreshMs, defaultPageSize: pageSizeAtFirst })
  const opened = useJob(source, open, list.rows)
  const pictured = useJob(source, image, list.rows)
  const close = () => onSearch({ ...filter, page })
  return (
    <ListPage<Job, JobSearch>
      name={props.name}
      title={texts.title}
      notice={props.notice}
      columns={props.columns}
      list={list}
      search={{ ...filter, page }}
      onSearch={onSearch}
      searchBox={{
        placeholder: t('filter.search'),
        value: filter.id ?? '',
        toSearch: (text) => ({ id: text || undefined }),
      }}
      filters={[...filters, ...useChannelFilter(admin)]}
      moreFilters={
        <TimeFilter
          times={filter}
          defaultRange={range}
          onChange={(times) => onSearch({ ...filter, ...times })}
        />
      }
      empty={{
        narrowed: activeFilters(search, ['id', 'channel', 'action', 'platform', 'status']).length > 0,
        first: (
          <EmptyState icon={icon} title={texts.empty}>
            {texts.emptyHint}
          </EmptyState>
        ),
      }}
      onOpen={(row) => onSearch({ ...search, open: jobKey(row) })}
    >
      <Suspense>
        {open !== undefined && opened !== undefined && (
          <DetailsDialog title={texts.details} row={opened} onClose={close} />
        )}
        {image !== undefined && pictured !== undefined && <ImageDialog drawing={pictured} onClose={close} />}
      </Suspense>
    </ListPage>
  )
}

/** The job an address names: from the rows on screen, else asked for. `null` when there is none. */
function useJob(
  source: JobSource,
  key: string | undefined,
  rows: readonly Job[] | undefined,
): Job | null | undefined {
  const admin = isAdmin(useUser())
  const shown = key === undefined ? undefined : rows?.find((row) => jobKey(row) === key)
  const isRequested = key !== undefined && rows !== undefined && shown === undefined
  const { data } = useQuery({ ...jobQuery(source, admin, key ?? ''), enabled: isRequested })
  return shown ?? (isRequested ? data : undefined)
}
