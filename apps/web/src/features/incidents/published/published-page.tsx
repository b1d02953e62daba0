import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ManagedIncident, PublicIncidentState } from '@tollgate/api'
import { CircleCheck, Ellipsis, EyeOff, Megaphone, MessageSquarePlus, Pencil, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../../components/data-table/index.ts'
import { type ListFilter, ListPage, useList } from '../../../components/list/index.ts'
import { phaseTones } from '../../../components/status-page/state-words.ts'
import { refreshStatusPage } from '../../../components/status-page/status-api.ts'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { Menu } from '../../../components/ui/overlay/menu.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { EmptyState } from '../../../components/ui/states.tsx'
import { Notice, Tag } from '../../../components/ui/tag.tsx'
import { localList } from '../../../i18n/local-list.ts'
import { useStatus } from '../../../lib/api/status.ts'
import { usePhone } from '../../../lib/browser/media-query.ts'
import type { IncidentSearch } from '../search.ts'
import { EditSheet } from './edit-sheet.tsx'
import { PublishSheet } from './publish-sheet.tsx'
import { publishedSource, setPublished } from './published-api.ts'
import { UpdateSheet } from './update-sheet.tsx'

interface PublishedPageProps {
  readonly search: IncidentSearch
  /** The tabs of the page. */
  readonly tabs: ReactNode
}

/** The form that is open over the list. */
type Open =
  | { readonly kind: 'edit'; readonly incident: ManagedIncident }
  | { readonly kind: 'update'; readonly incident: ManagedIncident; readonly state: PublicIncidentState }

/** Shows what is published on the status page, and what was. */
export function PublishedPage({ search, tabs }: PublishedPageProps): ReactNode {
  const { t } = useTranslation('statusPage')
  const { t: ofIncidents } = useTranslation('incidents')
  const navigate = useNavigate({ from: '/incidents' })
  const [open, setOpen] = useState<Open>()
  const state = search.state === 'open' || search.state === 'ended' ? search.state : undefined
  const list = useList(publishedSource(state), { page: search.page }, { staleMs: 0 })
  const publish = (id: number | undefined) =>
    void navigate({ search: (before) => ({ ...before, publish: id }) })
  return (
    <ListPage<ManagedIncident, IncidentSearch>
      name="published"
      title={ofIncidents('heading')}
      actions={
        <Button variant="primary" icon={Plus} onClick={() => publish(0)}>
          {t('manage.publish')}
        </Button>
      }
      notice={
        <>
          {tabs}
          <PageNotice />
        </>
      }
      columns={useColumns(setOpen)}
      list={list}
      search={{ ...search, state }}
      onSearch={(next) => void navigate({ search: { ...next, tab: 'status' } })}
      filters={useFilters()}
      onOpen={(incident) => setOpen({ kind: 'edit', incident })}
      isMuted={({ published }) => !published}
      empty={{
        narrowed: state !== undefined,
        first: (
          <EmptyState
            icon={Megaphone}
            title={t('manage.emptyTitle')}
            action={<Button onClick={() => publish(0)}>{t('manage.publish')}</Button>}
          >
            {t('manage.empty')}
          </EmptyState>
        ),
      }}
    >
      {search.publish !== undefined && (
        <PublishSheet key={search.publish} causeId={search.publish} onClose={() => publish(undefined)} />
      )}
      {open?.kind === 'edit' && <EditSheet incident={open.incident} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'update' && (
        <UpdateSheet incident={open.incident} state={open.state} onClose={() => setOpen(undefined)} />
      )}
    </ListPage>
  )
}

/** Leads to the page, or says that nobody sees it. */
function PageNotice() {
  const { t } = useTranslation('statusPage')
  if (useStatus()?.enable_status_page)
    return (
      <p className="text-sm">
        <Link to="/status" className="text-accent-text hover:underline">
          {t('manage.open')}
        </Link>
      </p>
    )
  return (
    <Notice tone="info">
      {t('manage.off')}{' '}
      <Link to="/setting" search={{ tab: 'operation', keyword: 'StatusPageEnabled' }} className="underline">
        {t('manage.turnOn')}
      </Link>
    </Notice>
  )
}

function useFilters(): readonly ListFilter[] {
  const { t } = useTranslation('statusPage')
  return [
    {
      name: 'state',
      label: t('manage.column.state'),
      placeholder: t('manage.filter.state'),
      choices: (['open', 'ended'] as const).map((state) => ({
        value: state,
        label: t(`manage.filter.${state}`),
      })),
    },
  ]
}

type Opening = (open: Open) => void

function useColumns(setOpen: Opening): readonly DataColumn<ManagedIncident>[] {
  const { t } = useTranslation('statusPage')
  return useMemo(
    () =>
      withHeaders(
        [
          {
            id: 'incident',
            card: 'title',
            grow: true,
            cell: (incident) => <TitleCell incident={incident} />,
          },
          { id: 'state', card: 'corner', cell: (incident) => <StateCell incident={incident} /> },
          { id: 'since', card: 'none', cell: (incident) => <TimesCell incident={incident} /> },
          {
            id: 'latest',
            card: 'none',
            cell: ({ updates }) => <RelativeTime at={updates.at(-1)?.at ?? 0} />,
          },
          {
            id: 'actions',
            card: 'corner',
            cell: (incident) => <ActionCell incident={incident} setOpen={setOpen} />,
          },
        ],
        (id) => t(`manage.column.${id}`),
      ),
    [t, setOpen],
  )
}

interface CellProps {
  readonly incident: ManagedIncident
}

function TitleCell({ incident }: CellProps) {
  const { title, models } = incident
  const phone = usePhone()
  return (
    <span className="block min-w-0 max-w-120 max-sm:max-w-full">
      <span className="block truncate font-medium" title={title}>
        {title}
      </span>
      <span className="block truncate text-muted text-xs" title={localList(models)}>
        {phone && <RelativeTime at={incident.started_at} className="figures mr-2" />}
        <span className="font-mono">{localList(models)}</span>
      </span>
    </span>
  )
}

function StateCell({ incident: { state, published } }: CellProps) {
  const { t } = useTranslation('statusPage')
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Tag tone={phaseTones[state]}>{t(`phase.${state}`)}</Tag>
      {!published && <Tag>{t('manage.hidden')}</Tag>}
    </span>
  )
}

