import '../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type CallData, calls } from '@tollgate/api'
import { Activity, Rss, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { statusPageQuery } from '../../components/status-page/status-api.ts'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { usePageSize } from '../../lib/browser/page-size.ts'
import { useUser } from '../../lib/session/session.ts'
import { IncidentCard } from './incident-card.tsx'
import { listedModels, troubled } from './model-days.ts'
import { DayLegend, ModelLine } from './model-line.tsx'

const route = getRouteApi('/plain/status')
const defaultRows = 50
/** Fewer models than these need no search. */
const searchedModels = 12

type StatusData = CallData<(typeof calls)['statusPage']['read']>

/** Shows everybody how the models do, how they did, and what the operator says of it. */
export function StatusPage(): ReactNode {
  const { t } = useTranslation('statusPage')
  const query = useQuery(statusPageQuery(useUser()?.id))
  return (
    <Page layout="flow">
      <div className="mx-auto flex w-full max-w-[960px] flex-col gap-5 py-2">
        <PageHeader title={t('title')} actions={<FeedLink />} />
        <QueryBoundary query={query} waiting="h-[70dvh]!">
          {(data) => <StatusContent data={data} />}
        </QueryBoundary>
      </div>
    </Page>
  )
}

/** Links the feed of incidents in the reader's language; the line in the page's head lets feed readers find it. */
function FeedLink() {
  const { t, i18n } = useTranslation('statusPage')
  const address = `${calls.statusPage.feed.path}?language=${i18n.language}`
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={t('feed')} href={address} />
      <a href={address} className={buttonClass('secondary')}>
        <Rss aria-hidden className="size-3.5" />
        {t('feed')}
      </a>
    </>
  )
}

interface ContentProps {
  readonly data: StatusData
}

function StatusContent({ data }: ContentProps) {
  const { t } = useTranslation('statusPage')
  const current = data.incidents.filter(({ ended_at }) => ended_at === 0)
  const past = data.incidents.filter(({ ended_at }) => ended_at > 0)
  return (
    <>
      <Summary data={data} isInIncident={current.length > 0} />
      {current.length > 0 && (
        <section aria-labelledby="current" className="flex flex-col gap-3">
          <h2 id="current" className="font-semibold text-base">
            {t('current')}
          </h2>
          {current.map((incident) => (
            <IncidentCard key={incident.id} incident={incident} />
          ))}
        </section>
      )}
      <Models data={data} />
      <section aria-labelledby="past" className="flex flex-col gap-3">
        <h2 id="past" className="font-semibold text-base">
          {t('past')}
        </h2>
        {past.length === 0 && (
          <p className="text-muted text-sm">{t('noPast', { count: data.days.length })}</p>
        )}
        {past.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} />
        ))}
      </section>
    </>
  )
}

/** The state of everything in one sentence. */
function Summary({ data, isInIncident }: ContentProps & { readonly isInIncident: boolean }) {
  const { t } = useTranslation('statusPage')
  const count = troubled(data.models)
  if (count > 0) {
    const isOut = data.models.some(({ state }) => state === 'outage')
    return <Notice tone={isOut ? 'bad' : 'warn'} title={t('summary.degraded', { count })} />
  }
  if (isInIncident) return <Notice tone="warn" title={t('summary.incident')} />
  const isKnown = data.models.some(({ state }) => state === 'operational')
  return isKnown ? (
    <Notice tone="good" title={t('summary.operational')} />
  ) : (
    <Notice tone="info" title={t('summary.unknown')} />
  )
}

/** The models page by page, those with problems first. */
function Models({ data }: ContentProps) {
  const { t } = useTranslation('statusPage')
  const { keyword = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const [pageSize, setPageSize] = usePageSize(defaultRows)
  const show = (part: { keyword?: string | undefined; page?: number | undefined }) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true })
  const models = listedModels(data.models, keyword)
  const visible = models.slice((page - 1) * pageSize, page * pageSize)
  if (data.models.length === 0) return <EmptyState icon={Activity} title={t('noModels')} />
  return (
    <section aria-labelledby="models" className="flex flex-col gap-3">
      <h2 id="models" className="font-semibold text-base">
        {t('models')}
      </h2>
      {(data.models.length > searchedModels || keyword !== '') && (
        <FilterBar
          search={{
            value: keyword,
            placeholder: t('search'),
            onSearch: (text) => show({ keyword: text || undefined }),
          }}
        />
      )}
      {models.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t('noMatch', { keyword })}
          action={<Button onClick={() => show({ keyword: undefined })}>{t('clear')}</Button>}
        />
      ) : (
        <ul className="divide-y rounded-lg border bg-surface">
          {visible.map((model) => (
            <ModelLine key={model.model_name} model={model} days={data.days} />
          ))}
        </ul>
      )}
      {models.length > pageSize && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={models.length}
          count={visible.length}
          onPageChange={(next) => show({ page: next === 1 ? undefined : next })}
          onPageSizeChange={setPageSize}
        />
      )}
      <DayLegend />
    </section>
  )
}
