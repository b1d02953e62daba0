import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { calls, type Incident, incidentKindNames, incidentStates } from '@tollgate/api'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { incidentsKey } from '../../components/incidents/incident-api.ts'
import { IncidentMenu } from '../../components/incidents/incident-menu.tsx'
import { incidentTone, useIncidentWords } from '../../components/incidents/incident-words.ts'
import { useIncidentMarkdown } from '../../components/incidents/use-incident-markdown.ts'
import {
  type ListFilter,
  ListPage,
  type ListSource,
  labelledChoices,
  useList,
} from '../../components/list/index.ts'
import { CopyButton } from '../../components/ui/copy.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { cx } from '../../lib/cx.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import type { IncidentSearch } from './search.ts'

const PublishedPage = lazyComponent(() => import('./published/published-page.tsx'), 'PublishedPage')

const route = getRouteApi('/console/incidents')

/** Shows the causes of problems, or what of them is published. */
export function IncidentsPage(): ReactNode {
  const search = route.useSearch()
  const user = useUser()
  const mayPublish = hasPart(user, 'channels') || hasPart(user, 'settings')
  const tabs = mayPublish && <PageTabs value={search.tab ?? 'causes'} />
  if (!mayPublish || search.tab !== 'status') return <CausesPage tabs={tabs} />
  return (
    <Suspense>
      <PublishedPage search={search} tabs={tabs} />
    </Suspense>
  )
}

const tabNames = ['causes', 'status'] as const

function PageTabs({ value }: { readonly value: (typeof tabNames)[number] }) {
  const { t } = useTranslation('statusPage')
  const navigate = useNavigate({ from: '/incidents' })
  return (
    <Tabs
      value={value}
      onValueChange={(tab) => void navigate({ search: tab === 'status' ? { tab } : {} })}
      tabs={tabNames.map((name) => ({ value: name, label: t(`tabs.${name}`) }))}
      aria-label={t('tabs.label')}
    />
  )
}

/** Lists the causes of problems, those that last and those that ended. */
function CausesPage({ tabs }: { readonly tabs: ReactNode }) {
  const { t } = useTranslation('incidents')
  const { page, state, kind } = route.useSearch()
  const filter = { state, kind }
  const navigate = useNavigate({ from: '/incidents' })
  const list = useList(incidentSource(filter), { page }, { defaultPageSize: 50, staleMs: 0 })
  const markdown = useIncidentMarkdown()
  const rows = list.rows ?? []
  return (
    <ListPage<Incident, IncidentSearch>
      name="incidents"
      title={t('heading')}
      actions={
        rows.length > 0 && (
          <CopyButton label={t('copy.action')} withText size="md" value={async () => markdown(rows)} />
        )
      }
      notice={tabs}
      columns={useColumns()}
      list={list}
      search={{ ...filter, page }}
      onSearch={(search) => void navigate({ search })}
      filters={useFilters()}
      empty={{
        first: (
          <EmptyState icon={CircleCheck} title={t('empty.title')}>
            {t('empty.description')}
          </EmptyState>
        ),
      }}
    />
  )
}

type Filter = Pick<IncidentSearch, 'state' | 'kind'>

function incidentSource(filter: Filter): ListSource<Incident> {
  return {
    queryKey: [incidentsKey, 'list'],
    filter,
    async read({ page, pageSize }, signal) {
      const kind = incidentKindNames.find((known) => known === filter.kind)
      const query = { state: filter.state, kind, p: page, page_size: pageSize }
      const { items, total } = await request(calls.incidents.list, { query, signal })
      return { rows: items, total }
    },
  }
}

function useFilters(): readonly ListFilter[] {
  const { t } = useTranslation('incidents')
  return [
    {
      name: 'state',
      label: t('column.state'),
      placeholder: t('filter.state'),
      choices: labelledChoices(incidentStates, (state) => t(`state.${state}`)),
    },
    {
      name: 'kind',
      label: t('column.kind'),
      placeholder: t('filter.kind'),
      choices: labelledChoices(incidentKindNames, (kind) => t(`kind.${kind}`)),
    },
  ]
}

function useColumns(): readonly DataColumn<Incident>[] {
  const { t } = useTranslation('incidents')
  const tight = useGridBelow(1280)
  return useMemo(
    (): readonly DataColumn<Incident>[] =>
      withHeaders(
        [
          { id: 'cause', card: 'title', grow: tight, cell: (incident) => <CauseCell incident={incident} /> },
          { id: 'state', card: 'corner', cell: (incident) => <StateCell incident={incident} /> },
          { id: 'since', cell: (incident) => <TimesCell incident={incident} /> },
          { id: 'lost', cell: (incident) => <LostCell incident={incident} /> },
          { id: 'actions', card: 'corner', cell: (incident) => <ActionCell incident={incident} /> },
        ],
        (id) => t(`column.${id}`),
      ),
    [t, tight],
  )
}

interface CellProps {
  readonly incident: Incident
}

function CauseCell({ incident }: CellProps) {
  const words = useIncidentWords()
  const reason = words.reason(incident)
  return (
    <span className="block max-w-96 min-[1400px]:max-w-[34rem] max-sm:max-w-full">
      <span
        className="block truncate font-medium sm:max-lg:line-clamp-2 sm:max-lg:whitespace-normal"
        title={words.title(incident)}
      >
        {words.title(incident)}
      </span>
      {reason !== '' && (
        <span className="block truncate font-normal text-muted text-xs" title={reason}>
          {reason}
        </span>
      )}
    </span>
  )
}

function StateCell({ incident }: CellProps) {
  const { t } = useTranslation('incidents')
  const { state, accepted } = incident
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
      <Tag tone={incidentTone(incident)}>{t(`state.${state}`)}</Tag>
      {accepted && (
        <span className="text-muted text-xs" title={accepted.note}>
          {accepted.by}
          {accepted.until > 0 && (
            <>
              {' · '}
              {t('until')} <RelativeTime at={accepted.until} upcoming />
            </>
          )}
        </span>
      )}
    </span>
  )
}

function TimesCell({ incident: { opened_at, ended_at } }: CellProps) {
  const { t } = useTranslation('incidents')
  return (
    <>
      <RelativeTime at={opened_at} />
      {ended_at > 0 && (
        <span className="block text-muted text-xs">
          {t('column.ended')} <RelativeTime at={ended_at} />
        </span>
      )}
    </>
  )
}

function LostCell({ incident }: CellProps) {
  const words = useIncidentWords()
  const tight = useGridBelow(1280)
  const losses = words.losses(incident).join(' · ')
  const concerned = words.concerned(incident).join(' · ')
  if (losses === '' && concerned === '') return <span className="text-muted">–</span>
  return (
    <>
      <span className={cx('figures block', tight ? 'max-w-52 whitespace-normal' : 'whitespace-nowrap')}>
        {losses}
      </span>
      <span
        className={cx('block truncate text-muted text-xs max-sm:max-w-full', tight ? 'max-w-36' : 'max-w-72')}
        title={concerned}
      >
        {concerned}
      </span>
    </>
  )
}

function ActionCell({ incident }: CellProps) {
  const { t } = useTranslation('incidents')
  const mend = useIncidentWords().mend(incident)
  return (
    <span className="flex items-center justify-end gap-2">
      {mend && incident.state !== 'ended' && (
        <Link {...mend.link} className="whitespace-nowrap text-accent-text hover:underline">
          {t(`mend.${mend.label}`)}
        </Link>
      )}
      <IncidentMenu incident={incident} />
    </span>
  )
}