function TimesCell({ incident: { started_at, ended_at } }: CellProps) {
  const { t } = useTranslation('statusPage')
  return (
    <>
      <RelativeTime at={started_at} />
      {ended_at > 0 && (
        <span className="block text-muted text-xs">
          {t('manage.column.ended')} <RelativeTime at={ended_at} />
        </span>
      )}
    </>
  )
}

function ActionCell({ incident, setOpen }: CellProps & { readonly setOpen: Opening }) {
  const { t } = useTranslation('statusPage')
  const client = useQueryClient()
  const { published, state } = incident
  const change = useMutation({
    mutationFn: () => setPublished({ id: incident.id, published: !published }),
    onSettled: () => refreshStatusPage(client),
    meta: { successMessage: t(published ? 'manage.unpublished' : 'manage.published') },
  })
  const update = (next: PublicIncidentState) => setOpen({ kind: 'update', incident, state: next })
  return (
    <span className="flex items-center justify-end gap-1">
      <IconButton
        icon={MessageSquarePlus}
        size="sm"
        variant="ghost"
        label={t('manage.addUpdate')}
        onClick={() => update(state === 'resolved' ? 'investigating' : state)}
      />
      <Menu
        trigger={
          <IconButton
            icon={Ellipsis}
            size="sm"
            variant="ghost"
            label={t('manage.menu')}
            loading={change.isPending}
          />
        }
        items={[
          state !== 'resolved' && {
            kind: 'action',
            icon: CircleCheck,
            label: t('manage.resolve'),
            run: () => update('resolved'),
          },
          {
            kind: 'action',
            icon: Pencil,
            label: t('manage.edit'),
            run: () => setOpen({ kind: 'edit', incident }),
          },
          {
            kind: 'action',
            icon: published ? EyeOff : Megaphone,
            label: t(published ? 'manage.unpublish' : 'manage.republish'),
            run: () => change.mutate(),
          },
        ]}
      />
    </span>
  )
}
